package redact

import "strings"

// expectSend: an expect script that answers a prompt for a password: expect "assword:"; send "x\r".
func (sc *scan) expectSend(i int) {
	s := sc.s
	if before := s[max(0, i-maxBack):i]; !strings.Contains(before, "assword") && !strings.Contains(before, "assphrase") {
		return
	}
	for i < len(s) && (s[i] == ' ' || s[i] == '-') {
		i++
	}
	v, ok := sc.quotedAt(i)
	if !ok {
		return
	}
	for _, end := range [...]string{`\r`, `\n`} {
		if t := strings.TrimSuffix(s[v.a:v.b], end); len(t) < v.b-v.a {
			sc.hide(v.a, v.a+len(strings.TrimRight(t, `\`)), "password")
			return
		}
	}
}

// phrase: a recovery phrase is told from i on to the end of the line.
func (sc *scan) phrase(i int) {
	i, _ = sc.afterLinks(i)
	v := sc.trim(value{a: i, b: min(sc.lineEnd(min(i, len(sc.s))), i+2*maxBack)})
	if v.a < v.b && count(strings.TrimRight(sc.s[v.a:v.b], ".")).seedPhrase() {
		sc.addValue(v.a, v.b, "mnemonic", byPlace)
	}
}

// prose: password is x, PASSWORD 'x', IDENTIFIED BY 'x', login bob password x, acme API key x.
func (sc *scan) prose(a, b int) {
	s := sc.s
	key, ok := sc.proseName(a, b)
	if !ok || a > 0 && (s[a-1] == '/' || s[a-1] == '=') {
		return
	}
	from := len(sc.spans)
	sc.proseValue(a, b, key)
	if key.password && len(sc.spans) == from && s[b] == ' ' {
		sc.said(b, false)
	}
}

// proseValue hides the value of the name at [a,b) that stands right behind it, or behind a link.
func (sc *scan) proseValue(a, b int, key keyName) {
	s := sc.s
	i, linked := sc.afterLinks(b)
	if i+2 < len(s) && s[i] >= '0' && s[i] <= '9' && s[i+1] == ' ' {
		i += 2 // the form that a router keeps it in
	}
	if i >= len(s) {
		return
	}
	if v, ok := sc.quotedAt(i); ok {
		text := s[v.a:v.b]
		c := count(text)
		// A quoted word after PASSWORD is SQL; after a word like "secret" it may be its name.
		sure := c.digits > 0 || c.marks > 0 || isUpper(s[a:b])
		if c.spaces == 0 && sure && (linked || s[a:b] != "Pass" && s[a:b] != "pass" || scrambled(text)) && (key.password || c.digits > 0 && len(text) >= 12) && !strings.HasPrefix(text, ":") {
			sc.take(v, key, quoted)
		}
		return
	}
	v := value{a: i, b: sc.proseEnd(i)}
	text := s[v.a:v.b]
	if len(text) < 5 || strings.ContainsAny(text, "<>|") || isDigest(text) && !key.digest || text[0] == '-' || text[0] == '/' {
		return
	}
	c := count(text)
	mixed := (c.digits > 0 || key.password && scrambled(text)) && c.lower+c.upper > 0 && c.digits+c.lower+c.upper+c.marks+c.joins == len(text)
	if !mixed || strings.IndexByte(text, '=') > 0 && !strings.HasSuffix(text, "=") || !literal(text, key, line) {
		return
	}
	if key.password && (linked || c.marks > 0 || len(text) >= 6) || c.generated(text) && machineMade(text) {
		sc.addValue(v.a, v.b, key.kind, byPlace)
	}
}

// proseName scores the word at [a,b) as the name of what follows it, together with the word before: "public key" and
// "cache key" are none.
func (sc *scan) proseName(a, b int) (keyName, bool) {
	s := sc.s
	word := s[a:b]
	if strings.EqualFold(word, "identified") {
		i := b + 1
		return slotKey, i+3 <= len(s) && strings.EqualFold(s[i:i+3], "by ")
	}
	key := readKey(word)
	noun := key.score == strong || inFold(proseNouns[:], word) && (isUpper(word) || word[0]|0x20 == 'k')
	if !noun {
		return keyName{}, false
	}
	if key.password {
		return key, true
	}
	k := a
	for k > 0 && a-k < maxKey/2 && (class[s[k-1]]&setWord != 0 || s[k-1] == ' ' && k == a) {
		k--
	}
	if k == a && key.score != strong {
		return keyName{}, false
	}
	key = readKey(s[k:b])
	if key.score == none && k < a && inFold(proseNouns[:], word) && isUpper(word) {
		key = keyName{score: weak, kind: "key"}
	}
	key.digest = true
	return key, key.score != none
}

// proseNouns name a secret of the service that the word before them names. Sorted.
var proseNouns = [...]string{"access", "key", "private"}

// afterLinks skips "is", "to" and the like.
func (sc *scan) afterLinks(i int) (_ int, linked bool) {
	s := sc.s
	for _, of := range [...]string{" for ", " of ", " für ", " von ", " pour ", " para ", " del "} {
		if !hasAt(s, i, of) {
			continue
		}
		j := i + len(of)
		for j < len(s) && class[s[j]]&setDots != 0 {
			j++
		}
		if hasAt(s, j, ":") {
			return sc.skip(j+1, " "), true
		}
		if j, linked = sc.afterLinks(j); !linked {
			return len(s), false
		}
		return j, true
	}
	for range 3 {
		for i < len(s) && s[i] == ' ' {
			i++
		}
		for _, link := range [...]string{"é ", "è ", "→ ", ": "} {
			if hasAt(s, i, link) && (link != ": " || linked) {
				linked = true
				i += len(link)
			}
		}
		if hasAt(s, i, "- ") {
			linked = true
			i += 2
			continue
		}
		j := i
		for j < len(s) && class[s[j]]&setAlnum != 0 {
			j++
		}
		if !inFold(linkWords[:], s[i:j]) || j == len(s) || s[j] != ' ' && s[j] != ':' {
			break
		}
		linked = true
		i = j
		if s[i] == ':' {
			i++
		}
	}
	return i, linked
}

// joined: acme-token-0123456789abcdef, a secret behind a name in one word. [i,j) begins the value.
func (sc *scan) joined(i, j int) {
	s := sc.s
	if i < 5 || s[i-1] != '-' && s[i-1] != '.' {
		return
	}
	if c := count(s[i:j]); c.digits < 2 || c.lower+c.upper < 1 {
		return
	}
	k := i - 1
	for k > 0 && i-k < maxKey/2 && class[s[k-1]]&setDots != 0 {
		k--
	}
	key := readKey(s[k : i-1])
	if key.score == none || key.score == weak && key.kind != "key" {
		return
	}
	e := sc.runEnd(setDots, i)
	if t := headOf(s[i:e]); len(t) >= 20 && count(t).generated(t) && !isPlaceholder(t) {
		sc.addValue(i, e, key.kind, byName)
	}
}

// linkWords stand between "password" and the password. Sorted.
var linkWords = [...]string{"as", "by", "es", "est", "is", "ist", "lautet", "to", "was"}

func (sc *scan) proseEnd(i int) int {
	s := sc.s
	j := i
	for j < len(s) && s[j] > ' ' && s[j] != '"' && s[j] != '\'' && s[j] != '`' && s[j] != '<' && s[j] != '\\' && j-i < maxLiteral {
		j++
	}
	for j > i && strings.IndexByte(".,;:)!?]}", s[j-1]) >= 0 && !(s[j-1] == '!' && j < len(s)) {
		j--
	}
	return j
}

// accountWords tell, in some tongues and without the letter that may be a capital, that a name and a password follow.
var accountWords = [...]string{"cred", "ogin", "og in", "ogging in", "ign in", "ugang", "nmeld", "dentifiant", "suario"}

// pair: s[i] is the slash of "log in as ann / x".
func (sc *scan) pair(i int) {
	s := sc.s
	if i < 3 || s[i-1] != ' ' || !hasAt(s, i, "/ ") {
		return
	}
	k := i - 1
	for k > 0 && i-k < maxKey && (class[s[k-1]]&setDots != 0 || s[k-1] == '@') {
		k--
	}
	before := s[max(0, k-60):k]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	asked := false
	for _, word := range accountWords {
		asked = asked || strings.Contains(before, word)
	}
	e := sc.proseEnd(i + 2)
	text := s[i+2 : e]
	if c := count(text); k == i-1 || !asked || len(text) < 6 || len(text) > 64 || !chosen(text) || c.lower+c.upper == 0 {
		return
	}
	if literal(text, slotKey, line) {
		sc.addValue(i+2, e, "password", byPlace)
	}
}
