package redact

import "strings"

// word of a command: its place in the text, and its value where quotes around it are taken off.
type word struct {
	a, b   int
	quoted bool
}

// how a command's argument holds a secret.
type how uint8

const (
	whole      how = iota // the argument is the secret
	attached              // only glued to its flag: mysql -pSECRET
	userPass              // user:SECRET
	percent               // user%SECRET
	comma                 // user,SECRET
	generated             // a secret only where it looks made by a machine
	slashAt               // user/SECRET@host
	spec                  // pass:SECRET
	cookie                // a=SECRET; b=SECRET
	last                  // the last argument
	named                 // the argument after one that names a secret
	stdin                 // what is piped in
	early                 // the argument, where no flag stands before it
	colonAt               // domain/user:SECRET@host
	after                 // an argument that begins with the rule's flag
	into                  // what is piped in, where an argument names a secret
	substitute            // what sed puts in a secret's place
)

// runCommand looks at the command whose name stands at [a,b).
func (sc *scan) runCommand(class uint8, a, b int) {
	strict := sc.commandPlace(a)
	if class >= classStrict && !strict {
		return
	}
	if a < sc.lineTo {
		if sc.lines++; sc.lines > maxInside {
			return
		}
	}
	var buf [48]word
	ws, end, next := sc.words(buf[:0], b)
	if a >= sc.lineTo {
		sc.lineTo, sc.lines = end, 0
	}
	if class == classEcho {
		sc.format(ws)
		if strict && next == '|' {
			sc.echo(ws, end)
		} else if hasAt(sc.s, a-2, "<(") && len(ws) > 0 {
			sc.asFile(ws[len(ws)-1], a-2)
		} else if strict {
			sc.toFile(ws)
		}
		return
	}
	sc.arguments(class, ws, strict)
}

// commandPlace says that a command may begin at a.
func (sc *scan) commandPlace(a int) bool {
	s := sc.s
	for a > 0 && (s[a-1] == '/' || class[s[a-1]]&setDots != 0) {
		a--
	}
	k := a - 1
	for k >= 0 && (s[k] == ' ' || s[k] == '\t') {
		k--
	}
	if k < 0 || strings.IndexByte("\n;|&({`\"'$#>!,", s[k]) >= 0 {
		return true
	}
	e := k + 1
	for k >= 0 && class[s[k]]&setWord != 0 {
		k--
	}
	switch s[k+1 : e] {
	case "sudo", "env", "time", "exec", "then", "do", "else", "nohup", "xargs", "command", "sh", "bash", "run", "RUN", "doas", "timeout", "exec-":
		return true
	}
	// FOO=bar command, sudo -u x command
	for k >= 0 && s[k] > ' ' {
		if s[k] == '=' {
			return true
		}
		k--
	}
	return e-k-1 <= 3 && k >= 0 && e > k+1 && s[k+1] == '-'
}

// words splits the rest of a simple command that begins at i. It gives its words, where it ends and what ends it.
func (sc *scan) words(ws []word, i int) (_ []word, end int, by byte) {
	s := sc.s
	limit := min(len(s), i+maxCommand)
	for i < limit && len(ws) < cap(ws) {
		switch c := s[i]; c {
		case ' ', '\t':
			i++
			continue
		case '\\':
			if hasAt(s, i, "\\\n") || hasAt(s, i, "\\\r") {
				i += 2
				continue
			}
		case '\n', ';', '|', '&', ')', '`':
			return ws, i, c
		case '<', '3', '4', '5':
			if c != '<' && hasAt(s, i+1, "<<<") {
				i++ // of a descriptor
			}
			if hasAt(s, i, "<<<") {
				ws = append(ws, word{a: i, b: i + 3})
				i += 3
				continue
			}
		case '#':
			if s[i-1] == ' ' {
				return ws, i, '\n'
			}
		}
		w, e := sc.wordAt(i, limit)
		if e == i {
			return ws, i, s[i]
		}
		ws = append(ws, w)
		i = e
	}
	return ws, i, 0
}

const (
	maxCommand = 8 << 10
	maxInside  = 12 // commands among the arguments of one
)

