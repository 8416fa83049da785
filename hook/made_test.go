package hook

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// run has a call judged, runs it if nothing stops it, and tells its result.
func (r *rig) run(command string) (told string) {
	r.t.Helper()
	in, _ := json.Marshal(map[string]string{"command": command})
	told, id := r.call("Bash", string(in))
	if told != "" {
		return told
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = r.proj
	err := cmd.Run()
	r.result(id, err != nil)
	return ""
}

// write is the same for a Write of a whole file.
func (r *rig) write(name, text string) (told string) {
	r.t.Helper()
	path := filepath.Join(r.proj, name)
	in, _ := json.Marshal(map[string]string{"file_path": path, "content": text})
	told, id := r.call("Write", string(in))
	if told == "" {
		r.put(name, text)
		r.result(id, false)
	}
	return told
}

// put writes a file behind the gate's back.
func (r *rig) put(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.proj, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// What the session made is its own, as long as nobody else has touched it; what it merely renamed is not.
func TestFilesOfTheSessionItself(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		do   func(*rig) string
		want string // empty: silence
	}{
		{"written, deleted", func(r *rig) string { r.write("a.tmp", "x"); return r.run("rm a.tmp") }, ""},
		{"redirected, deleted", func(r *rig) string { r.run("echo x > a.tmp"); return r.run("rm -f a.tmp") }, ""},
		{"written, written again", func(r *rig) string { r.write("a", "x"); return r.write("a", "y") }, ""},
		{"written, edited, deleted", func(r *rig) string { r.write("a", "x"); r.run("sed -i s/x/yy/ a"); return r.run("rm a") }, ""},
		{"written, appended to, deleted", func(r *rig) string { r.write("a", "x"); r.run("echo y >> a"); return r.run("rm a") }, ""},
		{"folder of its own", func(r *rig) string {
			r.run("mkdir -p out/sub && echo a > out/a && echo b > out/sub/b")
			return r.run("rm -rf out")
		}, ""},
		{"copied, copy deleted", func(r *rig) string { r.put("n", "x"); r.run("cp n n.bak"); return r.run("rm n.bak") }, ""},
		{"renamed, deleted under its new name", func(r *rig) string { r.write("a", "x"); r.run("mv a b"); return r.run("rm b") }, ""},
		{"somebody else's", func(r *rig) string { r.put("a", "x"); return r.run("rm a") }, "ask"},
		{"somebody else's, appended to", func(r *rig) string { r.put("a", "x"); r.run("echo y >> a"); return r.run("rm a") }, "ask"},
		{"somebody else's, renamed", func(r *rig) string { r.put("a", "x"); r.run("mv a b"); return r.run("rm b") }, "ask"},
		{"written, then changed by somebody", func(r *rig) string { r.write("a", "x"); r.put("a", "xyz"); return r.run("rm a") }, "ask"},
		{"written, then replaced by somebody", func(r *rig) string {
			r.write("a", "x")
			r.put("b", "x")
			if err := os.Rename(filepath.Join(r.proj, "b"), filepath.Join(r.proj, "a")); err != nil {
				r.t.Fatal(err)
			}
			return r.run("rm a")
		}, "ask"},
		{"one of its own, one not", func(r *rig) string { r.write("out/a", "x"); r.put("out/b", "y"); return r.run("rm -rf out") }, "ask"},
		{"call that failed", func(r *rig) string { r.run("echo x > a; false"); return r.run("rm a") }, "ask"},
		{"another session's", func(r *rig) string { r.write("a", "x"); r.session = "s-2"; return r.run("rm a") }, "ask"},
		{"far back", func(r *rig) string {
			r.write("a", "x")
			for range 60 {
				r.run("true")
			}
			return r.run("rm a")
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.Remote = nil
			told := c.do(r)
			if c.want == "" {
				silent(t, told)
				return
			}
			says(t, told, c.want, "only-copy")
		})
	}
}

// A name that holds a secret is not looked up again, so it is not in the record either.
func TestMaskedNamesAreNotKept(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Remote = nil
	r.write("ghp_"+"AbCdEfGhIjKlMnOpQrStUvWxYz0123456789", "x")
	if got := r.last().Creates; len(got) > 0 {
		t.Errorf("kept %v", got)
	}
}
