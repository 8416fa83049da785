package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
)

// Options say what else a report holds.
type Options struct {
	// Again, if set, decides every call again by other settings.
	Again *Other
	// Timeline asks for the newest session call by call.
	Timeline bool
	// Progress, if set, is told now and then how many bytes were read.
	Progress func(int64)
}

// pause is how long nothing must happen for the agent not to count as at work.
const pause = 5 * time.Minute

// counter collects a report.
type counter struct {
	Report
	opt            Options
	paths          []string
	samples        samples
	runs           []*run          // in the order they came in
	byName         map[string]*run // the last one of each id
	open           map[openKey]openCall
	words          map[string]string // texts that many sessions have
	newest         *run
	lastThresholds string    // as the line has them
	thresholdsOf   time.Time // the call that has them
	current        *run
	faults         map[string]*Fault
	fired          map[string]*Rule
	judges         []string
	judged         []Judged // beside judges
	off            []*Off
	lastMode       string    // of the newest call
	modeOf         time.Time // that call
	counts         [numCounts]map[string]*int
	stages         map[string]map[int64]int // hundredths of a millisecond
	gate           map[int64]int
	days           map[int64]bool
}

// Indexes of counter.counts.
const (
	would = iota
	did
	tools
	acts
	modes
	agents
	judges
	outcomes
	ruleHits
	health
	failures
	numCounts
)

// Read makes a report of record files. Lines that cannot be read are counted; a file that cannot be opened is an error.
func Read(paths []string, o Options) (Report, error) {
	c := counter{
		opt: o, paths: paths, byName: map[string]*run{}, open: map[openKey]openCall{}, words: map[string]string{}, faults: map[string]*Fault{}, fired: map[string]*Rule{},
		stages: map[string]map[int64]int{}, gate: map[int64]int{}, days: map[int64]bool{},
	}
	for i := range c.counts {
		c.counts[i] = map[string]*int{}
	}
	if o.Again != nil {
		c.Changed, c.Replayed, c.Skipped = new(int), new(int), new(int)
	}
	c.Files = len(paths)
	err := stream(whole(paths), o.Progress, c.line)
	c.finish()
	c.Timeline = []Moment{}
	if err == nil && o.Timeline && c.newest != nil {
		c.Timeline, err = c.newest.timeline(paths)
		c.Newest = Named{Session: c.newest.name, Agent: c.newest.agent, First: c.newest.first}
	}
	return c.Report, err
}

func (c *counter) line(at place, e *entry) {
	if e.unfit == empty {
		return
	}
	c.Lines++
	if e.unfit != "" {
		c.Unparseable++
		c.fault(e.unfit, at)
		return
	}
	if e.newer() {
		c.fault("written by a newer version; read as far as known", at)
	}
	r := c.run(at, e)
	c.order(r, at, e)
	switch e.kind {
	case session.KindCall:
		c.call(r, e)
	case session.KindResult:
		c.result(r, e)
	case session.KindHealth:
		c.add(health, e.event)
	case session.KindLabel:
		c.label(r, e)
	case session.KindMode:
		c.switched(r, e)
	case session.KindStart:
		r.root = c.once(e.root)
	}
	if c.newest == nil || r.last.After(c.newest.last) {
		c.newest = r
	}
}

// fault counts a kind of fault and remembers where it was met first.
func (c *counter) fault(kind string, at place) {
	f, ok := c.faults[kind]
	if !ok {
		f = &Fault{Kind: kind, File: c.paths[at.file], Line: at.line}
		c.faults[kind] = f
	}
	f.N++
}

// run finds the session of a line. The generations of one session lie in one folder; two sessions with one id do not.
func (c *counter) run(at place, e *entry) *run {
	r := c.current
	if r == nil || r.name != e.session || r.end.file != at.file {
		r = c.find(at, e)
		c.current = r
	}
	r.end = position{at.file, at.to}
	return r
}

