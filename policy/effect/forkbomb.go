package effect

import "strings"

// forks finds a function that pipes into itself: :(){ :|:& };:
func forks(line string) bool {
	if loopsForever(unquoted(line)) {
		return true
	}
	s := strings.Join(strings.Fields(unquoted(line)), "")
	for from := 0; ; {
		i := strings.Index(s[from:], "(){")
		if i < 0 {
			return false
		}
		i += from
		from = i + 3
		start := i
		for start > 0 && !strings.ContainsRune(";&|(){}", rune(s[start-1])) {
			start--
		}
		if name := strings.TrimPrefix(s[start:i], "function"); name != "" && strings.HasPrefix(s[from:], name+"|"+name) {
			return true
		}
	}
}

// loopsForever finds an endless loop that starts processes in the background faster than it waits for them: a slow fork
// bomb.
func loopsForever(line string) bool {
	s := strings.Join(strings.Fields(strings.ReplaceAll(line, "\n", " ; ")), " ")
	for _, head := range [...]string{"while true; do ", "while :; do ", "while true ; do ", "while : ; do ", "while [[ 1 ]]; do ", "while [ 1 ]; do ", "while [ true ]; do ", "while ((1)); do ", "for ((;;)); do ", "until false; do "} {
		if i := strings.Index(s, head); i >= 0 {
			if body, _, ok := cutLast(s[i+len(head):], "done"); ok && runsAway(body) {
				return true
			}
		}
	}
	return false
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// runsAway: the body of a loop has a command in the background, and nothing behind the last of them makes the loop
// wait. What a subshell starts only a pause holds back; a condition that is false waits for nothing.
func runsAway(body string) bool {
	last, inner, depth := -1, false, 0
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if body[i] == '&' && (i == 0 || body[i-1] != '&' && body[i-1] != '>' && body[i-1] != '<') && (i+1 == len(body) || body[i+1] != '&' && body[i+1] != '>') {
			last = i
			inner = depth > 0
		}
	}
	if last < 0 {
		return false
	}
	held := func(c rune) bool { return c == ';' || c == '&' || c == '{' || c == '}' }
	for part := range strings.FieldsFuncSeq(body[last+1:], held) {
		word, rest, _ := strings.Cut(strings.TrimLeft(part, " )"), " ")
		switch {
		case in(word, "then else do"):
			word, _, _ = strings.Cut(rest, " ")
		case in(word, "if elif while until") && strings.HasPrefix(rest, "false"):
			return true
		}
		if in(word, "sleep read inotifywait exit") || in(word, "wait break") && !inner {
			return false
		}
	}
	return !strings.Contains(body, "sleep") || strings.Contains(body, "disown")
}

// unquoted drops what stands in quotes, unless the line hands it to a shell.
func unquoted(s string) string {
	if strings.Contains(s, "-c ") || strings.Contains(s, "eval ") {
		return s
	}
	var b strings.Builder
	var quote byte
	for i := 0; i < len(s); i++ {
		switch {
		case quote == 0 && (s[i] == '\'' || s[i] == '"'):
			quote = s[i]
		case quote == s[i]:
			quote = 0
		case quote == 0:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
