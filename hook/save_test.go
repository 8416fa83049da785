package hook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/agent/codex"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/snapshot"
)

// saving is a rig that takes copies.
func saving(t *testing.T) *rig {
	r := newRig(t)
	limits := snapshot.DefaultLimits
	limits.Time = time.Minute
	r.Snapshots = &snapshot.Store{Dir: r.Store.Dir, Home: filepath.Dir(r.proj), Limits: limits, Now: time.Now}
	return r
}

// file puts a file into the project and gives its path.
func (r *rig) file(name, text string) string {
	r.t.Helper()
	r.put(name, text)
	return filepath.Join(r.proj, name)
}

func (r *rig) lastCall() session.Line {
	r.t.Helper()
	calls := r.lines(session.KindCall)
	if len(calls) == 0 {
		r.t.Fatal("no call is recorded")
	}
	return calls[len(calls)-1]
}

func (r *rig) copies() int {
	r.t.Helper()
	all, err := r.Snapshots.List(r.Store.Find(r.session, r.proj).Project())
	if err != nil {
		r.t.Fatal(err)
	}
	return len(all)
}

func TestSave(t *testing.T) {
	for _, tc := range []struct {
		name    string
		command string
		arrange func(*rig)
		told    string // part of what the agent is told; empty for silence
		copies  int
		line    func(session.Line) bool
	}{
		{"an ask becomes a notice", "rm -rf out", nil, "stepgate kept a copy of 1 file (5 B) before rm -rf out: stepgate undo ", 1,
			func(l session.Line) bool {
				return l.Snapshot != "" && l.Did == "allow" && l.Would == "allow" && strings.Contains(l.Findings.String(), `"lifted":"a copy is kept"`)
			}},
		{"an agent that cannot ask is spared the refusal", "rm -rf out", func(r *rig) { r.Protocol = codex.Protocol{} }, `{"systemMessage":"stepgate kept a copy`, 1, nil},
		{"audit says that it would have been", "rm -rf out", func(r *rig) { r.Mode = policy.Audit }, "", 0,
			func(l session.Line) bool {
				return l.Snapshot == "" && l.Would == "ask" && l.Did == "allow" && l.Detail.String() == "a copy of what is lost would have been kept"
			}},
		{"switched off", "rm -rf out", func(r *rig) { r.Snapshots = nil }, `"ask"`, 0, nil},
		{"too large", "rm -rf out", func(r *rig) { r.Snapshots.Limits.Bytes = 4 }, `"ask"`, 0,
			func(l session.Line) bool { return strings.HasPrefix(l.Detail.String(), "no copy was kept: ") }},
		{"no place for it", "rm -rf out", func(r *rig) { r.file("file", ""); r.Snapshots.Dir = filepath.Join(r.proj, "file") }, `"ask"`, 0, nil},
		{"another finding asks too", "rm -rf out; git push --mirror", nil, `"ask"`, 0, nil},
		{"the judge asks too", "rm -rf out", func(r *rig) { r.remote.ContradictsPlan = .7 }, `"ask"`, 0, nil},
		{"the judge denies", "rm -rf out", func(r *rig) { r.remote.ContradictsPlan = .95 }, `"deny"`, 0, nil},
		{"a hard rule denies", "rm -rf out ~", nil, `"deny"`, 0, nil},
		{"an earlier part writes there", "echo x > out/a; rm -rf out", nil, `"ask"`, 0, nil},
		{"outside the project", "rm -rf ../else", func(r *rig) { r.file("../else/x", "x") }, `"ask"`, 0, nil},
		{"nothing is lost", "rm -rf nowhere", nil, "", 0, func(l session.Line) bool { return l.Snapshot == "" && l.Detail.IsZero() }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := saving(t)
			r.file("out/a", "only\n")
			if tc.arrange != nil {
				tc.arrange(r)
			}
			told := r.bash(tc.command)
			if (tc.told == "") != (told == "") || !strings.Contains(told, tc.told) {
				t.Errorf("told %q, want %q in it", told, tc.told)
			}
			if _, err := os.Lstat(filepath.Join(r.proj, "out/a")); err != nil {
				t.Error(err)
			}
			if l := r.lastCall(); tc.line != nil && !tc.line(l) {
				t.Errorf("recorded would %s, did %s, snapshot %q, detail %q, findings %s", l.Would, l.Did, l.Snapshot, l.Detail, l.Findings)
			}
			if r.Snapshots != nil && r.Snapshots.Dir == r.Store.Dir && r.copies() != tc.copies {
				t.Errorf("%d copies, want %d", r.copies(), tc.copies)
			}
		})
	}
}

