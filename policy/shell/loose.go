package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxRepairs bounds how often a text is mended and parsed again.
const maxRepairs = 4

// repair mends what bash takes and the parser does not: a heredoc that ends with the input, and a name with a bracket
// behind it that begins no assignment.
func repair(text string, err error) (string, bool) {
	if pe, ok := err.(syntax.ParseError); ok {
		if rest, ok := strings.CutPrefix(pe.Text, "unclosed here-document `"); ok {
			return text + "\n" + strings.TrimSuffix(rest, "`") + "\n", true
		}
	}
	p, ok := position(err)
	if !ok {
		return "", false
	}
	at := min(int(p.Offset())+1, len(text))
	for i := strings.LastIndexByte(text[:at], '['); i > 0; i = strings.LastIndexByte(text[:i], '[') {
		if subscript(text, i) {
			return text[:i] + "\\" + text[i:], true
		}
	}
	if i := strings.IndexByte(text[at:], '['); i >= 0 && subscript(text, at+i) {
		return text[:at+i] + "\\" + text[at+i:], true
	}
	return "", false
}

// subscript says that the bracket at i stands behind a name that begins a word.
func subscript(text string, i int) bool {
	j := i
	for j > 0 && nameByte(text[j-1]) {
		j--
	}
	return j < i && (j == 0 || strings.IndexByte(" \t\n;|&(", text[j-1]) >= 0)
}

func nameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// loose reads text that no grammar takes, so that a reader stricter than the shell hides nothing: it is cut at every
// separator and blank, quoted or not. The script is unsure anyway; this only adds to what is known of it.
func (r *reader) loose(text string, e *env, at place) {
	cut := func(c rune) bool { return strings.ContainsRune("\n;|&(){}`", c) }
	for part := range strings.FieldsFuncSeq(text, cut) {
		var words []Word
		for f := range strings.FieldsSeq(part) {
			f = strings.Map(func(c rune) rune {
				if c == '"' || c == '\'' || c == '\\' {
					return -1
				}
				return c
			}, f)
			switch f {
			case "", "if", "then", "else", "elif", "do", "while", "until", "!", "time", "$":
				if len(words) == 0 {
					continue
				}
			}
			if len(words) > maxWords {
				break
			}
			words = append(words, r.looseWord(f, e))
		}
		if r.run(&call{words: words, stdin: at.stdin}, e.child(), at); r.full {
			return
		}
	}
}

func (r *reader) looseWord(s string, e *env) Word {
	b := builder{r: r, e: e, whole: true}
	b.lit(s, true, false)
	w := b.one()
	w.Known = w.Known && !strings.Contains(s, "$")
	return w
}
