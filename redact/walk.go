package redact

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

const (
	maxDepth   = 64      // levels of a document that are looked at
	maxPeek    = 4 << 10 // bytes of an object searched for the name beside a value
	tooDeep    = `"[unscanned: too deep]"`
	unreadable = `"[redacted: not a JSON document]"`
)

// walk writes a masked copy of a document. Raw JSON is walked, never decoded to maps: what is not changed stays byte for
// byte, duplicate keys and the order of keys among it.
type walk struct {
	m     *Masker
	shell bool
	out   []byte
}

// leaf is what is known of a string by where it stands.
type leaf struct {
	name    string // its key, or that of the array around it
	key     keyName
	command bool
	secret  bool    // data of a Kubernetes Secret
	jwk     bool    // a member of a JSON Web Key
	file    keyName // what the name of the file says that it is the content of
}

func (m *Masker) document(doc string, shell bool) (d Doc) {
	defer func() {
		if recover() != nil {
			d = Doc{keysOnly(doc)}
		}
	}()
	if nesting(doc) > maxNesting || !gjson.Valid(doc) {
		return Doc{string(appendJSON(nil, m.text(doc)))}
	}
	// As with a text, a tag may stand where what it replaced kept two rules apart.
	w := walk{m: m, shell: shell, out: make([]byte, 0, len(doc)+len(doc)/16+64)}
	for range maxRounds {
		w.out = w.out[:0]
		w.value(gjson.Parse(doc), leaf{}, 0)
		if string(w.out) == doc {
			break
		}
		doc = string(w.out)
	}
	return Doc{doc}
}

const maxNesting = 10000 // levels; a document with more is text, since checking it recurses