// wordAt reads one word.
func (sc *scan) wordAt(i, limit int) (word, int) {
	s := sc.s
	if q, ok := sc.quotedWord(i, limit); ok {
		return q, q.b + 1
	}
	j := i
	for j < limit {
		switch c := s[j]; c {
		case ' ', '\t', '\n', ';', '|', '&', ')':
			return word{a: i, b: j}, j
		case '"', '\'', '`':
			e := strings.IndexByte(s[j+1:limit], c)
			if e < 0 || j > i && s[j-1] == '\\' {
				return word{a: i, b: j}, j // the quote closes the string that the command stands in
			}
			j += e + 1
		case '(':
			if j > i && s[j-1] == '$' {
				if e := strings.IndexByte(s[j:limit], ')'); e > 0 {
					j += e
				}
			}
		case '\\':
			if j+1 < limit && (s[j+1] == '"' || s[j+1] == 'n' || s[j+1] == '\'') {
				if j == i {
					return word{a: i, b: j}, j
				}
				return word{a: i, b: j}, j
			}
			j++
		}
		j++
	}
	j = min(j, limit)
	return word{a: i, b: j}, j
}

// quotedWord reads a word that is quoted as a whole.
func (sc *scan) quotedWord(i, limit int) (word, bool) {
	s := sc.s
	j := i
	if s[j] == '$' && j+1 < limit && s[j+1] == '\'' {
		j++
	}
	esc := j
	if s[j] == '\\' && j+1 < limit && s[j+1] == '"' {
		j++
	}
	q := s[j]
	if q != '"' && q != '\'' {
		return word{}, false
	}
	for e := j + 1; e < limit; e++ {
		if s[e] == '\\' && q == '"' && esc == j {
			e++
			continue
		}
		if s[e] != q {
			continue
		}
		b := e
		if esc < j && s[e-1] == '\\' {
			b--
		}
		if e+1 < limit && strings.IndexByte(" \t\n;|&)\"'`\\,]", s[e+1]) < 0 {
			return word{}, false // 'a'b
		}
		if esc < j {
			return word{j + 1, b, true}, true
		}
		return word{j + 1, e, true}, true
	}
	return word{}, false
}

// arguments applies the rules of a command to its words.
func (sc *scan) arguments(class uint8, ws []word, strict bool) {
	s := sc.s
	for k := range ws {
		w := ws[k]
		t := s[w.a:w.b]
		if t == "<<<" {
			if k+1 < len(ws) && sc.takesStdin(class, ws) {
				sc.hide(ws[k+1].a, ws[k+1].b, "stdin")
			}
			continue
		}
		if hasAt(t, 0, "<<") && sc.takesStdin(class, ws) {
			sc.hereDocument(w)
			continue
		}
		if len(t) > 1 && !w.quoted {
			sc.flag(class, ws, k)
		}
	}
	if strict {
		sc.positions(class, ws)
	}
}

// flag applies the rules of a command's flag, ws[k].
func (sc *scan) flag(class uint8, ws []word, k int) {
	s := sc.s
	w := ws[k]
	t := s[w.a:w.b]
	name, eq := t, strings.IndexByte(t, '=')
	if eq > 0 {
		name = t[:eq]
	}
	var r commandRule
	for rules := rulesOf(class); rules.next(&r); {
		if r.flag == "" || r.flag[0] != t[0] || r.sub != "" && !sc.has(ws, r.sub) {
			continue
		}
		if name == r.flag && r.how == named {
			if k+2 < len(ws) && readKey(s[ws[k+1].a:ws[k+1].b]).score == strong {
				sc.hide(ws[k+2].a, ws[k+2].b, "password")
			}
			return
		}
		if name == r.flag && r.how != attached {
			if eq > 0 {
				sc.apply(r.how, sc.unquoted(w.a+eq+1, w.b))
			} else if k+1 < len(ws) {
				sc.apply(r.how, ws[k+1])
			}
			return
		}
		if r.how == after && hasAt(t, 0, r.flag) {
			sc.apply(whole, word{w.a + len(r.flag), w.b, false})
			return
		}
		if len(r.flag) != 2 || t[0] != '-' || t[1] == '-' {
			continue
		}
		if at := cluster(class, t, r.flag[1]); at > 0 {
			switch {
			case at+1 < len(t):
				sc.apply(r.how, sc.unquoted(w.a+at+1, w.b))
			case r.how != attached && k+1 < len(ws):
				sc.apply(r.how, ws[k+1])
			}
			return
		}
	}
}

// cluster finds a one-letter flag in -x, -xVALUE or, where a command's flags can be joined, -abxVALUE.
func cluster(class uint8, t string, flag byte) int {
	switch {
	case class == classOpenssl && len(t) > 2:
		return 0 // -keyout
	case t[1] == flag:
		return 1
	}
	if class != classCurl {
		return 0
	}
	for i := 1; i < len(t); i++ {
		if t[i] == flag {
			return i
		}
		if strings.IndexByte("sSLkfvgiIjGNnqO#0346", t[i]) < 0 {
			return 0
		}
	}
	return 0
}

func (sc *scan) unquoted(a, b int) word {
	s := sc.s
	if b-a >= 2 && (s[a] == '\'' || s[a] == '"') && s[b-1] == s[a] {
		return word{a + 1, b - 1, true}
	}
	return word{a, b, false}
}

