package redact

import "strings"

// tongues are other languages' words for a password that hold letters which names of programs do not have, without the
// endings that grammar gives them, and how many bytes stand before the first of those letters.
var tongues = [...]struct {
	word   string
	before int
	key    bool // a word for a key, which is often to something else than a secret
}{
	{"ontraseña", 7, false}, {"asło", 2, false}, {"asła", 2, false}, {"asłem", 2, false}, {"ösenord", 0, false}, {"парол", 0, false}, {"Парол", 0, false}, {"лозинк", 0, false}, {"密码", 0, false}, {"密碼", 0, false}, {"口令", 0, false},
	{"パスワード", 0, false}, {"暗証番号", 0, false}, {"비밀번호", 0, false}, {"암호", 0, false}, {"كلمة المرور", 0, false}, {"كلمة السر", 0, false}, {"סיסמ", 0, false}, {"पासवर्ड", 0, false}, {"รหัสผ่าน", 0, false},
	{"ật khẩu", 0, false}, {"κωδικό", 0, false}, {"Κωδικό", 0, false}, {"elszó", 4, false}, {"elszav", 6, false}, {"ifre", -2, false}, {"laptažod", 5, false}, {"arolası", 6, false},
	{"chlüssel", 3, true}, {"ключ", 0, true}, {"Ключ", 0, true}, {"密钥", 0, true}, {"金鑰", 0, true},
}

// tongueLinks stand between such a word, or what it is further said to be the password of, and the password.
var tongueLinks = [...]string{
	": ", "：", ":\n", "= ", "は", "、", "是", "为", "為", "은", "는", "es ", "jest ", "to ", "är ", "- ", "— ", "– ", "это ", "è ", "é ", "is ", "ist ", "lautet ", "lauten ",
	"est ", "je ", "er ", "on ", "→ ", "είναι ", "هي ", "היא ", "है ", "คือ", "là ", "adalah ", "ni ", "yra ", "е ",
}

// tongue: a letter that is not ASCII stands at i; it may be the first in another language's word for a password.
func (sc *scan) tongue(i int) {
	s := sc.s
	if hasAt(s, i, "│") {
		sc.besideName(i, len("│"))
		return
	}
	for k := range tongues {
		w := &tongues[k]
		if a := i - w.before; hasAt(s, a, w.word) && (w.before >= 0 || hasAt(s, i, "ş") || hasAt(s, i, "Ş")) {
			sc.said(a+len(w.word), w.key)
			return
		}
	}
}

const (
	maxSaid   = 160 // bytes behind a word for a password in which that may be told
	maxEnding = 24  // bytes of the ending that grammar gives a word
	maxWhose  = 6   // words that may say first what it is the password of
)

// said hides the password that is told behind i, the end of a word for one, once a link says so: "… for the database is x". What
// is told of a key must look made by a machine.
func (sc *scan) said(i int, key bool) {
	s := sc.s
	if i < sc.saidTo {
		return
	}
	from := i
	for i < min(len(s), from+maxEnding) && (s[i] >= 0x80 && linkLen(s, i) == 0 || class[s[i]]&setAlnum != 0) {
		i++
	}
	limit := min(len(s), i+maxSaid)
	defer func() { sc.saidTo = from + (i-from)/2 }() // twice at most is enough
	for words, linked := 0, false; i < limit; {
		if s[i] == '\n' && linked {
			sc.aloneBelow(i)
			return
		}
		if strings.IndexByte(" *\"'`", s[i]) >= 0 {
			i++
			continue
		}
		if n := linkLen(s, i); n > 0 {
			linked = true
			i += n
			if s[i-1] == '\n' {
				i--
			}
			continue
		}
		for _, quote := range [...]string{"「", "『", "“", "«", "„"} {
			if hasAt(s, i, quote) {
				i += len(quote)
			}
		}
		e := i
		for e < limit && s[e] > ' ' && strings.IndexByte("\"'`\\<>", s[e]) < 0 && !(linked && s[e] >= 0x80) {
			e++
		}
		if text := s[i:e]; (linked && !key || (words == 0 || linked) && scrambled(trimWord(text))) && sc.toldAt(i, e, words) {
			return
		}
		if words++; e == i || words > maxWhose || !whose(s[i:e]) {
			return
		}
		linked = s[e-1] == ':' || strings.HasSuffix(s[i:e], "：")
		i = e
	}
}

// toldAt hides the password between i and e, in front of which so many words say what it is for.
func (sc *scan) toldAt(i, e, words int) bool {
	for e < len(sc.s) && e-i < maxLiteral && sc.s[e] > ' ' && sc.s[e] < 0x80 && strings.IndexByte("\"'`\\<>", sc.s[e]) < 0 {
		e++ // past the limit
	}
	e = trimEnd(sc.s, i, e, ".,;:)*")
	text := sc.s[i:e]
	c := count(text)
	switch {
	case len(text) < 5 || c.other > 0 || !chosen(text):
		return false
	case words > 1 && (c.lower+c.upper == 0 || !scrambled(text) && (c.digits < 2 && c.digits*c.marks == 0 || len(text) < 7 || strings.IndexByte(text, '@') > 0 && strings.IndexByte(text, '.') > 0)):
		return false
	}
	if literal(text, slotKey, line) {
		sc.addValue(i, e, "password", byName)
		return true
	}
	return false
}

// aloneBelow hides a password that stands alone on one of the next lines.
func (sc *scan) aloneBelow(i int) {
	i = sc.skip(i, "\n\r ")
	e := sc.lineEnd(min(i, len(sc.s)))
	if t := strings.TrimRight(sc.s[i:e], " \r"); len(t) >= 8 && strings.IndexByte(t, ' ') < 0 && (scrambled(t) || machineMade(t)) {
		sc.hide(i, e, "password")
	}
}

// linkLen is the length of the link at i; 0: none.
func linkLen(s string, i int) int {
	for k := range tongueLinks {
		if s[i] == tongueLinks[k][0] && hasAt(s, i, tongueLinks[k]) {
			return len(tongueLinks[k])
		}
	}
	return 0
}

func trimWord(word string) string { return word[:trimEnd(word, 0, len(word), ".,;:)*")] }

// whose says that a word may stand in what a password is said to be for: no number, no code, no end of a clause.
func whose(word string) bool {
	c := count(word)
	if strings.IndexByte(word, '@') > 0 {
		return true
	}
	return c.digits == 0 && strings.IndexByte(".,;!?", word[len(word)-1]) < 0 && !strings.ContainsAny(word, "(){}[]=|$#%&+*~^/\\")
}
