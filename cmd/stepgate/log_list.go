package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/safefile"
)

type logListCmd struct {
	All   bool `help:"All projects, archived sessions too."`
	Lines int  `short:"n" default:"20" help:"How many sessions, the newest."`
	JSON  bool `name:"json" help:"Print the sessions as JSON, one a line."`
}

// Help is printed below the flags.
func (logListCmd) Help() string {
	return `Asks and denials are what enforce decides, whatever the mode was.

Examples:
  stepgate log list
  stepgate log list --all --json`
}

// listed is what the beginning and the end of a record tell of a session.
type listed struct {
	Session  string    `json:"session"`
	Agent    string    `json:"agent"`
	Project  string    `json:"project"` // its root; the name of its folder where no line tells
	Archived bool      `json:"archived"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"` // when the file was written
	Mode     string    `json:"mode"` // of the newest call
	Calls    int       `json:"calls"`
	Asks     int       `json:"asks"`
	Denies   int       `json:"denies"`
	Files    []string  `json:"files"`
}

func (c logListCmd) Run(a *app) error {
	all, err := a.listed(c.All)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("no session is recorded here\nhint: stepgate doctor tells whether the hook runs; --all looks at all projects")
	}
	w := newScreen(a.out)
	enc := json.NewEncoder(a.out)
	project := ""
	for i, l := range all[:min(len(all), max(c.Lines, 1))] {
		s := a.about(l)
		if c.JSON {
			if err := enc.Encode(s); err != nil {
				return err
			}
			continue
		}
		if i == 0 {
			fmt.Fprintln(w, w.bold(fmt.Sprintf("%-16s %-7s %5s %5s %5s  %s", "begun", "agent", "calls", "asks", "denies", "session")))
		}
		if c.All && s.Project != project {
			project = s.Project
			fmt.Fprintln(w, clip(project, columns))
		}
		begun := "no line"
		if !s.First.IsZero() {
			begun = s.First.Local().Format("2006-01-02 15:04")
		}
		fmt.Fprintf(w, "%-16s %-7s %5d %5d %6d  %s\n", begun, clip(s.Agent, 7), s.Calls, s.Asks, s.Denies, clip(s.Session, 100))
	}
	if more := len(all) - max(c.Lines, 1); more > 0 && !c.JSON {
		fmt.Fprintf(a.err, "%d earlier ones are not shown; -n %d shows all\n", more, len(all))
	}
	return nil
}

// listed are the sessions of this project, or all, the newest first.
func (a *app) listed(all bool) ([]session.Listed, error) {
	g, err := a.gateHere("claude")
	if err != nil {
		return nil, err
	}
	if all {
		return g.Store.Sessions()
	}
	return g.Store.Here(g.Root)
}

// about reads the first and the last line of a session that can be read.
func (a *app) about(l session.Listed) listed {
	s := listed{Session: l.Name, Project: l.Project, Archived: l.Archived, Last: l.Last.UTC(), Files: l.Files}
	for line, err := range session.Read(l.Files[0]) {
		if err == nil {
			s.Session, s.Agent, s.First = line.Session, line.Agent, line.Time.Time
			break
		}
	}
	last := l.Files[len(l.Files)-1]
	end := totals(last)
	if end == nil { // much stands behind the newest line that is whole
		for line, err := range session.Read(last) {
			if err == nil && line.Totals != nil {
				end = line.Totals
			}
		}
	}
	if end != nil {
		s.Calls, s.Asks, s.Denies, s.Mode = end.Calls, end.Flagged, end.WouldDeny, end.Was
		s.Project = cmp.Or(end.Root.String(), s.Project)
	}
	return s
}

// tailBytes surely has a whole line of the gate's at its end, unless many after it are torn.
const tailBytes = 256 << 10

// totals are those of the newest line of a file that has some; nil where none can be read.
func totals(path string) *session.Totals {
	f, err := safefile.Open(path, os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil
	}
	from := max(0, st.Size()-tailBytes)
	b, err := io.ReadAll(io.NewSectionReader(f, from, tailBytes))
	if err != nil {
		return nil
	}
	lines := bytes.Split(b, []byte{'\n'})
	for _, raw := range slices.Backward(lines) {
		var l session.Line
		if json.Unmarshal(raw, &l) == nil && l.Totals != nil {
			return l.Totals
		}
	}
	return nil
}
