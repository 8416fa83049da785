package shell

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds besides those of shell.go. They keep the work linear in the line whatever it says.
const (
	maxSteps  = 20_000    // statements walked, called functions and unrolled loops counted each time
	maxGrowth = 1 << 20   // bytes that variables, braces and decoded text may add to the line
	maxWords  = 20_000    // words one command may have
	maxUnroll = 16        // items of a for loop that are followed one by one
	maxFrames = 1200      // stack frames of the parser, which is recursive
	maxRetry  = 8         // statements skipped after a syntax error
	maxParsed = 384 << 10 // bytes given to the parser, nested shells counted at each level
	maxActive = 48 << 10  // bytes of those that may make the parser build something: quotes, $, separators
	maxGlobs  = 8         // patterns in the place of a program's name that are looked up
)

// Read reads a line of bash; what bash cannot parse is tried as zsh. The line is data: Read runs nothing of it and looks
// at the disk only where a pattern stands in the place of a program's name.
func Read(line string, o Options) Script {
	r := &reader{o: o, growth: maxGrowth}
	e := &env{at: folder{dir: ""}}
	if o.Script != "" {
		e.runs(literal(o.Script), o.Args)
	}
	r.guard(func() { r.line(line, e, place{}) })
	return Script{Commands: r.out, Unsure: r.unsure, Broken: r.broken}
}

// reader holds the work on one line.
type reader struct {
	o       Options
	bash    *syntax.Parser
	out     []Command
	unsure  []string
	broken  bool
	via     []string
	src     string // the text the statements being walked were parsed from
	depth   int
	steps   int
	full    bool // a bound was reached: nothing more is read
	growth  int
	parsed  int
	active  int
	globs   int
	groups  int
	chains  int
	quiet   int // above 0: expand only, emit nothing
	remote  bool
	mark    string           // stands for words that a wrapper fills in
	over    []Word           // what they are taken from
	fed     []int            // the commands whose output they are, where no pipe tells
	calling []string         // functions being called
	files   map[string]value // files that the line has written
	coprocs []string         // shells that run beside the line
	fds     map[int]open     // descriptors above 2 that the line has opened
	uses    []int            // commands whose output the variables just expanded hold
}

// doubt notes once what could not be read.
//
//go:noinline
func (r *reader) doubt(why string) {
	for _, u := range r.unsure {
		if u == why {
			return
		}
	}
	r.unsure = append(r.unsure, why)
}

// failed is what is said when the reader itself is wrong.
const failed = "the reader failed on this line"

// guard turns a panic of the parser or of the reader into doubt: the gate must answer whatever the line says.
func (r *reader) guard(f func()) {
	defer func() {
		if p := recover(); p != nil {
			r.doubt(failed)
		}
	}()
	f()
}

// enter bounds nesting of every kind: shells, substitutions, wrappers, blocks.
func (r *reader) enter() bool {
	if r.depth >= MaxDepth {
		r.doubt(fmt.Sprintf("nested deeper than %d", MaxDepth))
		return false
	}
	r.depth++
	return true
}

func (r *reader) leave() { r.depth-- }

// step bounds the work.
func (r *reader) step() bool {
	switch r.steps++; {
	case r.full:
	case r.steps > maxSteps:
		r.full = true
		r.doubt(fmt.Sprintf("more than %d steps", maxSteps))
	case len(r.out) >= MaxCmds:
		r.full = true
		r.doubt(fmt.Sprintf("more than %d commands", MaxCmds))
	}
	return !r.full
}

// grow takes n bytes from what expansion may add.
func (r *reader) grow(n int) bool {
	if r.growth -= n; r.growth < 0 {
		r.doubt("its variables expand to too much text")
		return false
	}
	return true
}

// line reads a whole script text in an environment, as the shell named last in via would.
func (r *reader) line(text string, e *env, at place) {
	if !r.enter() {
		return
	}
	defer r.leave()
	if len(text) > MaxLine {
		r.doubt(fmt.Sprintf("longer than %d KiB: the rest was not read", MaxLine>>10))
		text = text[:MaxLine]
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		r.doubt("a NUL byte stands in it")
		text = strings.ReplaceAll(text, "\x00", "")
	}
	if n := len(r.via); n > 0 && (r.via[n-1] == "fish" || strings.HasPrefix(r.via[n-1], "fish ")) {
		text = fishText(text)
	}
	outer := r.src
	defer func() { r.src = outer }()
	for range maxRetry {
		if r.parsed += len(text); r.parsed > maxParsed {
			r.doubt("its nested shells hold too much text")
			return
		}
		f, err := r.parse(&text)
		r.src = text
		if err == nil {
			r.stmts(f.Stmts, e, at)
			return
		}
		r.broken = true
		r.doubt("syntax error" + where(err))
		// Bash runs the lines before an error and other shells may read on: so do we, at the next line.
		good, bad, rest := cutAt(text, f, err)
		r.stmts(good, e, at)
		r.loose(bad, e, at)
		if text = rest; text == "" {
			return
		}
	}
}

// maxMended bounds a text that is parsed again, as zsh or mended.
const maxMended = 64 << 10

// parser gives the one parser for bash, which is made once a line.
func (r *reader) parser() *syntax.Parser {
	if r.bash == nil {
		r.bash = syntax.NewParser(syntax.Variant(syntax.LangBash))
	}
	return r.bash
}