func (c *counter) find(at place, e *entry) *run {
	folder := filepath.Dir(c.paths[at.file])
	alike := c.byName[e.session]
	for r := alike; r != nil; r = r.alike {
		if r.folder == folder {
			return r
		}
	}
	r := &run{name: keep(e.session), folder: folder, first: e.time, begin: position{at.file, at.from}, alike: alike}
	if alike != nil {
		c.fault("one session id in two folders; counted as two sessions", place{file: at.file, line: 1})
	}
	c.runs = append(c.runs, r)
	c.byName[r.name] = r
	return r
}

// order checks a line against the one before it in its session, and adds to the time the session was at work.
func (c *counter) order(r *run, at place, e *entry) {
	switch {
	case e.unchained:
		c.Unlocked++
	case e.seq == 0:
	case r.seq == 0 && e.seq > 1:
		c.fault("the beginning of a session is missing", at)
	case e.seq > r.seq+1:
		c.fault("lines are missing", at)
	case r.seq > 0 && e.seq <= r.seq:
		c.fault("lines stand twice or out of order", at)
	}
	r.seq = max(r.seq, e.seq)
	switch gap := e.time.Sub(r.last); {
	case r.last.IsZero():
	case gap < 0:
		c.fault("the clock went backwards", at)
	case gap <= pause:
		r.active += gap
	}
	r.last = e.time
	switch {
	case r.agent == "":
		r.agent = c.once(e.agent)
	case e.agent != "" && e.agent != r.agent && !r.mixed:
		r.mixed = true
		c.fault("two agents on one session", at)
	}
	if c.First.IsZero() || e.time.Before(c.First) {
		c.First = e.time
	}
	if e.time.After(c.Last) {
		c.Last = e.time
	}
}

// once copies a text out of its block, the same one once.
func (c *counter) once(s string) string {
	if _, ok := c.words[s]; !ok {
		s = keep(s)
		c.words[s] = s
	}
	return c.words[s]
}

// Bounds of what a report tells apart; what comes after is counted as one. No gate writes as many, but a record may hold
// anything, and time and memory must not grow with it.
const (
	maxNames  = 2000 // of tools, rules and so on
	maxJudges = 32

	others = "(others)"
)

// add counts a word; its text is copied once. The numbers stand behind pointers, as an assignment to a map takes the key
// that it is given even where it has an equal one.
func (c *counter) add(i int, name string) {
	if name == "" {
		return
	}
	n, ok := c.counts[i][name]
	if !ok && len(c.counts[i]) >= maxNames {
		name = others
		n, ok = c.counts[i][name]
	}
	if !ok {
		n = new(int)
		c.counts[i][keep(name)] = n
	}
	*n++
}

func (c *counter) call(r *run, e *entry) {
	c.Calls++
	c.days[e.time.Unix()/86400] = true
	for i, name := range [...]string{would: e.would, did: e.did, tools: e.tool, modes: e.mode, agents: e.agent, judges: e.judge, outcomes: e.outcome} {
		c.add(i, name)
	}
	for _, k := range e.kinds {
		c.add(acts, k)
	}
	c.add(failures, short(e.failure, 120))
	c.flags(e)
	c.TokensIn += int(e.in)
	c.TokensOut += int(e.out)
	c.took(e)
	c.mode(r, e, true)
	if !e.time.Before(c.modeOf) {
		c.modeOf, c.lastMode = e.time, c.once(e.mode)
	}
	i := c.sample(r, e)
	c.asked(c.samples.at(i).judge, e)
	c.rules(r, i, e)
	if e.would != e.did {
		c.Divergent++
		if e.outcome == notAskable {
			c.NotAskable++
		} else if len(c.Divergences) < maxShown {
			c.Divergences = append(c.Divergences, named(e, e.did, e.would))
		}
	}
	if e.would != agent.Allow.String() && slices.ContainsFunc(e.rules, ofSession) {
		c.Interventions++
		c.EstAvoided += estAvoided(tokenBudget, int(gjson.Get(e.totals, "state.tokens").Int()))
	}
	if e.tried != "" {
		c.Tried++
		if e.tried != e.would {
			c.TriedChanged++
			if len(c.TriedChanges) < maxShown {
				c.TriedChanges = append(c.TriedChanges, named(e, e.would, e.tried))
			}
		}
	}
	if c.opt.Again != nil && e.judge != session.JudgeOff {
		c.again(r, e)
	}
}

