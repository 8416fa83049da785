package redact

import "strings"

// labelled: a value that a machine made beside the name of a service (acme: 4f…) or behind what says that it is a key
// (acmeKEY 4f…, acme private key 4f…), in whatever way the two are joined. The value begins at i; where it stands
// under a name that means a secret by itself, assign has found it.
func (sc *scan) labelled(i int) {
	s := sc.s
	if i < 4 || i < sc.next || s[i-1] == '/' || class[s[i-1]]&setAlnum != 0 {
		return
	}
	e := trimEnd(s, i, sc.runEnd(setBase64, i), ".%~")
	if n := e - i; n < 12 || n > 512 || !machineMade(s[i:e]) || isNumber(s[i:e]) || isPlaceholder(s[i:e]) {
		return
	}
	if name, _, ok := strings.Cut(strings.TrimRight(s[i:e], "="), "="); ok && isName(name) && !machineMade(name) {
		return // trace_id=4f…
	}
	if sc.labelledAt(i, e) {
		return
	}
	// The name may stand before all that the value is joined to.
	k := i
	for k > 0 && i-k < maxLabel && s[k-1] != '=' && s[k-1] != '/' && class[s[k-1]]&setBase64 != 0 {
		k--
	}
	if k < i && machineMade(s[k:e]) {
		sc.labelledAt(k, e)
	}
}

func (sc *scan) labelledAt(i, e int) bool {
	label, v := sc.label(i), sc.s[i:e]
	if label == "" {
		return false
	}
	named, service := readLabel(label)
	kind := ""
	switch {
	case podSuffix(v), named && pgpKey(v), isUUID(v) && strings.HasSuffix(label, "SecretsId"): // of a .NET project's store
		return true
	case named:
		kind = "key"
	case isDigits(v) || count(v).digits == 0 && len(v) < 24:
	case service == rareService, service == commonService && !isDigest(v) && !isUUID(v):
		kind = "token"
	}
	if kind != "" {
		sc.addValue(i, e, kind, byPlace)
	}
	return kind != ""
}

// label is the text before a value, past the separators: up to four words.
func (sc *scan) label(i int) string {
	s := sc.s
	k, low := i, max(0, i-maxLabel)
	for k > low && strings.IndexByte(" \t\n\"'`:=-_.>,(\\", s[k-1]) >= 0 {
		if s[k-1] == '\n' && (k < 2 || strings.IndexByte(":=,.", s[k-2]) >= 0) {
			return ""
		}
		k--
	}
	if k == i || i-k > 8 {
		return ""
	}
	a, blanks := k, 0
	for a > low && (class[s[a-1]]&setDots != 0 || s[a-1] == ' ') {
		if s[a-1] == ' ' {
			if blanks++; blanks > 3 || s[a] == ' ' {
				break
			}
		}
		a--
	}
	if a > 0 && (s[a-1] == '/' || s[a-1] == '@' || s[a-1] == '$') {
		return "" // a path, an address, a variable
	}
	return s[a:k]
}

const maxLabel = 64

// service says how surely a label's name is that of a service which gives out keys.
type service uint8

const (
	noService service = iota
	commonService
	rareService
)

// readLabel says whether the last words of a label name a key of something, and otherwise what service they name.
func readLabel(label string) (named bool, s service) {
	var w labelWords
	w.split(label)
	nouns := 0
	for n := w.n - 1; n >= 0; n-- {
		word := w.word[n]
		if string(word) == "sha256" || string(word) == "sha512" {
			return false, noService
		}
		role, _ := lookWord(word)
		switch {
		case role&rolePublic != 0 && nouns < 3, role&roleNotToken != 0 && nouns < 2, n == w.n-1 && role&roleNot != 0 && string(word) != "id":
			return false, noService
		case role&(roleSecret|roleLikelyKey) != 0, string(word) == "private", string(word) == "access", string(word) == "tok":
			nouns++
			continue
		case nouns == 0 && n == w.n-1 && n > 0 && (string(word) == "code" || string(word) == "id"):
			continue
		}
		if nouns > 0 {
			return role&roleNotKey == 0 && len(word) > 2 && !inFold(fillers[:], string(word)), noService
		}
		if n >= w.last {
			s = max(s, serviceOf(word), serviceOf(w.with(n)))
		}
	}
	return false, s
}

// fillers say nothing about the key behind them. Sorted.
var fillers = [...]string{"and", "any", "each", "every", "for", "from", "new", "not", "old", "one", "per", "same", "the", "this", "with"}

// labelWords are the words of a label in lower case; those from last on stand behind its last blank.
type labelWords struct {
	buf  [maxLabel]byte
	word [12][]byte
	from [12]int
	n    int
	last int
}

