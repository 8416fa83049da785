package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestOff: the times without the gate begin with the switch, or with the first call where no line tells of one, and end
// with what came after them.
func TestOff(t *testing.T) {
	r := record{t: t}
	call := func(mode string) { r.line(`"kind":"call","tool":"Bash","mode":%q,"would":"allow","did":"allow"`, mode) }
	call("audit")
	r.line(`"kind":"mode","event":"mode_changed","mode":"off","detail":"audit to off"`)
	call("off")
	call("off")
	r.line(`"kind":"mode","event":"mode_change_refused","mode":"audit","detail":"off to audit"`)
	call("off")
	call("enforce")
	r.line(`"kind":"mode","event":"mode_changed","mode":"off","detail":"enforce to off","source":"prompt"`)
	r.line(`"kind":"mode","event":"mode_changed","mode":"audit","detail":"off to audit"`) // no call ran in between
	call("off")
	call("off")
	got := r.read(Options{})
	var off []string
	for _, o := range got.Off {
		off = append(off, fmt.Sprintf("%s to %s: %d", o.From.Format(time.TimeOnly), o.To.Format(time.TimeOnly), o.Calls))
	}
	if s := strings.Join(off, ", "); s != "12:00:02 to 12:00:07: 3, 12:00:10 to 12:00:11: 2" {
		t.Errorf("off %s", s)
	}
	if s := got.Switches; len(s) != 4 || s[1].Event != "mode_change_refused" || s[2].Source != "prompt" || s[3].Detail != "off to audit" {
		t.Errorf("switches %+v", s)
	}
	var b bytes.Buffer
	if err := got.HTML(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"12:00 UTC: 3 calls in session s", "off to audit (refused)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// TestOffIsBounded: a record of nothing but switches costs no more than one of some.
func TestOffIsBounded(t *testing.T) {
	r := record{t: t}
	for range 3 * maxSwitches {
		r.line(`"kind":"call","tool":"Bash","mode":"off","would":"allow","did":"allow"`)
		r.line(`"kind":"mode","event":"mode_changed","mode":"audit","detail":"off to audit"`)
	}
	if got := r.read(Options{}); len(got.Off) != maxSwitches || len(got.Switches) != maxSwitches {
		t.Errorf("%d times off and %d switches", len(got.Off), len(got.Switches))
	}
}

// TestJudgeCosts: tokens and time count for the judge that took them; what nobody answered costs nobody.
func TestJudgeCosts(t *testing.T) {
	r := record{t: t}
	r.line(`"kind":"call","judge":"jev","answers":{"should_flag":0.1},"tokens":{"in":100,"out":5},"ms":{"judge":1500,"mask":1}`)
	r.line(`"kind":"call","judge":"jev","answers":{"should_flag":0.1},"cached":true,"ms":{"judge":1}`)
	r.line(`"kind":"call","judge":"local","answers":{"should_flag":0.1},"ms":{"judge":499}`)
	r.line(`"kind":"call","judge":"skip"`)
	if got := fmt.Sprint(r.read(Options{}).JudgeCosts); got != "[{jev 2 1 100 5 1501} {local 1 0 0 0 499}]" {
		t.Errorf("got %s", got)
	}
}

// TestDivergences: a call that was refused because its agent cannot ask is what enforce does, and no example of an odd one.
func TestDivergences(t *testing.T) {
	r := record{t: t}
	r.line(`"kind":"call","tool":"Bash","mode":"enforce","would":"ask","did":"deny","outcome":"not askable"`)
	odd := r.line(`"kind":"call","tool":"Bash","mode":"audit","would":"ask","did":"allow"`)
	got := r.read(Options{})
	if got.Divergent != 2 || got.NotAskable != 1 || len(got.Divergences) != 1 || got.Divergences[0].Seq != int64(odd) {
		t.Errorf("%d of which %d not askable; %+v", got.Divergent, got.NotAskable, got.Divergences)
	}
}

// TestReadiness: whoever enforces already is not told to stay in audit.
func TestReadiness(t *testing.T) {
	r := record{t: t}
	for range 20 {
		r.line(`"kind":"call","tool":"Bash","mode":"audit","would":"allow","did":"allow"`)
	}
	if got := fmt.Sprint(r.read(Options{}).Advice); !strings.Contains(got, "stay in audit") {
		t.Errorf("in audit: %s", got)
	}
	r.line(`"kind":"call","tool":"Bash","mode":"enforce","would":"allow","did":"allow"`)
	if got := r.read(Options{}).Advice; len(got) > 0 {
		t.Errorf("in enforce: %q", got)
	}
}