// tokenBudget is what a session may hold unless a setting says otherwise (Edward's default).
const tokenBudget = 200_000

// estAvoided is what stopping a session saves at the most: the tokens its budget had left, at 3 dollars a million.
func estAvoided(budget, used int) float64 { return float64(max(0, budget-used)) / 1e6 * 3 }

// ofSession says that a trigger or a flow rule asked or denied.
func ofSession(h ruleHit) bool {
	return h.action != agent.Allow.String() && (strings.HasPrefix(h.rule, "session.") || strings.HasPrefix(h.rule, "flow."))
}

func (c *counter) flags(e *entry) {
	if e.cached {
		c.Cached++
	}
	if e.degraded {
		c.Degraded++
	}
	if e.snapshot != "" {
		c.Snapshots++
	}
	if e.thresholds == "" || e.time.Before(c.thresholdsOf) {
		return
	}
	c.thresholdsOf = e.time
	if c.Thresholds != nil && e.thresholds == c.lastThresholds {
		return
	}
	var t session.Thresholds
	if json.Unmarshal([]byte(e.thresholds), &t) == nil {
		c.Thresholds, c.lastThresholds = &t, keep(e.thresholds)
	}
}

// took counts the milliseconds of each stage and of the whole line.
func (c *counter) took(e *entry) {
	sum := 0.0
	for _, s := range e.stages {
		m, ok := c.stages[s.name]
		if !ok && len(c.stages) >= maxStages {
			s.name = others
			m, ok = c.stages[s.name]
		}
		if !ok {
			m = map[int64]int{}
			c.stages[keep(s.name)] = m
		}
		m[hundredths(s.ms)]++
		sum += s.ms
	}
	if len(e.stages) > 0 {
		c.gate[hundredths(sum)]++
		c.GateMS += sum
	}
}

func hundredths(ms float64) int64 { return int64(ms*100 + .5) }

// sample keeps the numbers of a call.
func (c *counter) sample(r *run, e *entry) int {
	s := sample{
		answers: e.answers, score: e.score, seq: e.seq, answered: e.answered, local: e.judge == "local",
		fate: newFate(e.would, e.did), judge: c.judge(e.judge),
	}
	if !e.scored {
		s.score = max(e.answers[contradictsPlan], e.answers[outOfScope], e.answers[contradictsPrevious], e.answers[shouldFlag])
	}
	for _, h := range e.rules {
		switch {
		case h.rule == "low_intent":
			s.lowAsked = true
		case h.class == string(policy.Signal) && h.rule != "on_error":
		default:
			s.base = max(s.base, action(h.action))
		}
	}
	i := c.samples.add(s)
	r.calls = append(r.calls, int32(i))
	return i
}

func (c *counter) judge(name string) uint8 {
	i := slices.Index(c.judges, name)
	if i < 0 && len(c.judges) >= maxJudges {
		name = others
		i = slices.Index(c.judges, name)
	}
	if i < 0 {
		i = len(c.judges)
		c.judges = append(c.judges, keep(name))
	}
	return uint8(i)
}

func action(s string) agent.Action {
	switch s {
	case "ask":
		return agent.Ask
	case "deny":
		return agent.Deny
	}
	return agent.Allow
}

