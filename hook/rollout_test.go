package hook

import (
	"fmt"
	"testing"

	"github.com/stepgate/stepgate/policy"
)

// Outside what enforce is rolled out to, a call is audited: it runs, and the record says what enforce would have done
// (G19).
func TestRollOutByTool(t *testing.T) {
	r := newRig(t)
	r.remote.ShouldFlag = .95
	r.Enforces = func(tool string) bool { return tool == "Write" }
	for _, c := range []struct {
		tool, input, mode, did string
	}{
		{"Bash", `{"command":"mkdir out"}`, "audit", "allow"},
		{"Write", `{"file_path":"a","content":"x"}`, "enforce", "deny"},
	} {
		told, _ := r.call(c.tool, c.input)
		if c.did == "deny" {
			says(t, told, "deny", "should_flag")
		} else {
			silent(t, told)
		}
		if l := r.last(); l.Mode != c.mode || l.Would != "deny" || l.Did != c.did {
			t.Errorf("%s: mode %q, would %q, did %q", c.tool, l.Mode, l.Would, l.Did)
		}
	}
	if n := r.totals(); n.WouldDeny != 2 || n.Denied != 1 {
		t.Errorf("would deny %d, denied %d", n.WouldDeny, n.Denied)
	}
}

// A share of the sessions enforces; a session is in it or not from its first call to its last, and a larger share holds
// all that a smaller one holds.
func TestRollOutByShare(t *testing.T) {
	r := newRig(t)
	r.remote.ShouldFlag = .95
	r.Mode = policy.Enforce
	var before map[string]bool
	for _, share := range []float64{0, .3, .7, 1} {
		r.EnforceShare = share
		in := map[string]bool{}
		const sessions = 40
		for i := range sessions {
			r.session = fmt.Sprintf("session-%d", i)
			for call := range 2 {
				enforced := r.bash(fmt.Sprintf("mkdir a%v-%d", share*10, call)) != ""
				if call > 0 && enforced != in[r.session] {
					t.Fatalf("share %v: %s changes within itself", share, r.session)
				}
				in[r.session] = enforced
				want := "audit"
				if enforced {
					want = "enforce"
				}
				if l := r.last(); l.Mode != want || l.Would != "deny" {
					t.Fatalf("share %v: mode %q, would %q", share, l.Mode, l.Would)
				}
			}
		}
		n := 0
		for id, enforced := range in {
			if enforced {
				n++
			} else if before[id] {
				t.Errorf("share %v: %s was in a smaller share", share, id)
			}
		}
		if off := float64(n)/sessions - share; off > .2 || off < -.2 {
			t.Errorf("share %v: %d of %d sessions enforce", share, n, sessions)
		}
		before = in
	}
}
