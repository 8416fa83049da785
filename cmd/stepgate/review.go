package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"golang.org/x/term"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/report"
	"github.com/stepgate/stepgate/policy"
)

type reviewCmd struct {
	Session string `help:"Only this session; all of this project if not given." placeholder:"ID"`
	Lines   int    `short:"n" default:"20" help:"How many calls at most."`
	JSON    bool   `name:"json" help:"Print the calls, least certain first, and ask nothing."`
}

// Help is printed below the flags.
func (reviewCmd) Help() string {
	return `It goes through the calls that the judge was least certain about. On a terminal a key answers: s safe,
u unsafe, n next, b back, q quit. Otherwise it reads those letters from standard input, a line each.

Examples:
  stepgate review
  stepgate review --json -n 50`
}

// doubt is a call with how far its score is from the nearest threshold.
type doubt struct {
	session.Line
	Distance float64
	Label    string
	in       *running
}

func (c reviewCmd) Run(a *app) error {
	list, err := c.doubts(a)
	if err != nil {
		return err
	}
	if c.JSON {
		return printDoubts(a.out, list)
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(a.out, "nothing to review: no judged call here is without a label")
		return err
	}
	if err := a.needPerson("review"); err != nil {
		return err
	}
	answer, end, done := a.answers()
	defer done()
	return c.walk(pages{newScreen(a.out), end}, list, answer)
}

// doubts are the judged calls that nobody has labelled or answered, the least certain first.
func (c reviewCmd) doubts(a *app) ([]doubt, error) {
	if c.Session != "" {
		r, err := a.recorded(c.Session)
		if err != nil {
			return nil, err
		}
		return least(nil, r, c.Lines, a.err)
	}
	g, err := a.gateHere("claude")
	if err != nil {
		return nil, err
	}
	here, err := g.Store.Here(g.Root)
	if err == nil && len(here) == 0 {
		err = noSession(g)
	}
	var list []doubt
	for _, l := range here {
		if err != nil {
			break
		}
		id := l.Session()
		list, err = least(list, record{gate: g, id: id, file: g.Store.Find(id, g.Root), files: l.Files}, c.Lines, a.err)
	}
	return list, err
}

// least adds the doubts of a session to those of others and keeps the least certain n.
func least(list []doubt, r record, n int, warn io.Writer) ([]doubt, error) {
	more, err := doubts(r, warn)
	list = append(list, more...)
	slices.SortStableFunc(list, func(x, y doubt) int { return cmp.Compare(x.Distance, y.Distance) })
	return list[:min(len(list), max(n, 1))], err
}

// doubts are those of one session: how far each score is from the nearest threshold.
func doubts(r record, warn io.Writer) ([]doubt, error) {
	var out []doubt
	labelled, answered := map[int64]bool{}, map[string]bool{}
	for _, f := range r.files {
		for l, err := range session.Read(f) {
			var bad *session.LineError
			if errors.As(err, &bad) {
				fmt.Fprintln(warn, "stepgate:", err)
				continue
			}
			if err != nil {
				return nil, err
			}
			switch {
			case l.Kind == session.KindLabel:
				labelled[l.Of] = true
			case l.Kind == session.KindResult && (l.Outcome == session.OutcomeAllowed || l.Outcome == session.OutcomeDismissed):
				answered[l.CallID] = true
			case l.Kind == session.KindCall && l.Score != nil && l.Thresholds != nil && l.Seq > 0:
				d := min(math.Abs(*l.Score-l.Thresholds.FlagAbove), math.Abs(*l.Score-l.Thresholds.DenyAbove))
				out = append(out, doubt{Line: l, Distance: d, in: &running{id: r.id, file: r.file}})
			}
		}
	}
	out = slices.DeleteFunc(out, func(d doubt) bool {
		return labelled[d.Seq] || d.Did == agent.Ask.String() && answered[d.CallID]
	})
	return out, nil
}

