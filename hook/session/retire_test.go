package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const day = 24 * time.Hour

// age makes the files of a session look as if their last line was written that long ago.
func age(t *testing.T, s *Store, session string, by time.Duration) {
	t.Helper()
	files, err := s.Files(session)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-by)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRetire(t *testing.T) {
	for _, tc := range []struct {
		name  string
		idle  time.Duration
		pid   int
		keep  int
		where string
	}{
		{"active", 0, 0, 180, sessionsDir},
		{"idle for six days", 6 * day, 0, 180, sessionsDir},
		{"idle for eight days", 8 * day, 0, 180, archiveDir},
		{"idle while its agent runs", 8 * day, os.Getpid(), 180, sessionsDir},
		{"idle for long, whatever has the number now", 40 * day, os.Getpid(), 180, archiveDir},
		{"its agent is gone", 8 * day, 1 << 30, 180, archiveDir},
		{"past its keeping", 181 * day, 0, 180, ""},
		{"kept for good", 2000 * day, 0, 0, archiveDir},
		{"written in the future", -30 * day, 0, 180, sessionsDir},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStore(t)
			s.MaxBytes = 4 << 10
			f := s.Find("session-1", "/p")
			put(t, f, Line{Kind: KindStart, PID: tc.pid}, person("the plan"))
			for i := range 10 {
				put(t, f, call(fmt.Sprint("c", i), ""))
			}
			if _, err := f.Key(); err != nil {
				t.Fatal(err)
			}
			before, err := s.Files("session-1")
			if err != nil {
				t.Fatal(err)
			}
			age(t, s, "session-1", tc.idle)
			if err := s.Retire(time.Now(), tc.keep); err != nil {
				t.Fatal(err)
			}
			after, err := s.Files("session-1")
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, path := range before {
				if tc.where != "" {
					want = append(want, strings.Replace(path, filepath.Join(s.Dir, sessionsDir), filepath.Join(s.Dir, tc.where), 1))
				}
			}
			if len(before) < 2 || !slices.Equal(after, want) {
				t.Errorf("files %q, want %q", after, want)
			}
			if got, want := exists(f.keyPath()), tc.where != ""; got != want {
				t.Errorf("key kept: %v, want %v", got, want)
			}
			// An archived session goes on where it was.
			f = s.Find("session-1", "/p")
			put(t, f, call("again", ""))
			m := recall(t, f, "")
			calls, plan := 11, "the plan"
			if tc.where == "" {
				calls, plan = 1, ""
			}
			if m.Totals.Calls != calls || m.Plan.String() != plan {
				t.Errorf("then %d calls, plan %q, want %d and %q", m.Totals.Calls, m.Plan, calls, plan)
			}
			verified(t, s, "session-1")
		})
	}
}

func TestRetireIsBounded(t *testing.T) {
	s := newStore(t)
	for i := range maxRetired + 10 {
		id := fmt.Sprint("session-", i)
		put(t, s.Find(id, fmt.Sprint("/p", i%3)), Line{Kind: KindNote})
		age(t, s, id, 8*day)
	}
	put(t, s.Find("session-live", "/p0"), Line{Kind: KindNote})
	put(t, s.Find("session-locked", "/p0"), Line{Kind: KindNote})
	age(t, s, "session-locked", 8*day)
	unlock, err := s.Find("session-locked", "/p0").lock(true)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	for range 2 {
		if err := s.Retire(time.Now(), 180); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.Sessions()
	if err != nil || len(all) != maxRetired+12 {
		t.Fatalf("%d sessions, %v, want all %d", len(all), err, maxRetired+12)
	}
	var left []string
	for _, l := range all {
		if !l.Archived {
			left = append(left, l.Name)
		}
	}
	slices.Sort(left)
	// Others may share the lock that is taken.
	if !slices.Contains(left, "session-live") || !slices.Contains(left, "session-locked") || len(left) > 5 {
		t.Errorf("left in place: %q", left)
	}
}

func TestRetireNothing(t *testing.T) {
	s := newStore(t)
	if err := s.Retire(time.Now(), 180); err != nil {
		t.Errorf("without a state folder: %v", err)
	}
	if exists(s.Dir) {
		t.Error("the state folder was made")
	}
}

func TestRetireEmptyFolders(t *testing.T) {
	s := newStore(t)
	put(t, s.Find("session-1", "/p"), Line{Kind: KindNote})
	empty := filepath.Join(s.Dir, sessionsDir, "old-project")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.Retire(time.Now(), 0); err != nil || !exists(empty) {
		t.Errorf("a new folder: %v, there %v", err, exists(empty))
	}
	if err := os.Chtimes(empty, time.Time{}, time.Now().Add(-8*day)); err != nil {
		t.Fatal(err)
	}
	if err := s.Retire(time.Now(), 0); err != nil || exists(empty) {
		t.Errorf("an old one: %v, there %v", err, exists(empty))
	}
}
