package redact

import "strings"

// tongues are other languages' words for a password that hold letters which names of programs do not have, and how many
// bytes stand before the first of those letters.
var tongues = [...]struct {
	word   string
	before int
}{
	{"ontraseña", 7}, {"asło", 2}, {"ösenord", 0}, {"пароль", 0}, {"Пароль", 0}, {"密码", 0}, {"密碼", 0}, {"口令", 0}, {"パスワード", 0}, {"비밀번호", 0},
}

// tongueLinks stand between such a word and the password.
var tongueLinks = [...]string{":", "：", "=", "は", "、", "是", "为", "為", "은", "는", "es ", "es:", "jest ", "to ", "är ", "- ", "— ", "это "}

// tongue: a letter that is not ASCII stands at i; it may be the first in another language's word for a password.
func (sc *scan) tongue(i int) {
	s := sc.s
	for k := range tongues {
		w := &tongues[k]
		if s[i] != w.word[w.before] || !hasAt(s, i-w.before, w.word) {
			continue
		}
		sc.said(i - w.before + len(w.word))
		return
	}
}

// said hides the password that is told behind i, once a link says so.
func (sc *scan) said(i int) {
	s := sc.s
	linked := false
	for n := range 3 {
		i = sc.skip(i, " *\"'`")
		if word := sc.runEnd(setAlnum, i); n == 0 && word-i > 4 && hasAt(s, word, " ") {
			i = word + 1 // la contraseña nueva es …
		}
		for k := range tongueLinks {
			if hasAt(s, i, tongueLinks[k]) {
				linked = true
				i += len(tongueLinks[k])
				break
			}
		}
	}
	i = sc.skip(i, " \"'`*")
	for _, quote := range [...]string{"「", "『", "“", "«"} {
		if hasAt(s, i, quote) {
			i += len(quote)
		}
	}
	e := i
	for e < len(s) && s[e] > ' ' && s[e] < 0x80 && strings.IndexByte("\"'`\\<>", s[e]) < 0 && e-i < maxLiteral {
		e++
	}
	e = trimEnd(s, i, e, ".,;:)*")
	text := s[i:e]
	if c := count(text); linked && len(text) >= 5 && c.digits+c.marks > 0 && literal(text, slotKey, line) {
		sc.addValue(i, e, "password", byName)
	}
}
