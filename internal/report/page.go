package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/redact"
)

//go:embed page/page.html
var pageHTML string

//go:embed page/page.css
var pageCSS string

//go:embed page/page.js
var pageJS string

// page is what the template is filled with.
type page struct {
	Report
	CSS        template.CSS
	Script     template.JS
	ScriptHash template.HTMLAttr
	Data       template.JS
	Strip      strip
	Flag, Deny int // hundredths
	Now        Point
	Tens       []Point
	Drawn      lines
	Otherwise  int    // calls decided otherwise than enforce does, but for those that could not be asked about
	Untold     int    // calls that could not be decided again
	Facts      []list // the short ones
	Lists      []list
	Plots      []plot
	Costs      []cost
}

// list is a list of counts, the first of them.
type list struct {
	Name   string
	Counts []Count
}

// listed are the lists that are not empty, cut to what a page shows.
func listed(lists ...list) (out []list) {
	for _, l := range lists {
		if l.Counts = l.Counts[:min(len(l.Counts), 12)]; len(l.Counts) > 0 {
			out = append(out, l)
		}
	}
	return out
}

// strip is the session at a glance.
type strip struct {
	Width int
	Text  string
	Ticks []tick
}

type tick struct {
	Verdict      string
	X, Y, Height int
}

// lines are the curves of asks and denials.
type lines struct {
	Asks, Denies string
	Most         int
	Cursor       float64
}

// plot is a reliability diagram.
type plot struct {
	Calibration
	Text string
	Dots []dot
}

type dot struct{ X, Y, Low, High, R float64 }

type cost struct {
	Spread
	Width int
}

// HTML writes the report as one page that needs nothing else: no network, no other file. All text of the record is escaped;
// only the page's own script may run.
func (r Report) HTML(w io.Writer) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"stamp":       func(t time.Time) string { return t.Format("2006-01-02 15:04") },
		"iso":         func(t time.Time) string { return t.Format(time.RFC3339) },
		"clock":       func(t time.Time) string { return t.Format("15:04:05") },
		"hundredfold": func(x float64) float64 { return 100 * x },
		"seconds":     func(ms float64) string { return fmt.Sprintf("%.1f", ms/1000) },
		"percent":     func(x float64) string { return fmt.Sprintf("%.1f\u00a0%%", 100*x) },
		"hundredth":   func(n int) string { return fmt.Sprintf("%.2f", float64(n)/100) },
		"input":       Shown,
		"labelled":    func(l Labels) bool { return l.Safe+l.Unsafe > 0 },
		"plural":      policy.Many,
	}).Parse(pageHTML)
	if err != nil {
		return fmt.Errorf("the page's template is wrong: %w", err)
	}
	cells, err := json.Marshal(struct { // < > and & are escaped, so no text can end the element
		Cells []Cell `json:"cells"`
	}{r.Curve.Cells})
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(pageJS))
	p := page{
		Report: r, CSS: template.CSS(pageCSS), Script: template.JS(pageJS), Data: template.JS(cells),
		ScriptHash: template.HTMLAttr("sha256-" + base64.StdEncoding.EncodeToString(sum[:])),
		Strip:      stripOf(r.Timeline),
	}
	p.Facts = listed(list{"mode", r.Modes}, list{"agent", r.Agents}, list{"judge", r.Judges}, list{"asks", r.Outcomes}, list{"health", r.Health}, list{"failures", r.Failures})
	p.Otherwise = r.Divergent - r.NotAskable
	if r.Skipped != nil {
		p.Untold = *r.Skipped
	}
	p.Lists = listed(list{"Tools", r.Tools}, list{"Acts", r.Acts})
	p.Flag, p.Deny = 60, 90
	if r.Thresholds != nil {
		p.Flag, p.Deny = hundred(r.Thresholds.FlagAbove), hundred(r.Thresholds.DenyAbove)
	}
	p.Now = point(r.Curve.Cells, p.Flag, p.Flag, p.Deny)
	for i := 0; i <= 100; i += 10 {
		p.Tens = append(p.Tens, r.Curve.Flag[i])
	}
	p.Drawn = linesOf(r.Curve.Flag, p.Flag)
	for _, c := range r.Labels.Calibration {
		if c.Question == "score" {
			p.Plots = append(p.Plots, plotOf(c))
		}
	}
	p.Costs = costs(append(r.Stages[:len(r.Stages):len(r.Stages)], r.Gate))
	var b strings.Builder
	if err := t.Execute(&b, p); err != nil {
		return err
	}
	_, err = io.WriteString(w, Visible(b.String()))
	return err
}

