package redact

import (
	"encoding/base64"
	"strings"
)

// takesStdin says that a command reads a secret from its input.
func (sc *scan) takesStdin(class uint8, ws []word) bool {
	var r commandRule
	for rules := rulesOf(class); rules.next(&r); {
		if r.how != stdin && r.how != into {
			continue
		}
		if r.how == stdin && r.flag == "" && r.sub == "" {
			return true
		}
		for _, w := range ws {
			if t := sc.s[w.a:w.b]; t != "" && (r.how == stdin && (t == r.flag || t == r.sub) || r.how == into && readKey(t).score == strong) {
				return true
			}
		}
	}
	return false
}

// echo: what echo or printf writes goes into the command behind the pipe that ends it.
func (sc *scan) echo(ws []word, pipe int) {
	s := sc.s
	i := pipe + 1
	for i < len(s) && (s[i] == ' ' || s[i] == '\n') {
		i++
	}
	for hasAt(s, i, "sudo ") {
		if hasAt(s, i, "sudo -S") || hasAt(s, i, "sudo -kS") {
			break
		}
		i += len("sudo ")
	}
	j := i
	for j < len(s) && class[s[j]]&setDots != 0 {
		j++
	}
	class := lookCommand(s[i:j])
	if class == 0 {
		return
	}
	var buf [32]word
	args, _, _ := sc.words(buf[:0], j)
	if !sc.takesStdin(class, args) {
		if class == classBase64 && len(ws) > 0 { // echo -n ann:x | base64
			w := ws[len(ws)-1]
			if t := s[w.a:w.b]; strings.IndexByte(t, ':') > 0 && count(t).digits+count(t).marks > 0 && isUserName(t[:strings.IndexByte(t, ':')]) {
				sc.echoed(w)
			}
		}
		return
	}
	for k, w := range ws {
		t := s[w.a:w.b]
		if t == "" || t[0] == '-' || t[0] == '>' || k+1 < len(ws) && strings.IndexByte(t, '%') >= 0 && !w.quotedSecret(t) {
			continue
		}
		if class == classBase64 {
			if text, err := base64.StdEncoding.DecodeString(t); err == nil && printable(string(text)) && count(string(text)).spaces == 0 {
				sc.hide(w.a, w.b, "encoded")
			}
			continue
		}
		sc.echoed(w)
	}
}

// hereDocument hides the lines between << EOF, which stands at w, and its end.
func (sc *scan) hereDocument(w word) {
	s := sc.s
	mark := strings.Trim(s[w.a:w.b], "<-'\"\\")
	if mark == "" {
		return
	}
	i := sc.lineEnd(w.b) + 1
	for range 32 {
		if i >= len(s) {
			return
		}
		e := sc.lineEnd(i)
		if strings.Trim(s[i:e], " \t") == mark {
			return
		}
		if i < e {
			sc.echoed(word{a: i, b: e})
		}
		i = e + 1
	}
}

// asFile: preshared-key <(echo x), a secret in place of a file with one. The file stands at i.
func (sc *scan) asFile(w word, i int) {
	if i > 0 && sc.s[i-1] == '=' {
		i--
	}
	if n, ok := sc.nameBefore(i); ok {
		if key := sc.key(strings.TrimSuffix(sc.s[n.a:n.b], "-file")); key.score == strong {
			sc.echoed(w)
		}
	}
}

// toFile: echo x > db_password.txt
func (sc *scan) toFile(ws []word) {
	s := sc.s
	for k := 1; k < len(ws); k++ {
		t := s[ws[k].a:ws[k].b]
		if t == "" || t[0] != '>' {
			continue
		}
		if t = strings.TrimLeft(t, ">"); t == "" && k+1 < len(ws) {
			t = s[ws[k+1].a:ws[k+1].b]
		}
		key := fileKey(t)
		w := ws[k-1]
		if text := s[w.a:w.b]; key.score == strong && tellsSecret(text) {
			sc.hide(w.a, w.b, key.kind)
		}
		return
	}
}

// fileKey scores the name of a file that holds nothing but a secret: /run/secrets/db_password, .vault_pass, token.txt.
func fileKey(path string) keyName {
	base := path[strings.LastIndexAny(path, "/\\")+1:]
	if base == "master.key" {
		return keyName{score: strong, kind: "key", digest: true}
	}
	base = strings.TrimLeft(base, ".")
	if dot := strings.LastIndexByte(base, '.'); dot >= 0 {
		switch base[dot:] {
		case ".txt", ".key", ".secret", ".token", ".pass", ".pw":
			base = base[:dot]
		default:
			return keyName{}
		}
	}
	return readKey(base)
}

// tellsSecret: the one line that a secret's own file holds.
func tellsSecret(text string) bool {
	c := count(text)
	return len(text) >= 6 && len(text) <= 512 && c.spaces == 0 && c.digits+c.marks > 0 && c.lower+c.upper+c.digits > 3
}

// format: printf 'API_SECRET=%s' x
func (sc *scan) format(ws []word) {
	if len(ws) < 2 {
		return
	}
	form := sc.s[ws[0].a:ws[0].b]
	for at, n := 0, 1; n < len(ws); n++ {
		k := strings.IndexByte(form[at:], '%')
		if k < 0 {
			return
		}
		k += at
		at = k + 1
		sep := k - 1
		if sep > 0 && form[sep] == ' ' && form[sep-1] == ':' {
			sep--
		}
		if !hasAt(form, k, "%s") || sep <= 0 || strings.IndexByte("=: ", form[sep]) < 0 {
			continue
		}
		m, ok := sc.nameBefore(ws[0].a + sep)
		if ok && m.a > 0 && sc.s[m.a-1] == '\\' {
			m.a++ // the n of \n
		}
		if ok && m.a < m.b {
			if key := sc.key(sc.s[m.a:m.b]); key.score == strong {
				sc.hide(ws[n].a, ws[n].b, key.kind)
			}
		}
	}
}

// quotedSecret: a printf format is %s and the like, and never more than a few bytes.
func (w word) quotedSecret(t string) bool { return len(t) > 12 }

// echoed hides one echoed word: each of its lines, or what stands after user: in it.
func (sc *scan) echoed(w word) {
	s := sc.s
	t := s[w.a:w.b]
	if name, _, ok := strings.Cut(t, "="); ok && isName(name) && !scrambled(name) && !strings.HasSuffix(t, "=") {
		return // fields with names: those rules see them
	}
	a := w.a
	for a < w.b {
		e, skip := w.b, 0
		if n := strings.Index(s[a:w.b], `\n`); n >= 0 {
			e, skip = a+n, 2
		}
		line := s[a:e]
		from := a
		if c := strings.IndexByte(line, ':'); c > 0 && c < 32 && isUserName(line[:c]) && !strings.Contains(line, "://") {
			from = a + c + 1
		}
		if strings.IndexByte(s[from:e], ' ') < 0 {
			sc.hide(from, e, "stdin")
		}
		a = e + skip
	}
}
