package effect

import (
	"encoding/base64"
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// value is what an expression of a program text may stand for.
type value struct {
	// words are what it may be, or a list's elements in order. A word that is not known has $ and a name where it is not.
	words []shell.Word
	list  bool
	// tree: all that lies below the words; names and some tell which of it, as far as that can be read.
	tree  bool
	names []string
	some  bool // a condition that was not followed
	// decoded and fetched tell where a text that is not known comes from.
	decoded, fetched bool
}

const maxWords = 32

func unknown(id string) *value {
	b := []byte("$")
	for i := 0; i < len(id) && i < 40; i++ {
		if isNameByte(id[i]) && id[i] != '$' {
			b = append(b, id[i])
		}
	}
	if len(b) == 1 {
		b = append(b, "value"...)
	}
	return &value{words: []shell.Word{{Text: string(b)}}}
}

func literal(s string) *value { return &value{words: []shell.Word{{Text: s, Known: true}}} }

// anything are the names in a folder.
func anything() *value {
	return &value{words: []shell.Word{{Text: "*", Known: true, Glob: true}}, list: true}
}

// temporary is some path below a temporary folder.
func temporary() *value { return &value{words: []shell.Word{{Text: "$TMPDIR/file"}}} }

// known: a single text that is known.
func (v *value) known() (string, bool) {
	if len(v.words) == 1 && v.words[0].Known && !v.list {
		return v.words[0].Text, true
	}
	return "", false
}

// text is the first word, known or not.
func (v *value) text() string {
	if len(v.words) == 0 {
		return ""
	}
	return v.words[0].Text
}

// each is the value with every word changed.
func (v *value) each(f func(*shell.Word)) *value {
	out := v.copy()
	out.words = append([]shell.Word(nil), v.words...)
	for i := range out.words {
		f(&out.words[i])
	}
	return out
}

// copy is one that may be changed, but for the elements of its lists.
//
//go:noinline
func (v *value) copy() *value {
	out := *v
	out.words = v.words[:len(v.words):len(v.words)]
	out.names = v.names[:len(v.names):len(v.names)]
	return &out
}

// as is the value as a list, or as one of its elements.
func (v *value) as(list bool) *value {
	if v.list == list {
		return v
	}
	out := v.copy()
	out.list = list
	return out
}

// marked takes over what is known of where another value comes from.
func (v *value) marked(w *value) *value {
	v.some, v.decoded, v.fetched = v.some || w.some, v.decoded || w.decoded, v.fetched || w.fetched
	v.names = append(v.names, w.names...)
	return v
}

// or is either of two values; of a list, the elements of both.
func (v *value) or(w *value) *value {
	if len(v.words) == 0 {
		return w
	}
	out := v.copy()
	for _, x := range w.words {
		if len(out.words) < maxWords {
			out.words = append(out.words, x)
		}
	}
	out.tree = v.tree || w.tree
	return out.marked(w)
}

// with puts every pair together, as a path or as a text.
func (v *value) with(w *value, path bool) *value {
	out := (&value{tree: w.tree}).marked(v).marked(w)
	for _, a := range v.words {
		for _, b := range w.words {
			if path && (strings.HasPrefix(b.Text, "/") || strings.HasPrefix(b.Text, "~/") || a.Text == "") {
				a = shell.Word{Known: true} // an absolute part starts the path anew, as the languages' own joins do
			} else if path && !strings.HasSuffix(a.Text, "/") {
				a.Text += "/"
			}
			if len(out.words) < maxWords {
				out.words = append(out.words, shell.Word{Text: clipBytes(a.Text+b.Text, maxScript), Known: a.Known && b.Known, Glob: a.Glob || b.Glob})
			}
		}
	}
	return out
}

func clipBytes(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// below joins a folder and a name: what lies in a walked folder stays a walk, by that name.
func (v *value) below(w *value) *value {
	if len(v.words) == 0 {
		return w
	}
	if !v.tree {
		return v.with(w, true)
	}
	out := v.copy().marked(w)
	for i := range w.words {
		if x := &w.words[i]; !x.Known {
			out.some = true
		} else if x.Text != "" && x.Text != "*" {
			out.names = append(out.names, filepath.Base(x.Text))
		}
	}
	return out
}

// deep is the walk of a folder, by a pattern of names.
func (v *value) deep(pattern string) *value {
	out := v.copy()
	out.tree, out.list = true, true
	if pattern != "" && pattern != "*" {
		out.names = append(out.names, filepath.Base(pattern))
	}
	return out
}

// filled puts values where a text has %s, {} or {0}.
func (v *value) filled(w *value) *value {
	s, ok := v.known()
	if !ok {
		return v
	}
	out := shell.Word{Known: true}
	for n := 0; n < len(w.words); n++ {
		i, size := strings.Index(s, "%s"), 2
		if j := strings.Index(s, "%v"); j >= 0 && (i < 0 || j < i) {
			i = j
		}
		if j := strings.IndexByte(s, '{'); j >= 0 && (i < 0 || j < i) {
			i, size = j, strings.IndexByte(s[j:], '}')+1
		}
		if i < 0 || size < 2 {
			break
		}
		out.Text += s[:i] + w.words[n].Text
		out.Known = out.Known && w.words[n].Known
		s = s[i+size:]
	}
	out.Text = clipBytes(out.Text+s, maxScript)
	return &value{words: []shell.Word{out}}
}

func reversed(w *shell.Word) {
	b := []byte(w.Text)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	w.Text = string(b)
}

// globbed is the list of files that a pattern names; ** goes below.
func (v *value) globbed() *value {
	out := v.as(true).copy()
	out.words = nil
	for _, w := range v.words {
		if dir, pattern, deep := strings.Cut(w.Text, "**/"); deep && w.Known {
			if w.Text = strings.TrimSuffix(dir, "/"); dir == "" {
				w.Text = "."
			} else if w.Text == "" {
				w.Text = "/"
			}
			out = out.deep(pattern)
		} else {
			w.Glob = w.Glob || strings.ContainsAny(w.Text, "*?[")
		}
		out.words = append(out.words, w)
	}
	return out
}

// joined puts the words of a list together.
func (v *value) joined(sep string) *value {
	out := shell.Word{Known: true}
	for i, w := range v.words {
		if i > 0 {
			out.Text += sep
		}
		out.Text = clipBytes(out.Text+w.Text, maxScript)
		out.Known = out.Known && w.Known
	}
	return (&value{words: []shell.Word{out}}).marked(v)
}

// fields are the words of a text.
func (v *value) fields() *value {
	s, ok := v.known()
	if !ok {
		return v
	}
	out := &value{list: true}
	for _, f := range strings.Fields(s) {
		if len(out.words) < maxWords {
			out.words = append(out.words, shell.Word{Text: strings.Trim(f, `"'`), Known: true})
		}
	}
	return out
}

func folder(w *shell.Word) {
	if w.Known {
		w.Text, w.Glob = filepath.Dir(w.Text), false
	}
}

// decode is what an encoded text stands for, when it is known.
func decode(how string, v *value) *value {
	out := unknown("decoded")
	out.decoded = true
	s, ok := v.known()
	if !ok {
		return out
	}
	var b []byte
	switch s = strings.TrimSpace(s); {
	case strings.Contains(how, "hex"):
		for i := 0; i+1 < len(s); i += 2 {
			if c, ok := hexByte(s, i, 2); ok {
				b = append(b, c)
			}
		}
	case strings.Contains(how, "64") || how == "atob":
		b, _ = base64.StdEncoding.DecodeString(s) // what is no base64 gives nothing
	case strings.Contains(how, "rot13") || strings.Contains(how, "codecs"):
		b = []byte(s)
		for i, c := range b {
			if isLetter(c) {
				b[i] = c&0x20 | 'A' + (c&^0x20-'A'+13)%26
			}
		}
	}
	if len(b) > 0 {
		out.words = literal(string(b)).words
	}
	return out
}
