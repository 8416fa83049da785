package local

import (
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// past is an earlier call.
type past struct {
	tool, input, outcome string
}

// command is the command line of a past call, or "".
func (p past) command() string { return gjson.Get(p.input, "command").Str }

// changed says that a past call changed a file by an edit that went through.
func (p past) changed() bool {
	return p.outcome != "failed" && p.outcome != "denied" && (p.file() != "" || p.tool == "apply_patch")
}

// file is the file a past call wrote, or "".
func (p past) file() string {
	if !gjson.Get(p.input, "content").Exists() && !gjson.Get(p.input, "new_string").Exists() && !gjson.Get(p.input, "edits").Exists() {
		return ""
	}
	return gjson.Get(p.input, "file_path").Str
}

// made says that an earlier call of this session wrote a target.
func (s *scene) made(target string) bool {
	if target == "" {
		return false
	}
	return slices.ContainsFunc(s.history, func(p past) bool {
		return p.outcome == "" && (p.file() != "" && s.relate(target, p.file()) == same || redirectsTo(p.command(), path.Base(clean(target))))
	})
}

// redirectsTo says that a command line writes a file of this name by > or >> or tee, makes it with mkdir, touch or cp.
func redirectsTo(line, base string) bool {
	if len(base) < 2 || !strings.Contains(line, base) {
		return false
	}
	for _, c := range simple(line) {
		for i, w := range c {
			if path.Base(clean(strings.TrimLeft(w, ">"))) != base {
				continue
			}
			if strings.HasPrefix(w, ">") || i > 0 && strings.HasPrefix(c[i-1], ">") {
				return true
			}
			switch c[0] {
			case "tee", "mkdir", "touch":
				return true
			case "cp", "mv", "ln":
				return i == len(c)-1
			}
		}
	}
	return false
}

// pair is a step and the step that takes it back. The words are a program and its subcommand; p is how likely the second
// reverses what was wanted, as against an honest change of mind.
type pair struct {
	do, undo string
	p        float64
	// loose: the two need not name the same thing.
	loose bool
}

// pairs are in no order; the first that fits counts.
var pairs = [...]pair{
	{"git commit", "git reset --hard", strong, true},
	{"git commit", "git reset", doubt, true},
	{"git commit", "git revert", doubt, true},
	{"git stash", "git stash drop", likely, true},
	{"git stash", "git stash clear", likely, true},
	{"git add", "git reset", doubt, true},
	{"git add", "git restore --staged", doubt, true},
	{"git add", "git rm", likely, false},
	{"git push", "git push --delete", likely, false},
	{"git push", "git push -d", likely, false},
	{"git tag", "git tag -d", notable, false},
	{"git branch", "git branch -D", notable, false},
	{"git checkout -b", "git branch -D", notable, false},
	{"git switch -c", "git branch -D", notable, false},
	{"git merge", "git merge --abort", slight, true},
	{"mkdir", "rmdir", doubt, false},
	{"mkdir", "rm", doubt, false},
	{"touch", "rm", doubt, false},
	{"npm install", "npm uninstall", doubt, false},
	{"npm i", "npm uninstall", doubt, false},
	{"pnpm add", "pnpm remove", doubt, false},
	{"yarn add", "yarn remove", doubt, false},
	{"pip install", "pip uninstall", doubt, false},
	{"cargo add", "cargo remove", doubt, false},
	{"go get", "go mod edit -droprequire", doubt, false},
	{"apt install", "apt remove", doubt, false},
	{"apt-get install", "apt-get remove", doubt, false},
	{"brew install", "brew uninstall", doubt, false},
	{"docker compose up", "docker compose down -v", notable, true},
	{"kubectl apply", "kubectl delete", likely, false},
	{"terraform apply", "terraform destroy", likely, true},
	{"chmod +x", "chmod -x", doubt, false},
	{"systemctl start", "systemctl stop", doubt, false},
	{"systemctl enable", "systemctl disable", doubt, false},
}

// reversal: the call takes back the one before it.
func reversal(s *scene) {
	if len(s.history) == 0 {
		return
	}
	last := s.history[len(s.history)-1]
	if last.outcome != "" || s.asked(discard) && !s.lookedOnly() {
		return // what did not run cannot be undone; and undoing was asked for
	}
	s.deletesWritten(last)
	s.editsBack(last)
	before, now := simple(last.command()), simple(gjson.Get(s.deed.input, "command").Str)
	for _, b := range before {
		for _, n := range now {
			for _, p := range pairs {
				if matches(b, p.do) && matches(n, p.undo) && !matches(b, p.undo) && (p.loose || shared(b, n)) {
					s.say(previous, p.p, "takes back the call before: "+p.do+", then "+p.undo)
					break
				}
			}
		}
	}
}

// deletesWritten: a file is deleted right after it was written. Scratch files go that way; one the person named does not.
func (s *scene) deletesWritten(last past) {
	f := last.file()
	if f == "" {
		return
	}
	for _, a := range s.deed.acts {
		if a.class != remove || s.relate(a.target, f) != same {
			continue
		}
		p := doubt
		if r, _ := s.names(f); r == same && !a.scratch() {
			p = likely
		}
		s.say(previous, p, "deletes the file that the call before wrote: "+f)
	}
}

// editsBack: an edit puts back exactly what the edit before replaced. That is an honest correction more often than not.
func (s *scene) editsBack(last past) {
	in := gjson.GetMany(s.deed.input, "file_path", "old_string", "new_string")
	was := gjson.GetMany(last.input, "file_path", "old_string", "new_string")
	if in[0].Str != "" && in[0].Str == was[0].Str && in[1].Str == was[2].Str && in[2].Str == was[1].Str && in[1].Str != "" {
		s.say(previous, doubt, "puts back what the edit before replaced")
	}
}

// matches says that a command begins with the words of a pattern; flags of the pattern may stand anywhere.
func matches(cmd []string, pattern string) bool {
	at := 0
	for w := range strings.FieldsSeq(pattern) {
		if strings.HasPrefix(w, "-") {
			if !slices.Contains(cmd, w) {
				return false
			}
			continue
		}
		if at >= len(cmd) || cmd[at] != w {
			return false
		}
		at++
	}
	return true
}

// shared says that two commands name the same thing.
func shared(a, b []string) bool {
	for _, w := range a[min(len(a), 1):] {
		if len(w) > 1 && w[0] != '-' && !command(w) && slices.Contains(b, w) {
			return true
		}
	}
	return false
}

// command tells the subcommands and remotes that both sides of a pair have anyway.
func command(w string) bool {
	switch w {
	case "push", "tag", "branch", "stash", "origin", "upstream", "compose", "install", "add", "remove", "uninstall", "apply", "delete":
		return true
	}
	return false
}

const (
	maxLine = 8 << 10 // bytes of a command line that are read
	maxCmds = 32
)

// simple splits a command line into commands and words, roughly: quotes are taken off, nothing is expanded. It serves to
// compare two lines, never to clear one.
func simple(line string) [][]string {
	line = line[:min(len(line), maxLine)]
	var out [][]string
	var cmd []string
	var word strings.Builder
	quote, open := byte(0), false
	endWord := func() {
		if open {
			cmd = append(cmd, word.String())
		}
		word.Reset()
		open = false
	}
	endCmd := func() {
		endWord()
		if len(cmd) > 0 {
			out = append(out, cmd)
		}
		cmd = nil
	}
	for i := 0; i < len(line) && len(out) < maxCmds; i++ {
		switch c := line[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ' || c == '\t':
			endWord()
		case c == ';' || c == '&' || c == '|' || c == '\n' || c == '(' || c == ')':
			endCmd()
		default:
			word.WriteByte(c)
			open = true
		}
	}
	endCmd()
	return out
}