func (sc *scan) apply(h how, w word) {
	s := sc.s
	t := s[w.a:w.b]
	switch h {
	case whole, attached:
		sc.hide(w.a, w.b, "password")
	case userPass:
		c := strings.IndexByte(t, ':')
		if c < 0 {
			sc.apply(generated, w)
			return
		}
		if c+1 < len(t) {
			sc.hide(w.a+c+1, w.b, "password")
		} else if c >= 8 && opaque(t[:c]) {
			sc.hide(w.a, w.a+c, "token") // curl -u KEY:
		}
		if c >= 20 && opaque(t[:c]) && count(t[:c]).digits > 1 || c >= 12 && machineMade(t[:c]) {
			sc.hide(w.a, w.a+c, "token")
		}
	case generated:
		if count(t).generated(t) {
			sc.hide(w.a, w.b, "token")
		}
	case comma:
		if p := strings.IndexByte(t, ','); p > 0 {
			sc.hide(w.a+p+1, w.b, "password")
		}
	case percent:
		if p := strings.LastIndexByte(t, '%'); p > 0 {
			sc.hide(w.a+p+1, w.b, "password")
		}
	case slashAt:
		if p, at := strings.IndexByte(t, '/'), strings.LastIndexByte(t, '@'); p > 0 && (at > p+1 || at < 0 && strings.Count(t, "/") == 1) {
			if at < 0 {
				at = len(t)
			}
			sc.hide(w.a+p+1, w.a+at, "password")
		}
	case colonAt:
		if at := strings.LastIndexByte(t, '@'); at > 0 {
			if c := strings.IndexByte(t[:at], ':'); c > 0 {
				sc.hide(w.a+c+1, w.a+at, "password")
			}
		}
	case spec:
		if hasAt(t, 0, "pass:") {
			sc.hide(w.a+5, w.b, "password")
		}
	case cookie:
		sc.cookies(w.a, w.b)
	}
}

// hide takes a value from a place where only a secret can stand.
func (sc *scan) hide(a, b int, kind string) {
	for b > a && sc.s[b-1] <= ' ' {
		b--
	}
	if a >= b {
		return
	}
	t := sc.s[a:b]
	if t[0] == '-' && b-a < 4 || !literal(t, slotKey, slot) || b-a > 12 && (sc.urlIn(value{a: a, b: b}) || t[0] == '{' && strings.IndexByte(t, ':') > 0) {
		return
	}
	sc.addValue(a, b, kind, byPlace)
}

// has says that word stands among the first arguments that are no flags; one that ends in a dot, that some argument
// begins so; a flag of one letter, that it is given, alone or joined with others.
func (sc *scan) has(ws []word, word string) bool {
	n := 0
	for _, w := range ws {
		t := sc.s[w.a:w.b]
		if t == word || word[len(word)-1] == '.' && hasAt(t, 0, word) {
			return true
		}
		if word[0] == '-' && len(word) == 2 && len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.IndexByte(t, word[1]) > 0 {
			return true
		}
		if t == "" || t[0] != '-' {
			if n++; n == 4 {
				return false
			}
		}
	}
	return false
}

// positions applies the rules for arguments without a flag.
func (sc *scan) positions(class uint8, ws []word) {
	var r commandRule
	for rules := rulesOf(class); rules.next(&r); {
		if r.flag != "" && r.how != after || r.sub != "" && !sc.has(ws, r.sub) {
			continue
		}
		switch r.how {
		case last:
			if len(ws) >= int(r.nth) && len(ws) > 0 {
				if w := ws[len(ws)-1]; w.quoted || sc.s[w.a] != '-' {
					sc.hide(w.a, w.b, "password")
				}
			}
		case early:
			if n := int(r.nth); n <= len(ws) && !sc.anyFlag(ws[:n]) {
				sc.apply(whole, ws[n-1])
			}
		case after: // a flag's work; here it may be quoted
			for _, w := range ws {
				if w.quoted && hasAt(sc.s[:w.b], w.a, r.flag) {
					sc.apply(whole, word{w.a + len(r.flag), w.b, true})
				}
			}
		case substitute:
			for _, w := range ws {
				sc.substitution(w)
			}
		case named:
			for k := 0; k+1 < len(ws); k++ {
				if t := sc.s[ws[k].a:ws[k].b]; t != "" && t[0] != '-' && t != r.sub && strings.IndexByte(t, '=') < 0 && readKey(tail(t)).score != none {
					w := ws[k+1]
					if value := strings.TrimRight(sc.s[w.a:w.b], "="); readKey(tail(t)).score == weak && !count(value).generated(value) {
						continue
					}
					if class == classSet && !sc.command && count(sc.s[w.a:w.b]).digits == 0 {
						continue // prose: set … in token package
					}
					if w.a < w.b && sc.s[w.a] != '-' {
						sc.hide(w.a, w.b, readKey(tail(t)).kind)
					}
				}
			}
		case stdin, into:
		default:
			if w, ok := sc.nth(ws, int(r.nth)); ok && (r.sub == "" || sc.s[w.a:w.b] != r.sub) {
				sc.apply(r.how, w)
			}
		}
	}
}

