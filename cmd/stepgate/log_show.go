package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
)

type logShowCmd struct {
	Session string   `help:"Which session; this project's newest if nothing else is given." placeholder:"ID"`
	Since   string   `help:"From this time on: 14:00, 'yesterday 14:00', 2026-03-01, 90m, 7d." placeholder:"TIME"`
	Until   string   `help:"Up to this time." placeholder:"TIME"`
	Agent   string   `help:"Only of this agent (claude, codex) or subagent, by its type or id." placeholder:"NAME"`
	Kind    []string `help:"Only lines of these kinds, such as call,mode,health." placeholder:"KIND"`
	Stops   bool     `help:"Only calls that enforce asks about or denies, with what was answered."`
	All     bool     `help:"All projects, archived sessions too."`
	Lines   int      `short:"n" default:"20" help:"How many lines, the newest."`
	JSON    bool     `name:"json" help:"Print the lines as they are."`
}

// Help is printed below the flags.
func (logShowCmd) Help() string {
	return `With --since, --until, --agent, --kind or --stops it looks through all sessions of the project. Times are those
of this machine's zone.

Examples:
  stepgate log --since 'yesterday 14:00' --until 'yesterday 15:00' --agent codex
  stepgate log --stops --since 7d -n 100
  stepgate log --kind mode,health --all`
}

func (c logShowCmd) Run(a *app) error {
	files, err := c.files(a)
	if err != nil {
		return err
	}
	v := view{most: max(c.Lines, 1), keep: func(session.Line, string) bool { return true }}
	if v.keep, err = c.wanted(a.env.Now()); err != nil {
		return err
	}
	if c.Stops && !c.JSON {
		v.answered = true
	}
	bad := 0
	for _, f := range files {
		v.read(f, func(err error) {
			if bad++; bad <= maxComplaints {
				a.complain(err)
			}
		})
	}
	if more := bad - maxComplaints; more > 0 {
		a.complain(fmt.Errorf("%s cannot be read; stepgate log verify, stepgate analyze", policy.Many(more, "more line")))
	}
	lines, more := v.lines, v.dropped
	if c.JSON {
		for _, s := range lines {
			b, err := json.Marshal(s.Line)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "%s\n", b)
		}
		return nil
	}
	if len(lines) == 0 {
		return fmt.Errorf("no line of the record is so\nhint: stepgate log list")
	}
	showLines(newScreen(a.out), lines)
	if more > 0 && c.looksThrough() {
		fmt.Fprintf(a.err, "%d earlier ones are not shown; -n %d shows all\n", more, more+len(lines))
	}
	return nil
}

// maxComplaints bounds the lines that are named because they cannot be read.
const maxComplaints = 5

// looksThrough says that more than one session is asked for.
func (c logShowCmd) looksThrough() bool {
	return c.All || c.Since != "" || c.Until != "" || c.Agent != "" || len(c.Kind) > 0 || c.Stops
}

// files are those of each session to read.
func (c logShowCmd) files(a *app) ([][]string, error) {
	if c.Session == "" && c.looksThrough() {
		files, err := a.sessionFiles("", c.All)
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("no session is recorded here\nhint: stepgate doctor tells whether the hook runs; --all looks at all projects")
		}
		return files, err
	}
	r, err := a.recorded(c.Session)
	return [][]string{r.files}, err
}

// kinds are the words that --kind takes.
var kinds = []string{
	session.KindStart, session.KindPrompt, session.KindCall, session.KindResult, session.KindMode, session.KindHealth,
	session.KindLabel, session.KindNote, session.KindEnd,
}

// wanted gives the choice of lines; it is told the agent that the line's session is of.
func (c logShowCmd) wanted(now time.Time) (func(session.Line, string) bool, error) {
	since, err := moment("--since", c.Since, now)
	if err != nil {
		return nil, err
	}
	until, err := moment("--until", c.Until, now)
	if err != nil {
		return nil, err
	}
	for _, k := range c.Kind {
		if !slices.Contains(kinds, k) {
			return nil, &exitError{exitUsage, fmt.Errorf("--kind: %q is not one of %s", clip(k, 20), strings.Join(kinds, ", "))}
		}
	}
	return func(l session.Line, of string) bool {
		switch {
		case c.Since != "" && l.Time.Before(since), c.Until != "" && l.Time.After(until):
			return false
		case c.Agent != "" && c.Agent != of && c.Agent != l.Agent && c.Agent != l.AgentID && c.Agent != l.AgentType:
			return false
		case c.Stops:
			return l.Kind == session.KindCall && l.Would != agent.Allow.String()
		}
		return len(c.Kind) == 0 || slices.Contains(c.Kind, l.Kind)
	}, nil
}

