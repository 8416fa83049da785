package stepgate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Budgets of stepgate-hook, which starts once for every tool call. All but the size are the same on every machine.
const (
	maxPackages   = 170      // packages linked, ours and the standard library's
	maxInitBytes  = 64 << 10 // allocated before main
	maxInitAllocs = 400
	// Bytes of the binary, stripped. A page costs a call about 0.3 µs, for all of them are mapped at once; size is held so
	// that growth is noticed. It was 6 MiB before snapshots, triggers and policies, and 7 before most languages were read.
	maxSize = 15 << 19
)

// forbidden are packages the hook must not link at all: network, templates, key store and command-line libraries.
var forbidden = []string{
	"net/http", "net/smtp", "net/rpc", "net/mail", "net/textproto",
	"crypto/tls", "crypto/x509",
	"text/template", "html/template",
	"log/slog", "os/user", "plugin", "testing",
	"github.com/zalando/go-keyring", "github.com/godbus/dbus/v5",
	"github.com/hashicorp/go-retryablehttp",
	"github.com/alecthomas/kong", "github.com/spf13/cobra",
	"go.yaml.in/yaml/v3", "gopkg.in/yaml.v3",
}

// onlyThrough lists packages that the hook links for the sake of a dependency and of nothing else.
var onlyThrough = []struct {
	pkg string
	who []string
}{
	// The shell parser's folder for files compiles one expression.
	{"regexp", []string{"mvdan.cc/sh/v3/fileutil"}},
	// The system calls of Windows know the types of addresses. That nothing can open a connection with them is
	// TestHookHasNoDialer's to show.
	{"net", []string{"golang.org/x/sys/windows"}},
	{"net/url", nil},
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

// hookDeps lists what the hook links on a system.
func hookDeps(t *testing.T, goos string) []goPackage {
	t.Helper()
	c := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports", "./cmd/stepgate-hook")
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	var pkgs []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return pkgs
		case err != nil:
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

func TestHookImports(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		t.Run(goos, func(t *testing.T) {
			pkgs := hookDeps(t, goos)
			for _, p := range pkgs {
				if slices.Contains(forbidden, p.ImportPath) {
					t.Errorf("the hook links %s, through %v", p.ImportPath, importers(pkgs, p.ImportPath))
				}
			}
			for _, row := range onlyThrough {
				for _, who := range importers(pkgs, row.pkg) {
					if !slices.Contains(row.who, who) {
						t.Errorf("%s imports %s; on the hook's path only %v may", who, row.pkg, row.who)
					}
				}
			}
			t.Logf("%d packages", len(pkgs))
			if len(pkgs) > maxPackages {
				t.Errorf("the hook links %d packages, more than %d", len(pkgs), maxPackages)
			}
		})
	}
}

func importers(pkgs []goPackage, path string) []string {
	var who []string
	for _, p := range pkgs {
		if slices.Contains(p.Imports, path) {
			who = append(who, p.ImportPath)
		}
	}
	return who
}

// hookBinary builds the hook as it is released, once, and keeps the symbols when they are asked for.
func hookBinary(t *testing.T, symbols bool) string {
	t.Helper()
	ldflags := "-s -w"
	if symbols {
		ldflags = "-w"
	}
	bin := filepath.Join(t.TempDir(), "stepgate-hook")
	c := exec.Command("go", "build", "-trimpath", "-ldflags="+ldflags, "-o", bin, "./cmd/stepgate-hook")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}

// emptyEnv is an environment in which a program of ours finds nothing of the person's who runs the tests.
func emptyEnv(t *testing.T, more ...string) []string {
	t.Helper()
	home := t.TempDir()
	return append([]string{
		"HOME=" + home,
		"STEPGATE_CONFIG_HOME=" + filepath.Join(home, "config"),
		"STEPGATE_STATE_HOME=" + filepath.Join(home, "state"),
	}, more...)
}

func TestHookStart(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the hook")
	}
	bin := hookBinary(t, false)
	info, err := os.Stat(bin)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes stripped", info.Size())
	if info.Size() > maxSize {
		t.Errorf("the hook has %d bytes, more than %d", info.Size(), maxSize)
	}

	c := exec.Command(bin, "claude")
	c.Env = emptyEnv(t, "GODEBUG=inittrace=1")
	c.Stdin = strings.NewReader(`{"hook_event_name":"Notification","session_id":"s","cwd":"/"}`)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	cost := parseInitTrace(stderr.String())
	first := slices.IndexFunc(cost, func(c initCost) bool { return c.pkg == module+"/internal/stack" })
	if first < 0 || slices.ContainsFunc(cost[:first], func(c initCost) bool { return c.allocs > 0 }) {
		t.Errorf("internal/stack is not initialised before what allocates: %v", cost)
	}
	slices.SortFunc(cost, func(a, b initCost) int { return b.bytes - a.bytes })
	bytes, allocs := 0, 0
	for i, c := range cost {
		bytes, allocs = bytes+c.bytes, allocs+c.allocs
		if i < 5 {
			t.Logf("%6d bytes %4d allocations in %s", c.bytes, c.allocs, c.pkg)
		}
	}
	if bytes == 0 {
		t.Fatal("the runtime printed no init trace")
	}
	t.Logf("%d bytes, %d allocations before main", bytes, allocs)
	if bytes > maxInitBytes || allocs > maxInitAllocs {
		t.Errorf("%d bytes in %d allocations before main, more than %d in %d", bytes, allocs, maxInitBytes, maxInitAllocs)
	}
}

type initCost struct {
	pkg           string
	bytes, allocs int
}

// parseInitTrace reads the runtime's lines: init PKG @0.1 ms, 0.01 ms clock, 376 bytes, 8 allocs.
func parseInitTrace(s string) []initCost {
	var cost []initCost
	for line := range strings.Lines(s) {
		f := strings.Fields(line)
		if len(f) < 11 || f[0] != "init" || f[10] != "allocs" {
			continue
		}
		b, err1 := strconv.Atoi(f[7])
		a, err2 := strconv.Atoi(f[9])
		if err1 == nil && err2 == nil {
			cost = append(cost, initCost{f[1], b, a})
		}
	}
	return cost
}

// TestHookHasNoDialer looks at what the linker kept: the process that reads hostile input has no code that opens a
// connection.
func TestHookHasNoDialer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the hook")
	}
	out, err := exec.Command("go", "tool", "nm", hookBinary(t, true)).Output()
	if err != nil {
		t.Fatalf("go tool nm: %v", err)
	}
	symbols := string(out)
	if !strings.Contains(symbols, " main.main\n") {
		t.Fatal("the symbol table does not name main.main")
	}
	for line := range strings.Lines(symbols) {
		f := strings.Fields(line)
		name := f[len(f)-1]
		for _, dialer := range []string{"net.(*Dialer).", "net.(*sysDialer).", "net.(*ListenConfig).", "net.Dial", "net.Listen", "syscall.Connect", "net/http.", "crypto/tls."} {
			if strings.HasPrefix(name, dialer) {
				t.Errorf("the hook holds %s", name)
			}
		}
	}
}