// parse gives the statements of a text; with an error, those before it. It may mend the text.
func (r *reader) parse(text *string) (*syntax.File, error) {
	f, err := r.parser().Parse(r.source(*text), "")
	if err == nil || errors.Is(err, errDeep) || errors.Is(err, errBusy) || len(*text) > maxMended {
		return f, err
	}
	if z, zerr := syntax.NewParser(syntax.Variant(syntax.LangZsh)).Parse(r.source(*text), ""); zerr == nil {
		return z, nil
	}
	mended, why := *text, err
	for range maxRepairs {
		var ok bool
		if mended, ok = repair(mended, why); !ok {
			break
		}
		var g *syntax.File
		if g, why = r.bash.Parse(r.source(mended), ""); why == nil {
			*text = mended
			return g, nil
		}
	}
	return f, err
}

// cutAt splits a text that does not parse: the statements before the error, the text up to the end of the error's line,
// and the lines after it.
func cutAt(text string, f *syntax.File, err error) (good []*syntax.Stmt, bad, rest string) {
	p, ok := position(err)
	if !ok { // the text was ended: the last statement may be half of one
		return f.Stmts[:max(0, len(f.Stmts)-1)], "", ""
	}
	at, start := min(int(p.Offset()), len(text)), 0
	for _, s := range f.Stmts {
		end := int(s.End().Offset())
		if s.Cmd == nil || end >= at || end <= start {
			break
		}
		good, start = append(good, s), end
	}
	bad = text[start:]
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		bad, rest = text[start:at+i], text[at+i+1:]
	}
	return good, bad, rest
}

// What ends a text before its end. Each is a stated verdict: the text is unsure from there on.
var (
	errDeep = errors.New("nested too deeply")
	errBusy = errors.New("too many quotes, variables and separators")
)

// source feeds the parser and ends the input where the parser's recursion runs deep: a stack overflow cannot be
// recovered from, and no count of brackets done beforehand knows which of them the parser will take as such. Between two
// looks at the stack the parser gets at most chunk bytes. It ends the input too where that would make the parser build
// more than is ever walked.
type source struct {
	rest   string
	begun  bool // one look at the stack walks tables that are not in memory yet: the first chunk is too short to run deep
	active *int
}

const chunk = 512

func (r *reader) source(text string) *source { return &source{rest: text, active: &r.active} }

func (s *source) Read(p []byte) (int, error) {
	if s.rest == "" {
		return 0, io.EOF
	}
	var pc [1]uintptr
	if s.begun && runtime.Callers(maxFrames, pc[:]) > 0 {
		return 0, errDeep
	}
	n := copy(p, s.rest[:min(len(s.rest), chunk)])
	for _, c := range []byte(s.rest[:n]) {
		switch c {
		case '"', '\'', '`', '$', '|', '&', ';', '(', '<', '>', '{', '[':
			*s.active++
		}
	}
	if *s.active > maxActive {
		return 0, errBusy
	}
	s.begun, s.rest = true, s.rest[n:]
	return n, nil
}

// where says where a parse error stands, without a word of the text.
func where(err error) string {
	if p, ok := position(err); ok {
		return fmt.Sprintf(" at line %d, column %d", p.Line(), p.Col())
	}
	if errors.Is(err, errBusy) {
		return ": " + errBusy.Error()
	}
	return ": " + errDeep.Error()
}

func position(err error) (syntax.Pos, bool) {
	var pe syntax.ParseError
	if errors.As(err, &pe) {
		return pe.Pos, true
	}
	var le syntax.LangError
	if errors.As(err, &le) {
		return le.Pos, true
	}
	return syntax.Pos{}, false
}

// under adds a name to Via and gives what to set it back to.
func (r *reader) under(name string) []string {
	was := r.via
	r.via = append(was[:len(was):len(was)], name)
	return was
}

// in reads something with a further name in Via; the others of its kind do so for what is common.
func (r *reader) in(name string, f func()) {
	was := r.under(name)
	f()
	r.via = was
}

func (r *reader) lineIn(name, text string, e *env, at place) {
	was := r.under(name)
	r.line(text, e, at)
	r.via = was
}

func (r *reader) textIn(name string, w Word, e *env, at place) {
	was := r.under(name)
	r.text1(w, e, at)
	r.via = was
}

func (r *reader) runIn(name string, k *call, e *env, at place) {
	was := r.under(name)
	r.run(k, e, at)
	r.via = was
}

// emit adds a command to the script and gives its index, -1 where nothing is emitted.
func (r *reader) emit(c *Command, e *env, at place) int {
	if r.quiet > 0 || !r.step() {
		return -1
	}
	out := *c
	out.Via = r.via
	out.Dir, out.DirUnsure = e.at.dir, e.at.unsure
	if !at.piped {
		r.groups++
		at.group, at.stage = r.groups, 0
	}
	out.Group, out.Stage, out.Chain = at.group, at.stage, at.chain
	out.Missing = at.missing
	out.Background = out.Background || at.background
	out.Remote = out.Remote || r.remote
	r.markFilled(&out)
	r.out = append(r.out, out)
	return len(r.out) - 1
}

// markFilled says of a command in which a wrapper fills in words that these are not known.
func (r *reader) markFilled(c *Command) {
	if r.mark == "" {
		return
	}
	if c.Over == nil {
		c.Over = r.over
	}
	if strings.Contains(c.Name, r.mark) && c.Unsure == "" {
		c.Unsure, c.Inputs = "the program's name is filled in when the line runs", r.fed
	}
	for i, w := range c.Args {
		if w.Known && strings.Contains(w.Text, r.mark) {
			c.Args = clone(c.Args) // the words may belong to the wrapper's own command
			for j := range c.Args[i:] {
				a := &c.Args[i+j]
				a.Known = a.Known && !strings.Contains(a.Text, r.mark)
			}
			break
		}
	}
}
