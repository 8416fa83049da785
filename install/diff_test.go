package install

import (
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	long := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat("x", i%7+1) + "\n")
		}
		return b.String()
	}
	tests := []struct {
		name          string
		before, after string
		existed       bool
		want          string
	}{
		{"same", "a\n", "a\n", true, ""},
		{"new file", "", "a\nb\n", false, "--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"one line", "a\nb\nc\n", "a\nB\nc\n", true, "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"no line end", "a", "a\n", true, "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"line ends of Windows", "a\r\n", "a\r\nb\r\n", true, "--- f\n+++ f\n@@ -1,1 +1,2 @@\n a\n+b\n"},
		{"two places", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", true,
			"--- f\n+++ f\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -7,3 +8,4 @@\n 7\n 8\n 9\n+10\n"},
		{"two close places", "1\n2\n3\n", "0\n1\n2\n3\n4\n", true, "--- f\n+++ f\n@@ -1,3 +1,5 @@\n+0\n 1\n 2\n 3\n+4\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Change{Real: "f", Existed: tt.existed, Before: []byte(tt.before), After: []byte(tt.after)}
			if got := c.Diff(); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	t.Run("removed file", func(t *testing.T) {
		c := Change{Real: "f", Existed: true, Before: []byte("a\n")}
		if got := c.Diff(); got != "--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n" {
			t.Error(got)
		}
	})
	t.Run("too large to align", func(t *testing.T) {
		a := long(5000)
		all := compare(lines(a), lines("y\n"+strings.ReplaceAll(a, "x\n", "z\n")+"y\n"))
		oldLen, newLen := count(all)
		if oldLen != 5000 || newLen != 5002 {
			t.Errorf("%d and %d lines", oldLen, newLen)
		}
	})
}