// Of a file that the session writes again and again the first version is kept, in silence; what a person made of it
// meanwhile is a first version again.
func TestSaveFirstVersion(t *testing.T) {
	r := saving(t)
	path := r.file("notes.md", "the person's\n")
	write := func(text string) session.Line {
		t.Helper()
		in, err := json.Marshal(map[string]string{"file_path": path, "content": text})
		if err != nil {
			t.Fatal(err)
		}
		if told, _ := r.call("Write", string(in)); told != "" {
			t.Fatalf("told %q", told)
		}
		r.file("notes.md", text)
		return r.lastCall()
	}
	first := write("one\n")
	if first.Snapshot == "" {
		t.Fatal("the first version was not kept")
	}
	for _, text := range []string{"two\n", "three\n"} {
		if l := write(text); l.Snapshot != first.Snapshot || r.copies() != 1 {
			t.Fatalf("snapshot %q, %d copies, want %q alone", l.Snapshot, r.copies(), first.Snapshot)
		}
	}
	r.file("notes.md", "the person's again\n")
	if l := write("four\n"); l.Snapshot == first.Snapshot || r.copies() != 2 {
		t.Errorf("snapshot %q, %d copies, want another than %q", l.Snapshot, r.copies(), first.Snapshot)
	}
	r.session = "s-2"
	r.file("notes.md", "of another session\n")
	if l := write("five\n"); l.Snapshot == "" || r.copies() != 3 {
		t.Errorf("snapshot %q, %d copies, want a third", l.Snapshot, r.copies())
	}
}

// What a call left is noted when its result comes, so that it does not count as newer work.
func TestSaveNotesWhatIsLeft(t *testing.T) {
	r := saving(t)
	path := r.file("notes.md", "only\n")
	if told := r.bash("date > notes.md"); !strings.Contains(told, "kept a copy") {
		t.Fatalf("told %q", told)
	}
	r.file("notes.md", "Sun Mar 1 2026\n")
	l := r.lastCall()
	r.result(l.CallID, false)
	plan := func() *snapshot.Plan {
		t.Helper()
		snap, err := r.Snapshots.Find(r.Store.Find(r.session, r.proj).Project(), l.Snapshot)
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.Snapshots.Plan(t.Context(), snap)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := plan(); len(p.Newer()) > 0 {
		t.Errorf("its own result counts as newer work: %+v", p.Steps)
	}
	r.file("notes.md", "newer\n")
	if p := plan(); len(p.Newer()) != 1 {
		t.Errorf("newer work does not count: %+v", p.Steps)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "newer\n" {
		t.Errorf("a look changed the file: %q, %v", b, err)
	}
	if len(r.complaints) > 0 {
		t.Errorf("complaints: %v", r.complaints)
	}
}

// The same call by two hooks is answered alike, and one line is written.
func TestSaveTwice(t *testing.T) {
	r := saving(t)
	r.file("out/a", "only\n")
	ev := r.event(agent.PreTool)
	ev.Name, ev.Call = "PreToolUse", agent.NewCall("t1", "Bash", `{"command":"rm -rf out"}`, r.proj)
	r.handle(ev)
	if out := r.handle(ev); strings.Contains(string(out.Stdout), "permissionDecision") {
		t.Errorf("the second hook was told %s", out.Stdout)
	}
	if n := len(r.lines(session.KindCall)); n != 1 || r.copies() != 1 {
		t.Errorf("%d lines, %d copies, want 1 and 1", n, r.copies())
	}
}
