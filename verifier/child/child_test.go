package child

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/verifier"
)

// The test binary plays the stepgate program: started as `… judge`, it behaves as the variable STEPGATE_PLAY says.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "judge" {
		play(os.Getenv("STEPGATE_PLAY"))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const verdict = `{"verdict":{"judge":"jev","input_tokens":8,"output_tokens":6,"answers":{"should_flag":0.4,"intent_consistency":{"score":3}}}}`

func play(part string) {
	in, _ := io.ReadAll(os.Stdin)
	switch part {
	case "good":
		var r verifier.Request
		if json.Unmarshal(in, &r) == nil && r.Plan.String() == "the plan" && r.Call.Input.String() == `{"command":"ls"}` {
			fmt.Println(verdict)
		}
	case "args":
		fmt.Printf(`{"error":{"kind":"config","message":%q}}`, strings.Join(os.Args[1:], " "))
	case "env":
		env := os.Environ()
		slices.Sort(env)
		fmt.Printf(`{"error":{"kind":"config","message":%q}}`, strings.Join(env, " "))
	case "refused":
		fmt.Print(`{"error":{"kind":"auth","message":"no","status":403}}`)
		os.Exit(1)
	case "crash":
		fmt.Fprintln(os.Stderr, "panic: secret")
		os.Exit(2)
	case "half":
		fmt.Print(verdict[:40])
	case "both":
		fmt.Print(verdict[:len(verdict)-1] + `,"error":{"kind":"auth","message":"no"}}`)
	case "range":
		fmt.Print(strings.Replace(verdict, "0.4", "1.4", 1))
	case "flood":
		for {
			if _, err := os.Stdout.Write(bytes.Repeat([]byte(" "), 64<<10)); err != nil {
				os.Exit(1)
			}
		}
	case "hang":
		// A grandchild in the same group, which must end too.
		c := exec.Command(os.Args[0], "judge")
		c.Env = []string{"STEPGATE_PLAY=sleep"}
		c.Stdin = os.Stdin
		if c.Start() == nil {
			os.WriteFile(os.Getenv("STEPGATE_PIDS"), fmt.Appendf(nil, "%d %d", os.Getpid(), c.Process.Pid), 0o600)
		}
		forever()
	case "sleep":
		forever()
	}
}

// forever waits in a way that the runtime does not take for a deadlock.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

func options(t *testing.T, part string) Options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Options{Path: self, Judge: "jev", Deadline: time.Minute, Environ: []string{"STEPGATE_PLAY=" + part}}
}

func request(t *testing.T) verifier.Request {
	t.Helper()
	r := verifier.Request{Plan: redact.New(redact.Options{}).String("the plan")}
	if err := json.Unmarshal([]byte(`{"command":"ls"}`), &r.Call.Input); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestVerify(t *testing.T) {
	c := Start(options(t, "good"))
	v, err := c.Verify(t.Context(), request(t))
	if err != nil || v.Answers.ShouldFlag != .4 || v.Answers.Intent.Score != 3 || v.InputTokens != 8 {
		t.Errorf("verdict %+v, error %v", v, err)
	}
	c.Close() // once more does no harm
}

func TestArguments(t *testing.T) {
	o := options(t, "args")
	o.Model, o.BaseURL, o.Deadline = "jev-preview", "https://a.example", 40*time.Second
	_, err := Start(o).Verify(t.Context(), request(t))
	if want := "judge --judge=jev --deadline-ms=40000 --model=jev-preview --base-url=https://a.example"; err == nil || err.Error() != want {
		t.Errorf("arguments %v, want %q", err, want)
	}
}

func TestEnvironment(t *testing.T) {
	o := options(t, "env")
	o.Environ = append(o.Environ, "HOME=/h", "XDG_STATE_HOME=/s", "TYPESAFE_BASE_URL=u", "HTTPS_PROXY=p", "CLAUDE_PLUGIN_OPTION_X=1", "LANG=C",
		"AWS_SECRET_ACCESS_KEY=no", "LD_PRELOAD=no", "PATH=/evil", "GIT_DIR=no", "ANTHROPIC_API_KEY=no", "MYSTEPGATE_X=no", "=odd", "alone")
	_, err := Start(o).Verify(t.Context(), request(t))
	want := "CLAUDE_PLUGIN_OPTION_X=1 HOME=/h HTTPS_PROXY=p LANG=C PATH=" + systemPath + " STEPGATE_PLAY=env TYPESAFE_BASE_URL=u XDG_STATE_HOME=/s"
	if runtime.GOOS == "windows" {
		t.Skip("Windows adds variables of its own")
	}
	if err == nil || err.Error() != want {
		t.Errorf("environment\n got %v\nwant %s", err, want)
	}
}

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		part string
		kind verifier.ErrorKind
	}{{"refused", verifier.Auth}, {"crash", verifier.BadAnswer}, {"half", verifier.BadAnswer}, {"both", verifier.BadAnswer},
		{"range", verifier.BadAnswer}, {"flood", verifier.BadAnswer}, {"silent", verifier.BadAnswer}} {
		_, err := Start(options(t, c.part)).Verify(t.Context(), request(t))
		if verifier.KindOf(err) != c.kind || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: error %v, want kind %s", c.part, err, c.kind)
		}
	}
	var e *verifier.Error
	_, err := Start(options(t, "refused")).Verify(t.Context(), request(t))
	if !errors.As(err, &e) || e.Status != 403 {
		t.Errorf("the status is lost: %+v", e)
	}
}

func TestCannotStart(t *testing.T) {
	for _, path := range []string{"", "stepgate", "./stepgate", filepath.Join(t.TempDir(), "stepgate"), t.TempDir()} {
		c := Start(Options{Path: path, Judge: "jev", Deadline: time.Minute})
		c.Close()
		if _, err := c.Verify(t.Context(), request(t)); verifier.KindOf(err) != verifier.Config {
			t.Errorf("%q: error %v", path, err)
		}
	}
}

// TestDeadline: a judge that hangs ends at the deadline together with what it started.
func TestDeadline(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	o := options(t, "hang")
	o.Environ = append(o.Environ, "STEPGATE_PIDS="+pids)
	c := Start(o)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { // the deadline comes when both processes run
		for {
			if b, _ := os.ReadFile(pids); len(strings.Fields(string(b))) == 2 {
				break
			}
			runtime.Gosched()
		}
		cancel()
	}()
	if _, err := c.Verify(ctx, request(t)); verifier.KindOf(err) != verifier.Timeout {
		t.Fatalf("error %v", err)
	}
	if err := <-c.done; err == nil {
		t.Error("the judge ended by itself")
	}
	b, _ := os.ReadFile(pids)
	for f := range strings.FieldsSeq(string(b)) {
		pid, _ := strconv.Atoi(f)
		for alive(pid) {
			runtime.Gosched() // it was told to end; a test that hangs here says that it was not
		}
	}
}

// TestOwnDeadline: without any from the caller the deadline of the options holds.
func TestOwnDeadline(t *testing.T) {
	o := options(t, "sleep")
	o.Deadline = time.Millisecond
	if _, err := Start(o).Verify(context.Background(), request(t)); verifier.KindOf(err) != verifier.Timeout {
		t.Errorf("error %v", err)
	}
}

func TestCloseEndsAnUnusedJudge(t *testing.T) {
	c := Start(options(t, "sleep"))
	c.Close()
	<-c.done
}
