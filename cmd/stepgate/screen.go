package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// screen is where a person reads: with colour on a terminal that wants it, plain otherwise.
type screen struct {
	io.Writer
	colour bool
}

// newScreen looks at what w is. NO_COLOR (no-color.org) and TERM=dumb switch colour off.
func newScreen(w io.Writer) screen {
	f, ok := w.(*os.File)
	return screen{w, ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// paint puts a text into a colour or a weight, by the number of the terminal's attribute.
func (s screen) paint(attribute int, text string) string {
	if !s.colour {
		return text
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", attribute, text)
}

func (s screen) bold(text string) string { return s.paint(1, text) }
func (s screen) dim(text string) string  { return s.paint(2, text) }

// verdict colours a decision's word.
func (s screen) verdict(word string) string {
	switch strings.TrimSpace(word) {
	case "deny":
		return s.paint(31, word)
	case "ask":
		return s.paint(33, word)
	case "allow":
		return s.paint(32, word)
	}
	return word
}

// bar is a share, 0 to 1, as a bar of at most width characters; what is not nothing shows.
func bar(share float64, width int) string {
	n := int(share*float64(width) + .5)
	if n == 0 && share > 0 {
		return "·"
	}
	return strings.Repeat("■", min(n, width))
}

// barred prints a row of a table with a bar at its end, where there is anything to draw.
func (s screen) barred(row string, share float64, width int) {
	if b := bar(share, width); b != "" {
		row += "  " + s.dim(b)
	}
	fmt.Fprintln(s, row)
}

// progress shows how much of a whole is done, on a terminal, once more than a second has gone by.
type progress struct {
	w     io.Writer
	on    bool
	total int64
	began time.Time
	next  time.Time
	now   func() time.Time
	shown bool
}

func newProgress(w io.Writer, total int64, now func() time.Time) *progress {
	f, ok := w.(*os.File)
	start := now()
	return &progress{w: w, on: ok && term.IsTerminal(int(f.Fd())), total: total, began: start, next: start.Add(time.Second), now: now}
}

func (p *progress) set(done int64) {
	t := p.now()
	if !p.on || t.Before(p.next) || p.total == 0 {
		return
	}
	p.next, p.shown = t.Add(100*time.Millisecond), true
	share := float64(done) / float64(p.total)
	fmt.Fprintf(p.w, "\r%-40s %3.0f %%", bar(share, 40), 100*share)
}

// done takes the bar away.
func (p *progress) done() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
