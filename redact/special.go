package redact

import "strings"

// special: names that mean a secret by the form of what follows alone. The separator stands at i, the value behind j.
func (sc *scan) special(n name, i, j int) {
	s := sc.s
	switch name := s[n.a:n.b]; {
	case s[i] == '=' && (name == "user" || name == "proxy-user"): // of a file for curl -K
		if v, ok := sc.valueAt(j, n); ok && v.a < v.b {
			if _, pw, ok := strings.Cut(s[v.a:v.b], ":"); ok && len(pw) > 5 && !isDigits(pw) {
				if c := count(pw); c.digits+c.marks > 0 && c.spaces == 0 {
					sc.apply(userPass, word{v.a, v.b, true})
				}
			}
		}
	case s[i] != ':':
	case name == "thin": // jdbc:oracle:thin:ann/x@host
		sc.apply(slashAt, word{i + 1, sc.bareRun(i + 1), false})
	case name == "Private-Lines":
		sc.putty(i)
	default:
		sc.telegram(i)
	}
}

// foreign: the name before the separator at i is another language's word for a password, in letters that names of programs
// do not have.
func (sc *scan) foreign(i int) {
	s := sc.s
	before := strings.TrimRight(s[max(0, i-maxKey):i], " \"'*\\")
	for _, word := range [...]string{"contraseña", "Contraseña", "пароль", "Пароль", "hasło", "Hasło", "密码", "密碼", "パスワード", "비밀번호"} {
		if !strings.HasSuffix(before, word) {
			continue
		}
		if v, ok := sc.valueAt(i+1, name{a: i, b: i}); ok && v.a < v.b {
			sc.take(v, slotKey, line)
		}
		return
	}
}

// secondWord: token: Acme 4f…, a scheme of the service's own before what its machine made.
func (sc *scan) secondWord(v value, key keyName, at place) {
	s := sc.s
	if v.quoted || at != line || key.score != strong || v.b-v.a > 12 || v.b >= len(s) || s[v.b] != ' ' || class[s[max(v.a, v.b-1)]]&setAlnum == 0 {
		return
	}
	a, e := v.b+1, sc.bareRun(v.b+1)
	if e-a >= 24 && e-a <= maxLiteral && machineMade(s[a:e]) && !isDigest(s[a:e]) && literal(s[a:e], key, slot) {
		sc.addValue(a, e, key.kind, byName)
	}
}

// bundlerHost: Bundler names the credentials of a host after it, BUNDLE_GEMS__ACME__COM.
func bundlerHost(name string) bool {
	rest, ok := strings.CutPrefix(name, "BUNDLE_")
	head, host, _ := strings.Cut(rest, "__")
	return ok && host != "" && head != "BUILD" && head != "LOCAL" && head != "MIRROR"
}