// moment reads a time as a person writes it: an hour of today or yesterday, a day, both, or how long ago.
func moment(flag, text string, now time.Time) (time.Time, error) {
	now = now.Local()
	if text == "" {
		return now, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if d, err := time.ParseDuration(days + "h"); err == nil {
			return now.Add(-24 * d), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil {
		return now.Add(-d), nil
	}
	day, word, _ := strings.Cut(text, " ")
	switch day {
	case "yesterday":
		text = strings.TrimSpace(now.AddDate(0, 0, -1).Format(time.DateOnly) + " " + word)
	case "today":
		text = strings.TrimSpace(now.Format(time.DateOnly) + " " + word)
	}
	for _, form := range [...]string{"15:04", "15:04:05"} {
		if t, err := time.ParseInLocation(time.DateOnly+" "+form, now.Format(time.DateOnly)+" "+text, now.Location()); err == nil {
			return t, nil
		}
	}
	for _, form := range [...]string{time.DateOnly, "2006-01-02 15:04", "2006-01-02T15:04", time.DateTime, time.RFC3339} {
		if t, err := time.ParseInLocation(form, text, now.Location()); err == nil {
			return t, nil
		}
	}
	return now, &exitError{exitUsage, fmt.Errorf("%s: %q is no time\nhint: 14:00, 'yesterday 14:00', 2026-03-01, '2026-03-01 14:00', 90m or 7d", flag, clip(text, 40))}
}

// seen is a line with the agent that its session is of.
type seen struct {
	session.Line
	agent string
}

// view keeps the newest of the lines that are wanted.
type view struct {
	most     int
	keep     func(session.Line, string) bool
	answered bool // a call is told what became of it
	lines    []seen
	dropped  int
	sessions int
}

// read takes the lines of one session.
func (v *view) read(files []string, complain func(error)) {
	v.sessions++
	of := ""
	open := map[string]int{} // calls that a result may answer, by id
	for _, f := range files {
		for l, err := range session.Read(f) {
			if err != nil {
				complain(err)
				continue
			}
			if l.Agent != "" {
				of = l.Agent
			}
			if i, ok := open[l.CallID]; ok && l.Kind == session.KindResult && l.Outcome != "" {
				v.lines[i].Outcome = l.Outcome
			}
			if !v.keep(l, of) {
				continue
			}
			if len(v.lines) >= 2*v.most+1000 {
				v.trim()
				clear(open)
			}
			if v.answered && l.Did == agent.Ask.String() && l.Outcome == "" {
				open[l.CallID] = len(v.lines)
				l.Outcome = "no answer seen"
			}
			v.lines = append(v.lines, seen{l, of})
		}
	}
	v.trim()
}

// trim drops all but the newest.
func (v *view) trim() {
	if v.sessions > 1 { // of one session the order of the file holds, whatever the clock said
		slices.SortStableFunc(v.lines, func(a, b seen) int { return a.Time.Compare(b.Time.Time) })
	}
	if n := len(v.lines) - v.most; n > 0 {
		v.lines = slices.Delete(v.lines, 0, n)
		v.dropped += n
	}
}

// showLines prints lines below their day and session.
func showLines(w screen, lines []seen) {
	day, id := "", ""
	for _, l := range lines {
		at := l.Time.Local()
		if d := at.Format("2006-01-02 MST"); d != day || l.Session != id {
			day, id = d, l.Session
			fmt.Fprintln(w, w.bold(clip(strings.Join(strings.Fields(day+" "+l.agent+" "+id), " "), columns)))
		}
		line := fmt.Sprintf("%s  %4d  %s", at.Format("15:04:05"), l.Seq, told(l.Line))
		fmt.Fprintln(w, clip(strings.TrimRight(line, " "), columns))
	}
}

// told says in a line what a line of the record tells.
func told(l session.Line) string {
	switch l.Kind {
	case session.KindCall:
		what := l.Did
		if l.Would != l.Did {
			what += " (would " + l.Would + ")"
		}
		if l.Outcome != "" {
			what += ", " + clip(l.Outcome, 40)
		}
		if l.AgentID != "" {
			what += " [" + clip(l.AgentType+" "+l.AgentID, 20) + "]"
		}
		return fmt.Sprintf("%-18s %s", what, callText(l))
	case session.KindPrompt:
		return fmt.Sprintf("%-18s %s", "prompt", clip(l.Text.String(), 60))
	case session.KindResult:
		what := "result"
		if l.OK != nil {
			what = map[bool]string{true: "worked", false: "failed"}[*l.OK]
		}
		return fmt.Sprintf("%-18s %s %s", what, clip(l.Tool, 40), clip(l.Outcome, 60))
	case session.KindHealth:
		return fmt.Sprintf("%-18s %s: %s", l.Kind, clip(l.Event, 40), clip(l.Detail.String(), 120))
	case session.KindLabel:
		of := "the task"
		if l.Of > 0 {
			of = fmt.Sprintf("call %d", l.Of)
		}
		return fmt.Sprintf("%-18s %s: %s, by %s", l.Kind, of, clip(l.Event, 40), clip(l.Source, 40))
	}
	what := strings.Join(strings.Fields(l.Event+" "+l.Source+" "+l.Detail.String()), " ")
	return fmt.Sprintf("%-18s %s", clip(l.Kind, 18), clip(what, 120))
}
