package redact

import (
	"os"
	"strings"
	"testing"
)

// Inputs of the sizes that the budgets are about: 10 µs for a typical call, 120 µs for 8 KB, 1 ms for 64 KB.
var (
	typicalCall = `{"command":"git -C /home/u/app diff --stat HEAD~3 -- src/ && go test ./... 2>&1 | tail -20","description":"Show what changed and run the tests"}`
	secretCall  = `{"command":"curl -s -u ci:hunter2Quiet https://api.example.com/v1 -H 'X-Api-Key: FAKEabcdef0123456789abcdef' && DB_PASSWORD=FAKEpw99 psql postgres://app:FAKEpw98@db/app"}`
)

// sourceCode is text of at least n bytes: this package's own source.
func sourceCode(tb testing.TB, n int) string {
	b, err := os.ReadFile("cut.go")
	if err != nil {
		tb.Fatal(err)
	}
	return strings.Repeat(string(b), n/len(b)+1)[:n]
}

func BenchmarkTypical(b *testing.B) { benchmarkInput(b, typicalCall) }
func BenchmarkSecrets(b *testing.B) { benchmarkInput(b, secretCall) }
func Benchmark8KB(b *testing.B)     { benchmarkInput(b, writeCall(b, 8<<10)) }
func Benchmark64KB(b *testing.B)    { benchmarkInput(b, writeCall(b, 64<<10)) }

func writeCall(tb testing.TB, n int) string {
	return `{"file_path":"/w/a.go","content":` + string(appendJSON(nil, sourceCode(tb, n))) + `}`
}

func benchmarkInput(b *testing.B, doc string) {
	m := New(Options{Key: testKey})
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		m.Input("Bash", doc)
	}
}

// TestAllocations: clean text costs none, a clean call only the copies of its strings and what is written.
func TestAllocations(t *testing.T) {
	m := New(Options{})
	text := "run the tests and show what changed"
	if n := testing.AllocsPerRun(100, func() { m.String(text) }); n != 0 {
		t.Errorf("String of a clean text: %v allocations, want 0", n)
	}
	if n := testing.AllocsPerRun(100, func() { m.Input("Bash", typicalCall) }); n > 6 {
		t.Errorf("Input of a clean call: %v allocations, want at most 6", n)
	}
}
