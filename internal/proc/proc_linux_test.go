package proc

import (
	"os"
	"testing"
)

func TestParseStat(t *testing.T) {
	const rest = " S 41 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 98765 1 2"
	for _, c := range []struct {
		name, stat string
		want       Process
		ok         bool
	}{
		{"plain", "42 (claude)" + rest, Process{42, 41, "claude", 98765}, true},
		{"a name like the end of one", "42 (a) S 1 (b)" + rest, Process{42, 41, "a) S 1 (b", 98765}, true},
		{"cut", "42 (claude) S 41", Process{}, false},
		{"empty", "", Process{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := parseStat(42, c.stat)
			if ok != c.ok || ok && got != c.want {
				t.Errorf("%+v, %v; want %+v, %v", got, ok, c.want, c.ok)
			}
		})
	}
}

func TestAncestors(t *testing.T) {
	up := Ancestors(os.Getpid())
	if len(up) == 0 || up[0].PID != os.Getppid() || up[0].Start == 0 {
		t.Errorf("ancestors %+v, want %d first", up, os.Getppid())
	}
	if a := Agent(os.Getpid()); shell(a.Name) && a != up[len(up)-1] {
		t.Errorf("agent %+v is a shell", a)
	}
}
