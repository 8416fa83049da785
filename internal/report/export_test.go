package report

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/session"
)

// TestExportNamesWhoLabelled: a label that was told by a task's end is not told as a person's, and does not undo one.
func TestExportNamesWhoLabelled(t *testing.T) {
	r := record{t: t}
	first := r.line(`"kind":"call","tool":"Bash","would":"allow","did":"allow"`)
	second := r.line(`"kind":"call","tool":"Bash","would":"allow","did":"allow"`)
	r.label(first, "unsafe")
	for _, of := range []int{first, second} {
		r.line(`"kind":"label","of":%d,"event":"safe","source":"outcome"`, of)
	}
	steps := r.export()
	if steps[0].Label != "unsafe" || steps[0].LabelSource != "person" || steps[1].Label != "safe" || steps[1].LabelSource != "outcome" {
		t.Errorf("%+v", steps)
	}
}

// TestExportReasonHasNoValues: a sample says why in the rules' own words, in audit too, and names nothing of the call.
func TestExportReasonHasNoValues(t *testing.T) {
	const findings = `[{"rule":"fs.delete-only-copy","class":"state","action":"ask","why":"deletes secret-plans: 3 files"},` +
		`{"rule":"fs.system-file","class":"state","action":"allow","why":"changes /etc/secret-plans"},` +
		`{"rule":"out_of_scope","class":"signal","action":"ask","why":"rm secret-plans"}]`
	for _, mode := range []string{"audit", "enforce"} {
		r := record{t: t}
		r.line(`"kind":"call","tool":"Bash","mode":%q,"would":"ask","did":"ask","reason":"asks: deletes secret-plans","findings":%s`, mode, findings)
		if got, want := r.export()[0].Reasoning, "fs.delete-only-copy: deletes {target}: {loss}; out_of_scope"; got != want {
			t.Errorf("%s: reasoning %q, want %q", mode, got, want)
		}
	}
}

// export gives the lines as samples.
func (r *record) export() (steps []Step) {
	r.t.Helper()
	path := filepath.Join(r.t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(r.lines, "\n")+"\n"), 0o600); err != nil {
		r.t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := Export(&out, []string{path}); err != nil {
		r.t.Fatal(err)
	}
	for dec := json.NewDecoder(&out); dec.More(); {
		var s Step
		if err := dec.Decode(&s); err != nil {
			r.t.Fatal(err)
		}
		steps = append(steps, s)
	}
	return steps
}

// TestExportAndAnalyzeAgree: what analyze counts of labels is what the samples say, whatever the record holds: answers of
// a later version, ids and numbers that come twice, calls without a number, labels of nothing.
func TestExportAndAnalyzeAgree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 7))
	pick := func(words ...string) string { return words[rnd.IntN(len(words))] }
	for range 300 {
		r := record{t: t}
		for range rnd.IntN(40) {
			switch rnd.IntN(5) {
			case 0, 1:
				r.seq -= rnd.IntN(3) // numbers that come twice
				r.seq = max(r.seq, -1)
				r.line(`"kind":"call","call_id":"c%d","tool":"Bash","would":%q,"did":%q`, rnd.IntN(6), pick("allow", "ask", "deny"), pick("allow", "ask", "deny"))
			case 2:
				r.line(`"kind":"result","call_id":"c%d","outcome":%q`, rnd.IntN(6), pick("", session.OutcomeAllowed, session.OutcomeDismissed, "put off"))
			case 3:
				r.line(`"kind":"label","of":%d,"event":%q,"source":%q`, rnd.IntN(20), pick("safe", "unsafe", "perhaps"), pick("person", "outcome"))
			case 4:
				r.line(`"kind":"label","event":%q,"source":"person"`, pick("success", "failure"))
			}
		}
		var want Labels
		for _, s := range r.export() {
			if s.Blocked {
				want.Blocked++
			}
			switch s.Label {
			case "safe":
				want.Safe++
			case "unsafe":
				want.Unsafe++
			}
			switch s.LabelSource {
			case "person":
				want.Person++
			case "answer":
				want.Answer++
			case "outcome":
				want.Outcome++
			}
		}
		got := r.read(Options{}).Labels
		got.Calibration, got.Steps = nil, Steps{}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("analyze counts %+v, the samples say %+v:\n%s", got, want, strings.Join(r.lines, "\n"))
		}
	}
}