// nesting is how deep the brackets of a document go.
func nesting(doc string) (deepest int) {
	depth, inString := 0, false
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case c == '"':
			inString = !inString
		case inString:
			if c == '\\' {
				i++
			}
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// keysOnly is what is left of a document when masking it failed: the names of its members.
func keysOnly(doc string) (out string) {
	defer func() {
		if recover() != nil {
			out = unreadable
		}
	}()
	root := gjson.Parse(doc)
	if !root.IsObject() {
		return unreadable
	}
	b := []byte{'{'}
	root.ForEach(func(k, _ gjson.Result) bool {
		if name := k.String(); len(b) < 4096 && len(name) <= 40 && count(name).digits < 4 {
			if len(b) > 1 {
				b = append(b, ',')
			}
			b = appendJSON(b, name)
			b = append(b, ':')
			b = appendJSON(b, failed)
		}
		return true
	})
	return string(append(b, '}'))
}

// value writes v.
func (w *walk) value(v gjson.Result, l leaf, depth int) {
	switch {
	case v.Type == gjson.String:
		w.string(v, l)
	case v.IsObject() || v.IsArray():
		if depth == maxDepth {
			w.out = append(w.out, tooDeep...)
		} else if v.IsObject() {
			w.object(v, l, depth)
		} else {
			w.array(v, l, depth)
		}
	case v.Type == gjson.Number && l.key.score == strong && l.key.password && len(v.Raw) >= 3 && !w.m.allowed(v.Raw):
		w.out = w.tag(w.out, v.Raw, l.key.kind)
	default:
		w.out = append(w.out, v.Raw...)
	}
}

// tag writes a string that is nothing but a tag.
func (w *walk) tag(out []byte, secret, kind string) []byte {
	out = append(out, '"')
	out = w.m.tagFor(out, secret, kind)
	return append(out, '"')
}

func (w *walk) object(v gjson.Result, l leaf, depth int) {
	raw := v.Raw
	at := 0
	peeked, near := false, leaf{}
	v.ForEach(func(k, e gjson.Result) bool {
		at = w.between(raw, at)
		w.keyName(k)
		at = w.between(raw, at+len(k.Raw))
		in := leaf{name: k.String()}
		in.key = w.m.scan.key(in.name)
		in.command = w.shell && isCommandKey(in.name)
		in.secret = l.secret
		if in.key.score == none && in.key.kind == "" && (inFold(valueNames[:], in.name) || inFold(dataNames[:], in.name)) {
			if !peeked {
				peeked, near = true, w.peek(v)
			}
			switch {
			case inFold(dataNames[:], in.name) && near.secret:
				in.secret = true
			case near.key.score != none:
				in.key = near.key
			case near.file.score == strong:
				in.file = near.file
			case l.key.score != none:
				in.key = l.key
			}
		}
		if e.Type == gjson.String && jwkMember(in.name) && len(e.Str) >= minJWK {
			if !peeked {
				peeked, near = true, w.peek(v)
			}
			if near.jwk {
				in.key = keyName{score: strong, password: true, kind: "private-key"}
			}
		}
		if in.secret && e.Type == gjson.String && depth > 0 {
			in.key = keyName{score: strong, password: true, kind: "secret"}
		}
		w.value(e, in, depth+1)
		at += len(e.Raw)
		return true
	})
	w.out = append(w.out, raw[at:]...)
}

// between copies what stands between the parts of a document as it is, and gives the place of the next part.
func (w *walk) between(raw string, at int) int {
	from := at
	for at < len(raw) && strings.IndexByte(" \t\r\n,:{[", raw[at]) >= 0 {
		at++
		if at-1 > from && (raw[at-1] == '{' || raw[at-1] == '[') {
			at-- // the next part begins with it
			break
		}
	}
	w.out = append(w.out, raw[from:at]...)
	return at
}

// dataNames hold the data of a Kubernetes Secret. Sorted.
var dataNames = [...]string{"data", "stringdata"}

// textNames hold texts, not the names or places of things. Sorted.
var textNames = [...]string{"chars", "content", "file_text", "message", "new_str", "new_string", "text", "value"}

func isCommandKey(k string) bool {
	switch k {
	case "command", "cmd", "script", "chars", "input":
		return true
	}
	return false
}

// peek looks through an object for the name that a value beside it belongs to.
func (w *walk) peek(v gjson.Result) (l leaf) {
	left := maxPeek
	v.ForEach(func(k, e gjson.Result) bool {
		if left -= len(k.Raw) + min(len(e.Raw), maxPeek); left < 0 {
			return false
		}
		if e.Type != gjson.String {
			return true
		}
		switch name := k.String(); {
		case name == "kind" && e.String() == "Secret":
			l.secret = true
		case name == "kty":
			l.jwk = true
		case name == "file_path":
			l.file = fileKey(e.String())
		case inFold(nameNames[:], name):
			if key := w.m.scan.key(fieldName(e.String())); key.score > l.key.score {
				l.key = key
			}
		}
		return true
	})
	return l
}

// fieldName drops what people put behind the name of a form's field: Password field.
func fieldName(s string) string {
	if k := strings.LastIndexByte(s, ' '); k > 0 {
		switch s[k+1:] {
		case "field", "input", "box", "textbox", "Field", "Input":
			return s[:k]
		}
	}
	return s
}

// keyName writes a key; one that is a secret itself is masked too.
func (w *walk) keyName(k gjson.Result) {
	if len(k.Raw) < 14 {
		w.out = append(w.out, k.Raw...)
		return
	}
	w.string(k, leaf{})
}

// string writes a string.
func (w *walk) string(v gjson.Result, l leaf) {
	s := v.Str
	if l.key.score != none {
		if masked, ok := w.named(s, l); ok {
			w.out = append(w.out, masked...)
			return
		}
	}
	var alone []span
	if inFold(textNames[:], l.name) {
		alone = lone(s)
	}
	if line := strings.TrimRight(s, "\r\n"); l.file.score == strong && tellsSecret(line) && literal(line, l.file, slot) {
		alone = []span{{0, len(line), l.file.kind, byName}}
	}
	if masked, changed := w.m.leaf(s, l.command, alone); changed {
		w.out = appendJSON(w.out, masked)
	} else {
		w.out = append(w.out, v.Raw...)
	}
}

// named masks a string whose key means a secret.
func (w *walk) named(s string, l leaf) (masked []byte, ok bool) {
	if s == "" || len(s) > maxScan || tagAt(s, 0) == len(s) {
		return nil, false
	}
	sc := &w.m.scan
	sc.reset(s, false)
	if holdsTag(s) {
		if l.key.score == strong && tagAt(s, 0) > 0 && strings.IndexByte(s, ' ') < 0 {
			sc.add(0, len(s), l.key.kind, byName) // all but the tags
			return w.spans(s)
		}
		return nil, false
	}
	v := value{a: 0, b: len(s), quoted: true, end: len(s)}
	switch {
	case l.key.kind == "auth" || l.key.kind == "bearer":
		if sc.scheme(v) {
			return w.spans(s)
		}
	case l.key.kind == "cookie":
		sc.cookies(0, len(s))
		return w.spans(s)
	}
	if sc.urlIn(v) {
		return nil, false
	}
	at := quoted
	if l.key.password && !isWord(s) {
		at = slot
	}
	if w.m.allowed(s) || !literal(s, l.key, at) || strings.Count(s, " ") > 3 && !l.key.password {
		return nil, false
	}
	kind := l.key.kind
	if end, k := sc.prefixAt(0); k != "" && end == len(s) {
		kind = k
	}
	return w.tag(nil, s, kind), true
}

func (w *walk) spans(s string) ([]byte, bool) {
	extra := append([]span(nil), w.m.scan.spans...)
	masked, changed := w.m.leaf(s, false, extra)
	if !changed {
		return nil, false
	}
	return appendJSON(nil, masked), true
}

// array writes an array. Strings that stand together are looked at together: the words of a command line, the lines of
// a key, the two halves of a header.
func (w *walk) array(v gjson.Result, l leaf, depth int) {
	raw := v.Raw
	extra := w.together(v, l)
	at, n := 0, 0
	v.ForEach(func(_, e gjson.Result) bool {
		at = w.between(raw, at)
		var spans []span
		for len(extra) > 0 && extra[0].element == n {
			spans = append(spans, extra[0].span)
			extra = extra[1:]
		}
		in := leaf{name: l.name, key: l.key, command: l.command, secret: l.secret}
		if len(spans) > 0 {
			if masked, changed := w.m.leaf(e.Str, l.command, spans); changed {
				w.out = appendJSON(w.out, masked)
			} else {
				w.out = append(w.out, e.Raw...)
			}
		} else {
			w.value(e, in, depth+1)
		}
		at += len(e.Raw)
		n++
		return true
	})
	w.out = append(w.out, raw[at:]...)
}

// elementSpan is a secret in one element of an array.
type elementSpan struct {
	element int
	span
}

// together looks at the strings of an array as one command line and as lines of one text.
func (w *walk) together(v gjson.Result, l leaf) (found []elementSpan) {
	if len(v.Raw) > maxScan || strings.IndexByte(v.Raw, ',') < 0 {
		return nil
	}
	var joined []byte
	var ws []word
	var index []int
	n := 0
	v.ForEach(func(_, e gjson.Result) bool {
		if e.Type == gjson.String && len(ws) < maxWords {
			ws = append(ws, word{len(joined), len(joined) + len(e.Str), true})
			index = append(index, n)
			joined = append(joined, e.Str...)
			joined = append(joined, '\n')
		}
		n++
		return true
	})
	if len(ws) < 2 {
		return nil
	}
	sc := &w.m.scan
	text := string(joined)
	sc.reset(text, true)
	first := text[ws[0].a:ws[0].b]
	w.pairs(sc, ws, l)
	if class := lookCommand(first[strings.LastIndexByte(first, '/')+1:]); class != 0 {
		for i := range ws {
			ws[i].quoted = ws[i].b > ws[i].a && text[ws[i].a] != '-'
		}
		sc.arguments(class, ws[1:], true)
	}
	for i := range ws {
		switch t := text[ws[i].a:ws[i].b]; {
		case strings.Contains(t, "-----BEGIN "):
			sc.pem(ws[i].a + strings.Index(t, "-----BEGIN "))
		case len(t) > 2 && t[0] == '-' && i+1 < len(ws) && strings.IndexByte(t, '=') < 0 && strings.IndexByte(t, ' ') < 0:
			if key := sc.key(strings.TrimLeft(t, "-")); key.score == strong {
				sc.hide(ws[i+1].a, ws[i+1].b, key.kind)
			}
		}
	}
	if len(sc.spans) == 0 {
		return nil
	}
	spans := append([]span(nil), sc.sorted()...)
	for _, sp := range spans {
		for i, e := range ws {
			if a, b := max(sp.a, e.a), min(sp.b, e.b); a < b {
				found = append(found, elementSpan{index[i], span{a - e.a, b - e.a, sp.kind, sp.rank}})
			}
		}
	}
	return found
}

const maxWords = 512 // strings of an array that are looked at together

// pairs: ["Authorization", "Bearer x"], and ["user", "password"] under a name like basic_auth.
func (w *walk) pairs(sc *scan, ws []word, l leaf) {
	if len(ws) != 2 {
		return
	}
	first, second := ws[0], ws[1]
	key := sc.key(sc.s[first.a:first.b])
	if key.score == none && l.key.kind == "auth" {
		sc.hide(second.a, second.b, "password")
		return
	}
	v := value{a: second.a, b: second.b, quoted: true, end: second.b}
	switch {
	case key.kind == "auth" && sc.scheme(v):
	case key.kind == "cookie":
		sc.cookies(v.a, v.b)
	case key.score == strong && v.a < v.b && count(sc.s[v.a:v.b]).digits > 0:
		sc.take(v, key, quoted)
	}
}

// appendJSON writes s as a JSON string.
func appendJSON[T string | []byte](out []byte, s T) []byte {
	const hex = "0123456789abcdef"
	out = append(slices.Grow(out, len(s)+2), '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			j := i + 1
			for j < len(s) && s[j] >= ' ' && s[j] < utf8.RuneSelf && s[j] != '"' && s[j] != '\\' {
				j++
			}
			out = append(out, s[i:j]...)
			i = j
			continue
		}
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, '\\', 'n')
		case c == '\t':
			out = append(out, '\\', 't')
		case c == '\r':
			out = append(out, '\\', 'r')
		case c < ' ':
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
			if r == utf8.RuneError && n == 1 {
				out = append(out, "\ufffd"...)
			} else {
				out = append(out, s[i:i+n]...)
			}
			i += n
			continue
		}
		i++
	}
	return append(out, '"')
}
