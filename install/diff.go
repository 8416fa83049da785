package install

import (
	"fmt"
	"strings"
)

// context is how many unchanged lines are shown around a change.
const context = 3

// line of a diff: kept ' ', taken '-' or added '+'.
type line struct {
	op   byte
	text string
}

// Diff shows the change as a unified diff; empty for an empty one.
func (c Change) Diff() string {
	if c.Empty() {
		return ""
	}
	from, to := c.Real, c.Real
	if !c.Existed {
		from = "/dev/null"
	}
	if c.After == nil {
		to = "/dev/null"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", from, to)
	writeHunks(&b, compare(lines(string(c.Before)), lines(string(c.After))))
	return b.String()
}

func lines(text string) []string {
	l := strings.SplitAfter(text, "\n")
	if l[len(l)-1] == "" {
		l = l[:len(l)-1]
	}
	return l
}

// compare finds the longest common run of lines between the equal head and tail of two texts. What is too large for
// that is shown as replaced as a whole.
func compare(a, b []string) []line {
	const tooLarge = 4 << 20
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	out := mark(nil, ' ', a[:head])
	am, bm := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(am)*len(bm) > tooLarge {
		out = mark(mark(out, '-', am), '+', bm)
	} else {
		out = common(out, am, bm)
	}
	return mark(out, ' ', a[len(a)-tail:])
}

func mark(out []line, op byte, texts []string) []line {
	for _, t := range texts {
		out = append(out, line{op, t})
	}
	return out
}

func common(out []line, a, b []string) []line {
	// longest[i][j] is the length of the longest common subsequence of a[i:] and b[j:].
	longest := make([][]int32, len(a)+1)
	for i := range longest {
		longest[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			out = append(out, line{' ', a[i]})
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			out = append(out, line{'-', a[i]})
			i++
		default:
			out = append(out, line{'+', b[j]})
			j++
		}
	}
	return mark(mark(out, '-', a[i:]), '+', b[j:])
}

// writeHunks writes the changed lines with their surroundings, each run under its line numbers.
func writeHunks(b *strings.Builder, all []line) {
	oldNo, newNo := 1, 1 // of all[from]
	for from := 0; from < len(all); {
		first := from
		for first < len(all) && all[first].op == ' ' {
			first++
		}
		if first == len(all) {
			return
		}
		start := max(from, first-context)
		oldNo, newNo = oldNo+start-from, newNo+start-from
		end := hunkEnd(all, first)
		oldLen, newLen := count(all[start:end])
		fmt.Fprintf(b, "@@ -%s +%s @@\n", span(oldNo, oldLen), span(newNo, newLen))
		for _, l := range all[start:end] {
			b.WriteByte(l.op)
			b.WriteString(strings.TrimRight(l.text, "\r\n"))
			b.WriteByte('\n')
			if !strings.HasSuffix(l.text, "\n") {
				b.WriteString("\\ No newline at end of file\n")
			}
		}
		oldNo, newNo, from = oldNo+oldLen, newNo+newLen, end
	}
}

// hunkEnd goes on until two hunks' surroundings would no longer touch.
func hunkEnd(all []line, at int) int {
	end := at
	for i := at; i < len(all) && i <= end+2*context; i++ {
		if all[i].op != ' ' {
			end = i
		}
	}
	return min(end+1+context, len(all))
}

func count(part []line) (oldLen, newLen int) {
	for _, l := range part {
		if l.op != '+' {
			oldLen++
		}
		if l.op != '-' {
			newLen++
		}
	}
	return oldLen, newLen
}

func span(no, n int) string {
	if n == 0 {
		no-- // by custom an empty side names the line before
	}
	return fmt.Sprintf("%d,%d", no, n)
}
