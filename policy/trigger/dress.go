package trigger

import (
	"path"
	"slices"
	"strings"
)

// undress gives the checks that a command line runs, without what only says how: the folder it changes to, the runner in
// front, flags, and the end of a long output that is shown. ok says that the line is one run of a verifier and no more.
func undress(line string) (bare string, ok bool) {
	line = strings.TrimSpace(line)
	if to, rest, found := strings.Cut(line, "&&"); found && strings.HasPrefix(to, "cd ") {
		line = rest
	}
	if run, view, found := strings.Cut(line, "|"); found {
		if word, _, _ := strings.Cut(strings.TrimSpace(view), " "); word != "tail" && word != "head" && word != "cat" || strings.ContainsAny(view, "|&;>") {
			return "", false
		}
		line = run
	}
	line = strings.TrimSuffix(strings.TrimSpace(line), "2>&1")
	if strings.ContainsAny(line, "|&;<>`$(\n'\"") || len(line) > 512 {
		return "", false
	}
	ws := strings.Fields(line)
	for len(ws) > 1 && ws[1] != "test" && (strings.Contains(ws[0], "=") || slices.Contains(runners[:], ws[0]) || ws[0] != "" && slices.Contains(runWords[:], strings.TrimLeft(ws[0], "-"))) {
		ws = ws[1:]
	}
	if len(ws) == 0 {
		return "", false
	}
	name := path.Base(ws[0])
	_, ok = slices.BinarySearch(verifiers[:], name)
	if ok = ok || len(ws) > 1 && ws[1] == "test" && slices.Contains(testers[:], name); !ok {
		return "", false
	}
	b := []byte(name)
	for _, w := range ws[1:] {
		if w[0] != '-' {
			b = append(append(b, ' '), w...)
		}
	}
	return string(b), true
}

// testers run a project's tests with the word test.
var testers = [...]string{"bun", "cargo", "deno", "dotnet", "go", "make", "mix", "npm", "pnpm", "rake", "swift", "yarn", "zig"}

// summary are the lines of a verifier's output that say what it found, without what frames them; all of it where there
// are none.
func summary(text string) string {
	var b []byte
	for line := range strings.Lines(text) {
		low := strings.ToLower(line)
		if strings.Contains(low, "fail") || strings.Contains(low, "error") || strings.Contains(low, "pass") {
			b = append(append(b, strings.Trim(line, "=-* \t\r\n")...), '\n')
		}
	}
	if len(b) == 0 {
		return text
	}
	return string(b)
}

// lastWords are those of what is looked at that tell how it stands.
func lastWords(text string) string { return strings.ToLower(text[max(0, len(text)-400):]) }

// goesOn: what is waited for is still at work.
func goesOn(text string) bool {
	low := lastWords(text)
	for _, on := range [...]string{"running", "progress", "pending", "queued", "waiting", "starting", "retry", "connecting", "creating", "building", "installing", "downloading"} {
		if strings.Contains(low, on) {
			return true
		}
	}
	return false
}

// over: what is waited for has ended. As long as anything tells of work that goes on, it has not.
func over(text string) bool {
	if goesOn(text) {
		return false
	}
	low := lastWords(text)
	for _, end := range [...]string{"exiting", "exited", "fatal", "traceback", "panic:", "aborted", "terminated", "killed", "segmentation fault", "out of memory", "command not found",
		"build failed", "exit code", "exit status", "\"failure\"", "\"completed\"", "\"cancelled\""} {
		if strings.Contains(low, end) {
			return true
		}
	}
	return false
}