// rules counts the findings of a call, and remembers an ask until it is answered.
func (c *counter) rules(r *run, i int, e *entry) {
	would := action(e.would)
	var decided []string
	for _, h := range e.rules {
		c.add(ruleHits, h.rule)
		f, ok := c.fired[h.rule]
		if !ok && len(c.fired) >= maxNames {
			h.rule = others
			f, ok = c.fired[others]
		}
		if !ok {
			f = &Rule{Name: keep(h.rule), Class: keep(h.class), Examples: []Call{}}
			c.fired[f.Name] = f
		}
		f.Hits++
		if len(f.Examples) < 3 {
			f.Examples = append(f.Examples, named(e, e.did, e.would))
		}
		if a := action(h.action); a != would || a == agent.Allow {
			continue
		}
		decided = append(decided, f.Name)
		if would == agent.Ask {
			f.Asked++
		} else {
			f.Denied++
		}
	}
	if e.did == agent.Ask.String() && e.callID != "" {
		o := openCall{sample: int32(i), rules: decided}
		for _, t := range e.targets {
			o.targets = append(o.targets, keep(t))
		}
		c.open[openKey{r, keep(e.callID)}] = o
	}
}

// result closes an ask: the person's answer is a label.
func (c *counter) result(r *run, e *entry) {
	c.add(outcomes, e.outcome)
	if e.outcome != session.OutcomeDismissed {
		c.Results++
	}
	if e.failed {
		c.Errors++
	}
	key := openKey{r, e.callID}
	o, ok := c.open[key]
	if !ok || e.outcome == "" {
		return
	}
	delete(c.open, key)
	c.samples.at(int(o.sample)).answer(e.outcome)
	for _, name := range o.rules {
		switch f := c.fired[name]; e.outcome {
		case session.OutcomeAllowed:
			f.Allowed++
			f.share(o.targets)
		case session.OutcomeDismissed:
			f.Dismissed++
		}
	}
}

// share narrows the folder that the targets of all allowed calls lie in.
func (f *Rule) share(targets []string) {
	if len(targets) == 0 {
		f.nowhere = true
	}
	for _, t := range targets {
		dir := filepath.Dir(t)
		if f.folder == "" {
			f.folder = dir
		}
		for f.folder != "/" && dir != f.folder && !strings.HasPrefix(dir, f.folder+"/") {
			f.folder = filepath.Dir(f.folder)
		}
	}
}

// label takes what somebody said about a call, or about the end of a task.
func (c *counter) label(r *run, e *entry) {
	if e.event == session.LabelSuccess || e.event == session.LabelFailure {
		r.outcome = c.once(e.event)
	} else if s := saidOf(e.of, e.event, e.source); s.label != noLabel {
		r.said = append(r.said, s)
	}
}

// named is a call with what it was and is, and the finding that says most about it.
func named(e *entry, was, is string) Call {
	c := Call{
		Session: keep(e.session), Seq: e.seq, Tool: keep(e.tool), Input: keep(short(e.input, 100)), Was: keep(was), Is: keep(is),
	}
	c.Why = strongest(e)
	return c
}

// strongest is the first of the findings with the strongest action, in words.
func strongest(e *entry) string {
	best, why := agent.Allow, ""
	for _, h := range e.rules {
		if a := action(h.action); a > best {
			best, why = a, h.rule+": "+short(h.why, 100)
		}
	}
	return why
}

// short cuts a text to about n bytes, on a rune's border.
func short(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// sortedKeys gives the keys of a count of numbers in order.
func sortedKeys(m map[int64]int) []int64 { return slices.Sorted(maps.Keys(m)) }

// spreadOfCounts describes numbers that were counted in hundredths.
func spreadOfCounts(name string, m map[int64]int) Spread {
	s := Spread{Name: name}
	for _, n := range m {
		s.N += n
	}
	keys := sortedKeys(m)
	at := func(p float64) float64 {
		if s.N == 0 {
			return 0
		}
		left := rankIndex(s.N, p) + 1
		for _, k := range keys {
			if left -= m[k]; left <= 0 {
				return float64(k) / 100
			}
		}
		return 0
	}
	s.P10, s.P50, s.P90, s.P99, s.Max = at(10), at(50), at(90), at(99), at(100)
	return s
}

// place names a fault for a person.
func (f Fault) String() string {
	return fmt.Sprintf("%s: %d, first at %s:%d", f.Kind, f.N, f.File, f.Line)
}
