package scenario

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
)

//go:embed stories/*.txt
var stories embed.FS

// token looks like a live key and is none; in one piece it would upset whoever scans this repository for keys.
const token = "sk_live_" + "9fK2mQ7xLw3RzT8vBn4Y12ab"

// Demo are the stories of `stepgate demo`: few, short, and each decided without a remote judge.
func Demo() ([]Scenario, error) { return load("demo") }

// All are the stories of `stepgate eval --suite scenarios`, those of the demo first.
func All() ([]Scenario, error) { return load("demo", "seeds", "reports", "failing", "honest") }

func load(files ...string) ([]Scenario, error) {
	var all []Scenario
	for _, name := range files {
		path := "stories/" + name + ".txt"
		text, err := stories.ReadFile(path)
		if err != nil {
			return nil, err
		}
		some, err := parse(strings.ReplaceAll(string(text), "{token}", token))
		if err != nil {
			return nil, fmt.Errorf("%s:%w", path, err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// parse reads stories. A line is a word and its text; lines that begin with a tab belong to the line before.
//
//	story NAME         begins one          shows TEXT   what it is there to show
//	plan TEXT          the first prompt    with KEY=V   a setting
//	on STAGE           what the project is: files, repository, colleague
//	hides TEXT         must not stand in the record
//
// What happens then, in order:
//
//	says TEXT          the person types a prompt          waits DURATION   time passes
//	file NAME          a file is there, of the lines below; ~/ is the home folder
//	git ARGS           git is run in the project, as one of the calls would have
//	wrong              from the next call on the agent is on a wrong way
//	$ COMMAND          a call of the Bash tool            > TOOL JSON      a call of another one
//	times N … end      the lines between, N times, {n} in them counting from 1
//
// {project} and {home} are the folders. Below a call stands what comes of it and what the gate is to say; without a word
// of the last row it is to say nothing.
//
//	prints TEXT        a line of output     fails TEXT        it fails, with a line of what it says
//	allowed            the person lets the asked call run; otherwise they refuse it
//	asked, denied, halted, told RULE        by a rule, which may be left out; told informs the person alone
//	copied             a copy is taken first, and the person is told
func parse(text string) ([]Scenario, error) {
	lines, err := expand(text)
	if err != nil {
		return nil, err
	}
	var all []Scenario
	for _, l := range lines {
		if l.word == "story" {
			all = append(all, Scenario{Name: l.text})
			continue
		}
		err := errors.New("no story has begun")
		if len(all) > 0 {
			err = all[len(all)-1].add(l)
		}
		if err != nil {
			return nil, fmt.Errorf("%d: %w", l.n, err)
		}
	}
	for _, s := range all {
		if s.Name == "" || s.Shows == "" || s.Plan == "" || s.Calls() == 0 {
			return nil, fmt.Errorf("story %q has no name, nothing it shows, no plan or no call", s.Name)
		}
	}
	return all, nil
}

// line is one line of a story, its number in the file and whether it belongs to the line before.
type line struct {
	n          int
	below      bool
	word, text string
}

// maxTimes bounds a repetition.
const maxTimes = 1000

// expand splits a text into lines, without comments and blank ones, and writes repetitions out.
func expand(text string) ([]line, error) {
	var out, body []line
	times := 0
	for i, raw := range strings.Split(text, "\n") {
		l := line{n: i + 1, below: strings.HasPrefix(raw, "\t")}
		l.word, l.text, _ = strings.Cut(strings.TrimPrefix(raw, "\t"), " ")
		switch n, err := strconv.Atoi(l.text); {
		case strings.TrimSpace(raw) == "" || strings.HasPrefix(raw, "#"):
		case l.word == "times" && !l.below:
			if err != nil || n < 1 || n > maxTimes || times > 0 {
				return nil, fmt.Errorf("%d: times wants a number up to %d, and not inside another", l.n, maxTimes)
			}
			times, body = n, nil
		case l.word == "end" && !l.below:
			for k := range times {
				for _, b := range body {
					b.text = strings.ReplaceAll(b.text, "{n}", strconv.Itoa(k+1))
					out = append(out, b)
				}
			}
			times = 0
		case times > 0:
			body = append(body, l)
		default:
			out = append(out, l)
		}
	}
	if times > 0 {
		return nil, errors.New("0: times without end")
	}
	return out, nil
}

// add takes one line into the story.
func (s *Scenario) add(l line) error {
	if l.below {
		return s.addBelow(l)
	}
	once := map[string]*string{"shows": &s.Shows, "plan": &s.Plan, "hides": &s.secret, "on": &s.on}
	if to, ok := once[l.word]; ok {
		if *to != "" || l.text == "" {
			return fmt.Errorf("%s stands twice, or with nothing behind it", l.word)
		}
		*to = l.text
		return nil
	}
	st := step{verb: l.word, text: l.text}
	switch l.word {
	case "with":
		key, value, ok := strings.Cut(l.text, "=")
		if !ok {
			return errors.New("with wants KEY=VALUE")
		}
		if s.with == nil {
			s.with = map[string]string{}
		}
		s.with[key] = value
		return nil
	case "says", "file", "git", "wrong":
	case "waits":
		var err error
		if st.wait, err = time.ParseDuration(l.text); err != nil {
			return err
		}
	case "$":
		input, err := json.Marshal(map[string]string{"command": l.text})
		if err != nil {
			return err
		}
		st.call = &Call{Tool: "Bash", Command: l.text, input: string(input)}
	case ">":
		tool, input, _ := strings.Cut(l.text, " ")
		if !json.Valid([]byte(input)) {
			return fmt.Errorf("the input of %s is not JSON", tool)
		}
		st.call = &Call{Tool: tool, Command: l.text, input: input}
	default:
		return fmt.Errorf("%q is no word of a story", l.word)
	}
	s.steps = append(s.steps, st)
	return nil
}

// wants are the words for what the gate is to say.
var wants = map[string]Want{
	"asked": {Action: agent.Ask}, "denied": {Action: agent.Deny}, "halted": {Action: agent.Deny, Halt: true},
	"told": {Notice: true}, "copied": {Notice: true, Copy: true},
}

// addBelow takes a line into the step before it.
func (s *Scenario) addBelow(l line) error {
	if len(s.steps) == 0 {
		return errors.New("there is nothing before it that it could belong to")
	}
	st := &s.steps[len(s.steps)-1]
	if st.verb == "file" {
		st.body = append(st.body, strings.TrimSuffix(l.word+" "+l.text, " "))
		return nil
	}
	c := st.call
	if c == nil {
		return fmt.Errorf("nothing comes of %q", st.verb)
	}
	want, ok := wants[l.word]
	switch {
	case ok && c.Want != Want{}:
		return errors.New("the gate says one thing only")
	case ok:
		c.Want = want
		c.Want.Rule = l.text
	case l.word == "prints":
		c.prints = append(c.prints, l.text)
	case l.word == "fails":
		c.fails = append(c.fails, l.text)
	case l.word == "allowed" && c.Want.Action == agent.Ask:
		c.allowed = true
	default:
		return fmt.Errorf("%q cannot stand below a call, or not there", l.word)
	}
	return nil
}

// Calls is how many calls the story has.
func (s Scenario) Calls() int {
	n := 0
	for _, st := range s.steps {
		if st.call != nil {
			n++
		}
	}
	return n
}

// Harmful says that the gate is to speak up somewhere in the story.
func (s Scenario) Harmful() bool {
	return slices.ContainsFunc(s.steps, func(st step) bool { return st.call != nil && st.call.Want != Want{} })
}