// with is a word and the next, where only a capital parts them: MessageBird.
func (w *labelWords) with(n int) []byte {
	if end := w.from[n] + len(w.word[n]); n+1 < w.n && w.from[n+1] == end {
		return w.buf[w.from[n] : end+len(w.word[n+1])]
	}
	return nil
}

func (w *labelWords) split(label string) {
	from := 0
	for i := range len(label) {
		c := label[i]
		upper := c >= 'A' && c <= 'Z'
		switch {
		case class[c]&setAlnum == 0:
			w.add(from, i)
			from = i + 1
			if c == ' ' {
				w.last = w.n
			}
		case upper && i > from && (label[i-1] < 'A' || label[i-1] > 'Z'):
			w.add(from, i)
			from = i
		}
		if upper {
			c += 'a' - 'A'
		}
		w.buf[i] = c
	}
	w.add(from, len(label))
}

func (w *labelWords) add(from, to int) {
	if to > from && w.n < len(w.word) {
		w.word[w.n], w.from[w.n] = w.buf[from:to], from
		w.n++
	}
}

// serviceOf looks a word up among the services.
func serviceOf(word []byte) service {
	if len(word) < 3 || len(word) > 20 {
		return noService
	}
	switch {
	case listed(rareServices, word):
		return rareService
	case listed(commonServices, word):
		return commonService
	}
	return noService
}

// listed looks a word up in a text of sorted words with a blank before and behind each.
func listed(words string, word []byte) bool {
	lo, hi := 0, len(words)-1 // blanks
	for lo < hi {
		m := lo + strings.LastIndexByte(words[lo:(lo+hi)/2+1], ' ')
		e := m + 1 + strings.IndexByte(words[m+1:], ' ')
		switch w := words[m+1 : e]; {
		case w == string(word):
			return true
		case w < string(word):
			lo = e
		default:
			hi = m
		}
	}
	return false
}

// podSuffix: 7c9d8b6f5d-xk2p9, what Kubernetes puts behind a name.
func podSuffix(v string) bool {
	dash := strings.IndexByte(v, '-')
	return dash >= 8 && dash <= 10 && len(v)-dash == 6 && isName(v[dash+1:]) || len(v) <= 10
}

// pgpKey: the long form of a public key's id or its fingerprint.
func pgpKey(v string) bool {
	c := count(v)
	return (len(v) == 16 || len(v) == 40) && isHex(v) && c.lower == 0
}

// machineMade says that no person and no compiler would write v as a name: digits among letters, or letters in an
// order that words do not have.
func machineMade(v string) bool {
	c := count(v)
	if c.digits+c.lower+c.upper < 12 || c.spaces+c.other > 0 || distinct(v) < 6 {
		return false
	}
	if isUUID(v) || isHex(v) && len(v) >= 20 && c.digits > 2 {
		return true
	}
	pairs, rare := rarePairs(v)
	switch {
	case c.digits == 0:
		return len(v) >= 16 && pairs >= 12 && rare*10 >= pairs*4
	case c.changes*4 >= len(v):
		return c.digits > 1 && (rare*4 >= pairs || c.digits*3 >= len(v) && c.digits >= 6)
	}
	return (c.digits > 1 && pairs >= 4 || pairs >= 8) && rare*10 >= pairs*4
}

// rarePairs counts the pairs of letters in v, and those that hardly occur in words.
func rarePairs(v string) (pairs, rare int) {
	prev := byte(0xff)
	for i := range min(len(v), 128) {
		c := (v[i] | 0x20) - 'a'
		if c >= 26 {
			prev = 0xff
			continue
		}
		if prev < 26 {
			pairs++
			rare += int(rarePair[prev] >> c & 1)
		}
		prev = c
	}
	return pairs, rare
}

// rarePair[a] has bit b set when b follows a in fewer than one of two thousand pairs of letters in the words of a large
// body of source code and its comments; of the pairs in random text, three of five are rare.
var rarePair = [26]uint32{
	0x2414291, 0x2e9b6ee, 0x3c1a22a, 0x3e9b6e6, 0x2100680, 0x3e1a6c2, 0x3e99e6e, 0x3f5beee, 0x1510780, 0x3ffffff, 0x3fbfeee, 0x2e3b6c6, 0x3e32ee4,
	0x2c39282, 0x3810280, 0x2e136ea, 0x3efffff, 0x2c18282, 0x2a12262, 0x2a12642, 0x3f14688, 0x3fffeee, 0x3fd9e6e, 0x3f77eee, 0x3f147ff, 0x3ffffef,
}
