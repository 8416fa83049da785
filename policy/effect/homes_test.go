package effect

import (
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
)

// A folder that holds the project is no temporary one, wherever it lies.
func TestFolderAroundTheProject(t *testing.T) {
	w := &World{Root: "/tmp/a/shop", CWD: "/tmp/a/shop", Home: "/home/ann", Temps: []string{"/tmp"}}
	for p, want := range map[string]Place{"/tmp/a": Outside, "/tmp/a/shop": InProject, "/tmp/a/other": InTemp, "/tmp/b": InTemp} {
		if got := w.place(p); got != want {
			t.Errorf("place(%q) = %q, want %q", p, got, want)
		}
	}
}

// Where the environment names another home than the account's, both are homes: ~ is what the environment says, as in a
// shell, and neither may be lost.
func TestTwoHomes(t *testing.T) {
	w := &World{Root: "/tmp/x/w/shop", CWD: "/tmp/x/w/shop", Home: "/home/ann", EnvHome: "/tmp/x/home/dev", Temps: []string{"/tmp"}}
	for p, want := range map[string]Place{
		"/home/ann": Home, "/tmp/x/home/dev": Home, "/tmp/x": Root, "/tmp/x/home": Root, "/tmp/x/w/shop/a": InProject,
		"/tmp/x/home/dev/notes": InHome, "/home/ann/notes": InHome, "/tmp/y": InTemp,
	} {
		if got := w.place(p); got != want {
			t.Errorf("place(%q) = %q, want %q", p, got, want)
		}
	}
	for _, command := range []string{"rm -rf ~", "rm -rf $HOME", "rm -rf ../..", "rm -rf ./build/../../.."} {
		acts := w.Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: command, CWD: w.CWD}).Acts
		if len(acts) == 0 || acts[0].Place != Home && acts[0].Place != Root {
			t.Errorf("%s: %+v", command, acts)
		}
	}
}
