package report

import (
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
)

// at decides again by other thresholds.
func at(deny, flag float64) *Other {
	return &Other{Policy: func(t session.Thresholds) policy.Options {
		o := AsRecorded(t)
		o.DenyAbove, o.FlagAbove = deny, flag
		return o
	}}
}

func read(t *testing.T, again *Other) Report {
	t.Helper()
	r, err := Read([]string{"testdata/session.jsonl"}, Options{Again: again})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCounts(t *testing.T) {
	r := read(t, nil)
	if r.Files != 1 || r.Lines != 10 || r.Unparseable != 1 || r.Calls != 7 || r.Divergent != 1 {
		t.Errorf("files %d, lines %d, unparseable %d, calls %d, divergent %d", r.Files, r.Lines, r.Unparseable, r.Calls, r.Divergent)
	}
	for _, c := range []struct {
		what   string
		counts []Count
		want   string
	}{
		{"would", r.Would, "allow 4, ask 2, deny 1"},
		{"did", r.Did, "allow 5, ask 1, deny 1"},
		{"tools", r.Tools, "Bash 6, Edit 1"},
		{"outcomes", r.Outcomes, "allowed by a human 1"},
		{"rules", r.Rules, "contradicts_plan 2, fs.wipe-home 1"},
		{"health", r.Health, "gate_unhealthy 1"},
		{"failures", r.Failures, "the judge failed 1"},
		{"judges", r.Judges, "jev 6, local 1"},
	} {
		if got := say(c.counts); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
	if d := r.Divergences; len(d) != 1 || d[0].Seq != 4 || d[0].Was != "allow" || d[0].Is != "ask" || !strings.HasPrefix(d[0].Why, "contradicts_plan") {
		t.Errorf("divergences %+v", d)
	}
	if r.TokensIn != 700 || r.TokensOut != 70 {
		t.Errorf("tokens %d, %d", r.TokensIn, r.TokensOut)
	}
}

func say(counts []Count) string {
	var parts []string
	for _, c := range counts {
		parts = append(parts, c.Name+" "+string(rune('0'+c.N)))
	}
	return strings.Join(parts, ", ")
}

func TestSpreads(t *testing.T) { // nearest rank of .1 .2 .3 .4 .55 .7 .85
	r := read(t, nil)
	if got, want := r.Questions[0], (Spread{"contradicts_plan", 7, .1, .4, .85, .85, .85}); got != want {
		t.Errorf("contradicts_plan %+v, want %+v", got, want)
	}
	if got, want := r.Intent, (Spread{"intent", 7, 3, 3, 3, 3, 3}); got != want {
		t.Errorf("intent %+v, want %+v", got, want)
	}
	if got, want := r.Stages[0], (Spread{"judge", 7, 10, 40, 80, 80, 80}); got != want {
		t.Errorf("stage %+v, want %+v", got, want)
	}
}

func TestNearestRank(t *testing.T) {
	v := []float64{15, 20, 35, 40, 50}
	for _, c := range []struct{ p, want float64 }{{5, 15}, {30, 20}, {40, 20}, {50, 35}, {100, 50}} {
		if got := rank(v, c.p); got != c.want {
			t.Errorf("percentile %g is %g, want %g", c.p, got, c.want)
		}
	}
}

// TestDeadThresholdIsNamed: a threshold above nearly all scores is told with a value that decides, once there are enough.
func TestDeadThresholdIsNamed(t *testing.T) {
	for _, c := range []struct {
		calls int
		want  bool
	}{{fewScores - 1, false}, {fewScores, true}} {
		r := record{t: t}
		for range c.calls {
			r.line(`"kind":"call","tool":"Bash","judge":"jev","would":"allow","did":"allow","score":0.85,"answers":{"should_flag":0.85},"thresholds":{"deny_above":0.9,"flag_above":0.6}`)
		}
		advice := strings.Join(r.read(Options{}).Advice, "\n")
		if got := strings.Contains(advice, "deny_above 0.90 decides next to nothing: 99 of 100 scores are at most 0.85"); got != c.want {
			t.Errorf("%d calls: advice %q", c.calls, advice)
		}
	}
}

func TestAtRecordedThresholdsChangesNothing(t *testing.T) {
	if r := read(t, at(.9, .6)); *r.Changed != 0 {
		t.Errorf("%d calls changed: %+v", *r.Changed, r.Changes)
	}
}

func TestAtOtherThresholds(t *testing.T) {
	r := read(t, at(.8, .5))
	if *r.Changed != 2 || r.Changes[0].Seq != 3 || r.Changes[0].Is != "ask" || r.Changes[1].Seq != 5 || r.Changes[1].Is != "deny" {
		t.Errorf("%d changed: %+v", *r.Changed, r.Changes)
	}
	if r := read(t, at(.95, .9)); *r.Changed != 2 { // the hard rule holds
		t.Errorf("%d changed: %+v", *r.Changed, r.Changes)
	}
}

// TestShadow (G20): what a configuration that is only tried would have decided otherwise.
func TestShadow(t *testing.T) {
	r := record{t: t}
	for _, tried := range []string{"allow", "deny", "ask"} {
		r.line(`"kind":"call","call_id":"c","tool":"Bash","input":{},"mode":"enforce","would":"allow","did":"allow","judge":"local","shadow":{"would":%q,"by":"deny_above = 0.5","config":"abc"}`, tried)
	}
	got := r.read(Options{})
	if got.Tried != 3 || got.TriedChanged != 2 || got.TriedChanges[0].Seq != 2 || got.TriedChanges[0].Is != "deny" {
		t.Errorf("%d tried, %d changed: %+v", got.Tried, got.TriedChanged, got.TriedChanges)
	}
}

// TestInterventions (E33, E34): stops by the session's state are counted with what they may have saved.
func TestInterventions(t *testing.T) {
	if got := estAvoided(200_000, 900); !near(got, 199100.0/1e6*3) {
		t.Errorf("estAvoided(200000, 900) = %g", got)
	}
	r := record{t: t}
	for _, action := range []string{"ask", "allow"} {
		r.line(`"kind":"call","call_id":"c","tool":"Bash","input":{},"mode":"enforce","would":%q,"did":%q,"judge":"local",`+
			`"findings":[{"rule":"session.repeat","class":"state","severity":"medium","action":%q,"why":"made 3 times"}],"totals":{"calls":1,"state":{"tokens":900}}`, action, action, action)
	}
	if got := r.read(Options{}); got.Interventions != 1 || !near(got.EstAvoided, .5973) {
		t.Errorf("%d interventions, %g avoided, want 1 and .5973", got.Interventions, got.EstAvoided)
	}
}
