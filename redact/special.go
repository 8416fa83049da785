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
	case s[i] == '=' && name == "SAMLResponse":
		sc.hide(j, sc.bareRun(j), "token")
	case s[i] != ':':
	case name == "thin": // jdbc:oracle:thin:ann/x@host
		sc.apply(slashAt, word{i + 1, sc.bareRun(i + 1), false})
	case name == "Private-Lines":
		sc.putty(i)
	case name == "codes" || name == "Codes":
		sc.listedCodes(n.a, i+1)
	case name == "Content" && hasAt(s, n.a-4, "Key "): // of a network, as Windows tells it
		if v, ok := sc.valueAt(j, n); ok {
			sc.hide(v.a, v.b, "password")
		}
	case name == "accounts":
		sc.accountKeys(j)
	case hasAt(s, j, "{S"):
		sc.schemeHash(j)
	case n.a > 0 && s[n.a-1] == '@':
		sc.mailbox(n, j)
	case n.quoted && strings.IndexByte(name, '.') > 0:
		sc.hostToken(n, j)
	default:
		sc.telegram(i)
	}
}

// listedCodes: the word "codes" stands at a, and behind i may stand backup codes.
func (sc *scan) listedCodes(a, i int) {
	before := sc.s[max(0, a-9):a]
	if strings.HasSuffix(before, "ackup ") || strings.HasSuffix(before, "ecovery ") {
		sc.spareCodes(i)
	}
}

// spareCodes hides a list of backup codes that begins at i.
func (sc *scan) spareCodes(i int) {
	s := sc.s
	for range 24 {
		i = sc.skip(i, " \t\n\r,-*[\"'")
		e := i
		for e < len(s) && class[s[e]]&setWord != 0 {
			e++
		}
		c := count(s[i:e])
		if e-i < 8 || e-i > 24 || c.digits == 0 {
			return
		}
		sc.add(i, e, backupCode, byName)
		i = e
	}
}

// accounts hides the passwords of the lines user:password behind i, a list for chpasswd.
func (sc *scan) accounts(i int) {
	s := sc.s
	if i < sc.listTo {
		return
	}
	for range 24 {
		i = min(sc.lineEnd(i)+1, len(s))
		sc.listTo = i
		a := sc.skip(i, " \t-")
		if a >= len(s) || a == i {
			return
		}
		e := min(sc.lineEnd(a), a+maxLiteral)
		user, pw, ok := strings.Cut(strings.TrimSpace(s[a:e]), ":")
		if ok && isUserName(user) && len(pw) > 3 && strings.IndexByte(pw, ' ') < 0 {
			sc.hide(a+len(user)+1, e, "password")
		} else if ok && !strings.HasPrefix(pw, " ") && pw != "" || !ok {
			return
		}
	}
}

// schemeHash hides the hash of {SSHA}x, which stands at i; LDAP and web servers keep passwords so.
func (sc *scan) schemeHash(i int) {
	s := sc.s
	n := strings.IndexByte(s[i:min(len(s), i+12)], '}') + 1
	if e := sc.runEnd(setBase64, i+n); n > 4 && e-i-n >= 20 && isUpper(s[i+1:i+n-1]) {
		sc.add(i+n, e, "password-hash", byPrefix)
	}
}

// mailbox hides the password of ann@acme.test:x, as lists of accounts have it. n is the host, the password stands at i.
func (sc *scan) mailbox(n name, i int) {
	e := i
	for e < len(sc.s) && e < i+maxKey && sc.s[e] > ' ' && strings.IndexByte("\"'`<>\\", sc.s[e]) < 0 {
		e++
	}
	if v := sc.s[i:e]; e < i+maxKey && strings.IndexByte(sc.s[n.a:n.b], '.') > 0 && strings.IndexByte(v, '/') < 0 && scrambled(v) {
		sc.hide(i, e, "password")
	}
}

// hostToken: {"some-token": {"host.example": "x"}}, a host's token in an object that says what its values are.
func (sc *scan) hostToken(n name, i int) {
	s := sc.s
	from := max(0, n.a-maxKey)
	open := strings.LastIndexByte(s[from:n.a], '{')
	colon := strings.LastIndexByte(s[from:from+max(open, 0)], ':')
	if open < 0 || colon < 0 || strings.Trim(s[from+colon+1:from+open], " \n\t") != "" {
		return
	}
	m, ok := sc.nameBefore(from + colon)
	if !ok || !m.quoted {
		return
	}
	key := sc.key(s[m.a:m.b])
	key.digest = true
	if v, ok := sc.valueAt(i, n); ok && v.quoted && key.kind == "token" && count(s[v.a:v.b]).generated(s[v.a:v.b]) {
		sc.take(v, key, quoted)
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