// Visible is a text of several lines without what acts on a terminal, turns the direction of writing or is not seen: an
// escape stands in its place.
func Visible(s string) string {
	var b strings.Builder
	for s != "" {
		n := strings.IndexAny(s, "\n\t")
		if n < 0 {
			n = len(s)
		}
		b.WriteString(redact.Verbatim(s[:n]).Line().String())
		if n < len(s) {
			b.WriteByte(s[n])
			n++
		}
		s = s[n:]
	}
	return b.String()
}

// Shown is the input of a tool as a report has it, whole or cut, for a person: a command as it would be typed, all else as
// it stands.
func Shown(input string) string {
	if command := gjson.Get(input, "command"); command.Type == gjson.String && command.Str != "" {
		return command.Str
	}
	return input
}

func stripOf(moments []Moment) strip {
	s := strip{Width: 4}
	counts := map[string]int{}
	for _, m := range moments {
		if m.Kind != "call" {
			continue
		}
		height := map[string]int{"allow": 12, "ask": 26, "deny": 40}[m.Would]
		s.Ticks = append(s.Ticks, tick{Verdict: m.Would, X: s.Width - 4, Y: 40 - height, Height: height})
		s.Width += 4
		counts[m.Would]++
	}
	s.Width = max(s.Width, 400) // a short session is drawn no larger
	s.Text = fmt.Sprintf("%s: %d allowed, %d asked, %d denied", policy.Many(len(s.Ticks), "call"), counts["allow"], counts["ask"], counts["deny"])
	return s
}

func linesOf(points []Point, flag int) lines {
	l := lines{Most: 1, Cursor: 40 + 5.4*float64(flag)}
	for _, p := range points {
		l.Most = max(l.Most, p.Asks, p.Deny)
	}
	path := func(number func(Point) int) string {
		var b strings.Builder
		for i, p := range points {
			move := "L"
			if i == 0 {
				move = "M"
			}
			fmt.Fprintf(&b, "%s%.1f %.1f", move, 40+5.4*float64(i), 180-160*float64(number(p))/float64(l.Most))
		}
		return b.String()
	}
	l.Asks = path(func(p Point) int { return p.Asks })
	l.Denies = path(func(p Point) int { return p.Deny })
	return l
}

func plotOf(c Calibration) plot {
	p := plot{Calibration: c}
	y := func(v float64) float64 { return 200 - 180*v }
	var told []string
	for _, b := range c.Bins {
		p.Dots = append(p.Dots, dot{X: 40 + 540*b.Said, Y: y(b.Was), Low: y(b.Low), High: y(b.High), R: 3 + 2*math.Log10(float64(b.N))})
		told = append(told, fmt.Sprintf("said %.2f, was %.2f of %d", b.Said, b.Was, b.N))
	}
	p.Text = "Reliability: " + strings.Join(told, "; ")
	return p
}

func costs(stages []Spread) []cost {
	most := 0.0
	for _, s := range stages {
		most = max(most, s.P99)
	}
	var out []cost
	for _, s := range stages {
		if s.Name == "gate" {
			s.Name = "all of the gate"
		}
		width := 0
		if most > 0 {
			width = int(100 * s.P99 / most)
		}
		out = append(out, cost{s, width})
	}
	return out
}
