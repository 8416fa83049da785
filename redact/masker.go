package redact

import "strconv"

// Options is what a Masker is made from.
type Options struct {
	// Key gives the session's secret key for tags; it is asked for only when a secret is found. Without it tags carry no
	// number and secrets cannot be told apart.
	Key func() []byte
	// Tags are the tags given out earlier in this session.
	Tags []Tag
	// Rules are a person's own.
	Rules Rules
	// Entropy hides long random-looking runs that no rule names.
	Entropy bool
}

// Tag stands for one secret of a session, as in [redacted:github-pat#1]. The value is not kept: MAC is an HMAC-SHA256
// of it under the session's key, cut to 8 bytes, in hex.
type Tag struct {
	Kind string `json:"kind"`
	N    int    `json:"n"`
	MAC  string `json:"mac"`
}

// Masker hides secrets. It is not safe for concurrent use.
type Masker struct {
	opt    Options
	tags   []Tag
	macKey []byte
	seen   []string // secrets of this process alone
	asked  bool
	scan   scan
	room   [8]span
	work   *work // from the first secret on
}

// work is room to hide secrets in, one piece of memory: a fresh process pays two pages for the first piece of each size.
type work struct {
	text [1024]byte
	mac  [512]byte
	seen [8]string
	tags [8]Tag
}

func (m *Masker) working() *work {
	if m.work == nil {
		m.work = new(work)
		m.seen = m.work.seen[:0]
	}
	return m.work
}

// New makes a Masker.
func New(opt Options) *Masker {
	m := &Masker{opt: opt, tags: opt.Tags, scan: scan{entropy: opt.Entropy}}
	m.scan.spans = m.room[:0]
	if len(opt.Rules.Keys)+len(opt.Rules.Prefixes) > 0 {
		m.scan.rules = &m.opt.Rules
	}
	return m
}

// Tags are all tags given out so far, those of Options first.
func (m *Masker) Tags() []Tag { return m.tags }

// failed stands for a text that could not be looked at: a bug here must not let it pass.
const failed = "[redacted: the masker failed]"

// String masks loose text: a prompt, a reason, an error.
func (m *Masker) String(s string) (t Text) {
	defer func() {
		if recover() != nil {
			t = Text{failed}
		}
	}()
	return Text{m.text(s)}
}

// Input masks the input of a tool, a JSON object, leaf by leaf; the tool tells which leaf is a command line.
func (m *Masker) Input(tool, doc string) Doc { return m.document(doc, isShell(tool)) }

// JSON masks any other JSON document, leaf by leaf.
func (m *Masker) JSON(doc string) Doc { return m.document(doc, false) }

// Hit is a secret that was found, for explaining what the masker does; it does not hold the value.
type Hit struct {
	Kind       string
	Start, End int // bytes of the text
}

// Find tells where secrets stand in loose text.
func (m *Masker) Find(s string) (hits []Hit) {
	defer func() {
		if recover() != nil {
			hits = []Hit{{"unscanned", 0, len(s)}}
		}
	}()
	m.scan.reset(s[:min(len(s), maxScan)], false)
	m.scan.spans = append(m.scan.spans, lone(s)...)
	m.scan.run()
	for _, sp := range m.scan.sorted() {
		if m.allowed(s[sp.a:sp.b]) {
			continue
		}
		hits = append(hits, Hit{sp.kind, sp.a, sp.b})
	}
	return hits
}

// text masks one text.
//
// A tag may stand where what it replaced kept two rules apart, so the result is looked at again until nothing is found.
func (m *Masker) text(s string) string {
	s, mark := capScan(s)
	for range maxRounds {
		masked, changed := m.once(s, false, lone(s))
		if !changed {
			break
		}
		s = string(masked)
	}
	return s + mark
}

// leaf masks a string of a document, which is looked at again as a whole. The spans of extra were found by looking at
// more than the string. What it gives is good until the next text is masked.
func (m *Masker) leaf(s string, command bool, extra []span) (masked []byte, changed bool) {
	s, mark := capScan(s)
	masked, changed = m.once(s, command, extra)
	if mark != "" {
		if !changed {
			masked = append(masked, s...)
		}
		return append(masked, mark...), true
	}
	return masked, changed
}

// capScan cuts off what is past the cap and gives what stands for it.
func capScan(s string) (head, mark string) {
	if len(s) <= maxScan {
		return s, ""
	}
	cut := runeBorder(s, maxScan-64)
	return s[:cut], unscanned(len(s) - cut)
}

const maxRounds = 4

// once looks at a text once. What it gives is good until the next text is looked at; nil where nothing was found.
func (m *Masker) once(s string, command bool, extra []span) (masked []byte, changed bool) {
	sc := &m.scan
	sc.reset(s, command)
	sc.spans = append(sc.spans, extra...)
	sc.run()
	m.again(sc)
	spans := sc.sorted()
	if len(spans) == 0 {
		return nil, false
	}
	out := m.working().text[:0]
	if n := len(s) + 32*len(spans) + 32; n > cap(out) {
		out = make([]byte, 0, n)
	}
	at := 0
	for _, sp := range spans {
		if m.allowed(s[sp.a:sp.b]) {
			continue
		}
		changed = true
		out = append(out, s[at:sp.a]...)
		out = m.tagFor(out, s[sp.a:sp.b], sp.kind)
		at = sp.b
	}
	out = append(out, s[at:]...)
	return out, changed
}

// unscanned stands for the end of a text that is too long to look at.
func unscanned(n int) string {
	if n < 1<<20 {
		return "[unscanned " + strconv.Itoa((n+1023)>>10) + " KB]"
	}
	return "[unscanned " + strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) + " MB]"
}

// runeBorder is the last border between runes at or before n.
func runeBorder(s string, n int) int {
	for k := n; k > 0 && k > n-4; k-- {
		if s[k]&0xC0 != 0x80 {
			return k
		}
	}
	return n
}

// isShell says that a tool's command, cmd or script is a command line.
func isShell(tool string) bool {
	switch tool {
	case "Bash", "PowerShell", "BashOutput", "shell", "local_shell", "exec_command", "unified_exec", "write_stdin", "container.exec":
		return true
	}
	return false
}