// tail is the last part of a setting's name: //host/:_authToken, telegram.token.
func tail(t string) string {
	if len(t) > maxKey {
		t = t[len(t)-maxKey:]
	}
	return t[strings.LastIndexAny(t, ":/")+1:]
}

func (sc *scan) anyFlag(ws []word) bool {
	for _, w := range ws {
		if w.a < w.b && sc.s[w.a] == '-' {
			return true
		}
	}
	return false
}

// substitution hides what sed writes where a placeholder for a secret stood: s/YOUR_API_KEY/x/.
func (sc *scan) substitution(w word) {
	s := sc.s
	for a := w.a; a+4 < w.b; a++ {
		if s[a] != 's' || strings.IndexByte("/|#,@!", s[a+1]) < 0 || a > w.a && strings.IndexByte(" ;", s[a-1]) < 0 {
			continue
		}
		pattern := a + 2
		mid := strings.IndexByte(s[pattern:w.b], s[a+1])
		if mid < 0 {
			return
		}
		from := pattern + mid + 1
		to := strings.IndexByte(s[from:w.b], s[a+1])
		if to < 0 {
			return
		}
		key := readKey(strings.Trim(s[pattern:from-1], "^$<>{}_ \"'%\\"))
		if text := s[from : from+to]; key.score == strong && text != "" && strings.IndexByte(text, '=') < 0 && count(text).digits > 0 && count(text).spaces == 0 && len(text) >= 6 && text[0] != '\\' && text[0] != '&' {
			sc.hide(from, from+to, key.kind)
		}
		a = from + to
	}
}

func (sc *scan) nth(ws []word, n int) (word, bool) {
	named := false
	for _, w := range ws {
		if w.a < w.b && sc.s[w.a] == '-' {
			named = strings.HasSuffix(sc.s[w.a:w.b], "-name")
			continue
		}
		if named {
			named = false // what the flag before it wants
			continue
		}
		if n--; n == 0 {
			return w, true
		}
	}
	return word{}, false
}

// dash: s[i] is - ; it may begin a PEM block or a flag that names a secret (--password x, -Token x).
func (sc *scan) dash(i int) {
	s := sc.s
	if hasAt(s, i, "-----BEGIN ") {
		sc.pem(i)
		return
	}
	if i > 0 && strings.IndexByte(" \t\n\"'`(,[=", s[i-1]) < 0 {
		return
	}
	a := i
	for a < len(s) && s[a] == '-' && a < i+2 {
		a++
	}
	b := a
	for b < len(s) && class[s[b]]&setDots != 0 && b-a <= maxKey {
		b++
	}
	if b-a < 2 || b >= len(s) || s[b] != ' ' {
		return
	}
	key := sc.key(s[a:b])
	if key.score == none {
		return
	}
	j := b
	for j < len(s) && (s[j] == ' ' || hasAt(s, j, "\\\n")) {
		if s[j] == '\\' {
			j++
		}
		j++
	}
	if j >= len(s) || s[j] == '-' || s[j] == '(' {
		return
	}
	w, _ := sc.wordAt(j, min(len(s), j+maxCommand))
	t := s[w.a:w.b]
	if t == "" || strings.IndexByte(t, '=') > 0 && readKey(t[:strings.IndexByte(t, '=')]).score != none {
		return
	}
	if key.kind == "auth" || key.kind == "bearer" {
		key.score = weak
		if c := strings.IndexByte(t, ':'); c > 0 && isUserName(t[:c]) {
			sc.apply(userPass, w)
			return
		}
	}
	if isName(t) && count(t).digits == 0 && readKey(t).score == strong {
		return // --secret dbPassword x: a name
	}
	at := slot
	if !sc.command && !w.quoted && count(t).digits == 0 {
		at = line // prose about a flag
	}
	if c := count(t); c.digits == len(t) && (len(t) < 4 || s[a:b] == "pass") {
		return
	}
	if literal(t, key, at) && !sc.urlIn(value{a: w.a, b: w.b}) {
		sc.addValue(w.a, w.b, key.kind, byName)
	}
}
