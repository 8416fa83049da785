package hook

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/policy/trigger"
)

// TestAllowWrite: a write outside allow_write is a hard finding, whatever tool does it and however the place is spelled
// (E7, E8, E9); without a list there is no limit.
func TestAllowWrite(t *testing.T) {
	for _, c := range []struct {
		name, tool, input string
		outside           bool
	}{
		{"inside", "Write", `{"file_path":"ROOT/src/a","content":"x"}`, false},
		{"a new folder inside", "Write", `{"file_path":"ROOT/src/new/a","content":"x"}`, false},
		{"relative, inside", "Write", `{"file_path":"src/a","content":"x"}`, false},
		{"the system", "Write", `{"file_path":"/etc/x","content":"x"}`, true},
		{"beside it", "Write", `{"file_path":"ROOT/other/a","content":"x"}`, true},
		{"the same beginning", "Write", `{"file_path":"ROOT/src-evil/a","content":"x"}`, true},
		{"up and out", "Write", `{"file_path":"ROOT/src/../other/a","content":"x"}`, true},
		{"relative, up and out", "Write", `{"file_path":"src/../other/a","content":"x"}`, true},
		{"through a link", "Write", `{"file_path":"ROOT/src/link/a","content":"x"}`, true},
		{"a link to a file", "Edit", `{"file_path":"ROOT/src/alias","old_string":"x","new_string":"y"}`, true},
		{"relative", "Edit", `{"file_path":"other/file","old_string":"x","new_string":"y"}`, true},
		{"a patch", "apply_patch", `{"command":"*** Begin Patch\n*** Update File: other/file\n@@\n-x\n+y\n*** End Patch"}`, true},
		{"a redirection", "Bash", `{"command":"echo x > other/a"}`, true},
		{"in another folder", "Bash", `{"command":"cd other && echo x > a"}`, true},
		{"tee", "Bash", `{"command":"echo x | tee other/a"}`, true},
		{"sed in place", "Bash", `{"command":"sed -i s/x/y/ other/file"}`, true},
		{"a copy", "Bash", `{"command":"cp src/file other/b"}`, true},
		{"a move", "Bash", `{"command":"mv src/file other/b"}`, true},
		{"a redirection inside", "Bash", `{"command":"echo x > src/a"}`, false},
		{"reading", "Bash", `{"command":"cat other/file"}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			if real, err := filepath.EvalSymlinks(r.proj); err == nil {
				r.proj, r.Root = real, real
			}
			for _, f := range []string{"src/file", "other/file", "src-evil/file"} {
				r.put(f, "x\n")
			}
			for link, to := range map[string]string{"link": "other", "alias": "other/file"} {
				if err := os.Symlink(filepath.Join(r.proj, to), filepath.Join(r.proj, "src", link)); err != nil {
					t.Skip(err)
				}
			}
			root, _ := json.Marshal(filepath.ToSlash(r.proj))
			input := strings.ReplaceAll(c.input, "ROOT", strings.Trim(string(root), `"`))
			r.call(c.tool, input)
			if got := r.last().Findings.String(); strings.Contains(got, trigger.Scope) {
				t.Errorf("without a list: %s", got)
			}
			r.Triggers.AllowWrite = []string{filepath.Join(r.proj, "src")}
			told, _ := r.call(c.tool, input)
			hard := fmt.Sprintf(`"rule":%q,"class":"hard"`, trigger.Scope)
			if got := r.last().Findings.String(); strings.Contains(got, hard) != c.outside {
				t.Errorf("found %s, want outside %v", got, c.outside)
			}
			if c.outside {
				says(t, told, "ask", trigger.Scope, "outside allow_write")
				r.remote.calls = 0
				if r.call(c.tool, input); r.remote.calls > 0 {
					t.Error("a judge was asked about a hard finding")
				}
			}
		})
	}
}