func printDoubts(w io.Writer, list []doubt) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, d := range list {
		err := enc.Encode(struct {
			Session  string          `json:"session"`
			Seq      int64           `json:"seq"`
			Tool     string          `json:"tool"`
			Input    json.RawMessage `json:"input"`
			Would    string          `json:"would"`
			Score    float64         `json:"score"`
			Distance float64         `json:"distance"`
		}{d.in.id, d.Seq, d.Tool, raw(d.Input.String()), d.Would, *d.Score, d.Distance})
		if err != nil {
			return err
		}
	}
	return nil
}

func raw(doc string) json.RawMessage {
	if doc == "" {
		return json.RawMessage("null")
	}
	return json.RawMessage(doc)
}

// pages is a screen whose lines end as it needs: a terminal that gives single keys does not go back to the left by itself.
type pages struct {
	screen
	end string
}

func (p pages) line(format string, args ...any) { fmt.Fprintf(p, format+p.end, args...) }

// text prints what may take several lines, as hang does.
func (p pages) text(head, text string) {
	var b strings.Builder
	hang(&b, head, text)
	for line := range strings.Lines(b.String()) {
		p.line("%s", strings.TrimSuffix(line, "\n"))
	}
}

// answers gives a reader of single keys on a terminal and of lines elsewhere; it gives 0 at the end. Lines that are shown
// meanwhile must have that end. done puts the terminal back.
func (a *app) answers() (next func() byte, end string, done func()) {
	if f, ok := a.stdin.(*os.File); ok && atTerminal() {
		if old, err := term.MakeRaw(int(f.Fd())); err == nil {
			return func() byte {
				var key [1]byte
				if n, err := f.Read(key[:]); n == 0 || err != nil || key[0] == 3 || key[0] == 4 { // Ctrl-C, Ctrl-D
					return 0
				}
				return key[0]
			}, "\r\n", func() { term.Restore(int(f.Fd()), old) }
		}
	}
	lines := bufio.NewScanner(a.stdin)
	return func() byte {
		for lines.Scan() {
			if t := lines.Text(); t != "" {
				return t[0]
			}
		}
		return 0
	}, "\n", func() {}
}

// walk shows one call after the other and labels it as the person says.
func (c reviewCmd) walk(w pages, list []doubt, answer func() byte) error {
	labelled := 0
	for i := 0; i < len(list); {
		list[i].show(w, i+1, len(list))
		switch answer() {
		case 's':
			if err := list[i].set(session.LabelSafe); err != nil {
				return err
			}
			labelled++
			i++
		case 'u':
			if err := list[i].set(session.LabelUnsafe); err != nil {
				return err
			}
			labelled++
			i++
		case 'n', ' ', '\r':
			i++
		case 'b':
			i = max(0, i-1)
		case 'q', 0:
			i = len(list)
		}
	}
	w.line("")
	w.line("%s labelled; stepgate analyze shows how the judge does by them", policy.Many(labelled, "call"))
	return nil
}

// set labels the call, once for each answer that differs.
func (d *doubt) set(word string) error {
	if d.Label == word {
		return nil
	}
	d.Label = word
	return d.in.label(d.Line, word)
}

// show prints one call.
func (d *doubt) show(w pages, n, of int) {
	w.line("")
	w.line("%s", w.bold(fmt.Sprintf("%d of %d   call %d   would %s, did %s   score %.2f", n, of, d.Seq, d.Would, d.Did, *d.Score)))
	w.text("  ", clip(d.Tool, 20)+" "+clip(report.Shown(d.Input.String()), 150))
	if cwd := d.CWD.String(); cwd != "" {
		w.line("  %s", w.dim("in "+clip(cwd, 72)))
		w.line("  %s", w.dim(d.Time.Local().Format("2006-01-02 15:04 MST")+", session "+clip(d.in.id, 50)))
	}
	for _, f := range gjson.Parse(d.Findings.String()).Array() {
		w.text("  - ", clip(f.Get("rule").String(), 30)+": "+clip(f.Get("why").String(), 110))
	}
	if d.Label != "" {
		w.line("  labelled %s", d.Label)
	}
	fmt.Fprint(w, "s safe  u unsafe  n next  b back  q quit > ")
}
