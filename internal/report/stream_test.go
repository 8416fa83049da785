package report

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestBlocksAreUsedAgain: a record of more blocks than there are at a time gives the report of the same lines in a file a
// session, so no text of a block is kept; lines end at any byte of a block.
func TestBlocksAreUsedAgain(t *testing.T) {
	dir := t.TempDir()
	var all strings.Builder
	var split []string
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	blocks := 2*(2*runtime.GOMAXPROCS(0)+2) + 1
	for n := 0; all.Len() < blocks*blockBytes; n++ {
		begin := all.Len()
		for seq := 1; seq <= 6; seq++ {
			fmt.Fprintf(&all, `{"v":1,"kind":"call","time":%q,"seq":%d,"session":"s%d","agent":"claude","call_id":"c%d","tool":"T%d","would":"ask","did":"ask",`+
				`"findings":[{"rule":"r%d","class":"state","action":"ask","why":"w%d"}],"acts":[{"kind":"k%d","target":"/w/%d/f"}],"input":{"command":"%s"}}`+"\n",
				at.Format("2006-01-02T15:04:05.000Z"), seq, n, seq, n, n, n, n, n, strings.Repeat("x", 7001*seq))
			fmt.Fprintf(&all, `{"v":1,"kind":"result","time":%q,"session":"s%d","call_id":"c%d","outcome":"allowed"}`+"\n",
				at.Format("2006-01-02T15:04:05.000Z"), n, seq)
			at = at.Add(time.Second)
		}
		path := filepath.Join(dir, fmt.Sprintf("s%06d.jsonl", n))
		if err := os.WriteFile(path, []byte(all.String()[begin:]), 0o600); err != nil {
			t.Fatal(err)
		}
		split = append(split, path)
	}
	one := filepath.Join(dir, "all.jsonl")
	if err := os.WriteFile(one, []byte(all.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	read := func(paths ...string) Report {
		r, err := Read(paths, Options{Timeline: true})
		if err != nil {
			t.Fatal(err)
		}
		r.Files = 0
		return r
	}
	joined, apart := read(one), read(split...)
	if len(joined.Faults) != 0 || joined.Sessions != len(split) || len(joined.Fired) != len(split) || len(joined.Timeline) != 6 {
		t.Fatalf("%d sessions, %d rules, %d moments, faults %+v", joined.Sessions, len(joined.Fired), len(joined.Timeline), joined.Faults)
	}
	for _, m := range joined.Timeline {
		if m.Outcome != "allowed" || m.Tool != fmt.Sprintf("T%d", len(split)-1) {
			t.Errorf("moment %+v", m)
		}
	}
	if !reflect.DeepEqual(joined, apart) {
		t.Error("one file and many files give different reports")
	}
}

// TestTimelineIsOfTheNewestSession: whatever order the sessions come in, and where its lines stand.
func TestTimelineIsOfTheNewestSession(t *testing.T) {
	line := func(session string, seq, minute int) string {
		return fmt.Sprintf(`{"v":1,"kind":"call","time":"2026-03-01T12:%02d:00.000Z","seq":%d,"session":%q,"tool":"Bash","would":"allow","did":"allow"}`+"\n", minute, seq, session)
	}
	for _, c := range []struct {
		name  string
		files []string
	}{
		{"alone", []string{line("new", 1, 8) + line("new", 2, 9)}},
		{"last", []string{line("old", 1, 1), line("new", 1, 8) + line("new", 2, 9)}},
		{"first", []string{line("new", 1, 8) + line("new", 2, 9), line("old", 1, 1)}},
		{"interleaved", []string{line("new", 1, 1) + line("old", 1, 2) + line("new", 2, 9) + line("old", 2, 3)}},
		{"begun before the other", []string{line("new", 1, 0) + line("old", 1, 5) + line("old", 2, 6) + line("new", 2, 7)}},
		{"over two files", []string{line("new", 1, 8), line("new", 2, 9)}},
		{"with another between", []string{line("new", 1, 1), line("old", 1, 5), line("new", 2, 9)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var paths []string
			dir := t.TempDir()
			for i, text := range c.files {
				paths = append(paths, filepath.Join(dir, fmt.Sprint(i)))
				if err := os.WriteFile(paths[i], []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r, err := Read(paths, Options{Timeline: true})
			if err != nil || len(r.Timeline) != 2 || r.Timeline[0].Seq != 1 || r.Timeline[1].Seq != 2 {
				t.Errorf("timeline %+v, %v", r.Timeline, err)
			}
		})
	}
}

// TestShortLinesTakeLittleMemory: a file of nothing but line breaks, or of tiny lines, is read in bounded memory.
func TestShortLinesTakeLittleMemory(t *testing.T) {
	for _, text := range []string{"\n", "{}\n", "[]\n{}\n"} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			if err := os.WriteFile(path, []byte(strings.Repeat(text, blockBytes/len(text))), 0o600); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := Read([]string{path}, Options{}); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > 64<<20 {
				t.Errorf("1 MiB of lines took %d MB", got>>20)
			}
		})
	}
}
