package redact

import "strings"

// risky are words that a judge should see wherever in a long text they stand, the gravest first. They only choose what
// is shown: a text without any is shown by its beginning and its end.
var risky = [...]string{
	"rm -", "rmtree", "rmsync", "rmdir", "unlink", "mkfs", "dd if=", "shred", "truncate", "drop table", "drop database", "delete from",
	"reset --hard", "push --force", "push -f", "--no-verify", "--force", "delete", "destroy", "purge", "wipe",
	"curl ", "wget ", "netcat", "/dev/tcp", "exfil", "upload", "webhook", "socket", "requests.post", "http.post", "fetch(", "base64",
	"id_rsa", "authorized_keys", "/.ssh", "/.aws", ".env", "/etc/", "private_key", "private key", "credential", "password", "passwd", "secret", "token", "api_key", "apikey",
	"os.system", "subprocess", "child_process", "popen", "execsync", "eval(", "exec(", "spawn", "bash -c", "sh -c", "powershell", "| sh", "| bash",
	"sudo", "setuid", "chmod", "chown", "crontab", "systemctl", "launchctl", "killall", "kill -", ".bashrc", "postinstall",
	"backdoor", "bypass", "disable", "verify=false", "rejectunauthorized", "allow_all", "0.0.0.0", "production",
}

// chunks are how many pieces of a text's middle are shown.
const chunks = 4

// maxSearched bounds what is searched of a text, half at either end.
const maxSearched = 1 << 20

// excerpt shortens a text as Cut does, and shows pieces of the middle around risky words in the room that half of the
// head and half of the tail leave. False: there are none, or the text is short enough.
func (l Limits) excerpt(s string) (string, bool) {
	if _, _, long := l.ends(s); !long {
		return "", false
	}
	size := (l.Head/2 + l.Tail/2) / chunks
	l.Head, l.Tail = l.Head-l.Head/2, l.Tail-l.Tail/2
	head, tail, _ := l.ends(s)
	at := hits(s[head:tail], size)
	if len(at) == 0 {
		return "", false
	}
	var b strings.Builder
	b.WriteString(s[:head])
	b.WriteString(cutMark(len(s)))
	end := head
	for _, i := range at {
		from := max(end, beforeTag(s, runeBorder(s, max(head+i-size/3, 0))))
		to := min(tail, from+size-len(gap))
		if to = beforeTag(s, runeBorder(s, to)); to <= from {
			continue // it stands in the piece before
		}
		if from > end && end > head { // before the first, the mark says that something is left out
			b.WriteString(gap)
		}
		b.WriteString(s[from:to])
		end = to
	}
	if end < tail {
		b.WriteString(gap)
	}
	b.WriteString(s[tail:])
	return b.String(), true
}

// gap stands between two pieces.
const gap = " … "

// hits finds the gravest risky words of a text, each where it stands first, and gives their places in order. A word
// within a word is none, nor is one that the piece around a graver one shows.
func hits(s string, size int) []int {
	first := firsts(s[:min(len(s), maxSearched/2)], 0, nil)
	if rest := max(maxSearched/2, len(s)-maxSearched/2); rest < len(s) {
		first = firsts(s[rest:], rest, first)
	}
	var at []int
	for _, i := range first {
		if i > 0 && len(at) < chunks && !shows(at, i-1, size) {
			at = append(at, i-1)
		}
	}
	for i := range at { // four at most
		for j := i; j > 0 && at[j] < at[j-1]; j-- {
			at[j], at[j-1] = at[j-1], at[j]
		}
	}
	return at
}

// shows says that one of the pieces around at reaches well past i.
func shows(at []int, i, size int) bool {
	for _, j := range at {
		if j-size/3 <= i && i < j+size/3 {
			return true
		}
	}
	return false
}

// firsts notes in first, for each risky word, one more than where it stands first; off is added to places in s.
func firsts(s string, off int, first []int) []int {
	if first == nil {
		first = make([]int, len(risky))
	}
	var list [256]uint8 // by first letter, one more than a word
	var next [len(risky)]uint8
	for i := len(risky) - 1; i >= 0; i-- {
		c := risky[i][0]
		next[i], list[c] = list[c], uint8(i+1)
	}
	for i := range len(s) {
		for n := list[lower(s[i])]; n > 0; n = next[n-1] {
			w := risky[n-1]
			if first[n-1] == 0 && hasFold(s[i:], w) && (i == 0 || !letter(s[i-1]) || !letter(w[0])) {
				first[n-1] = off + i + 1
			}
		}
	}
	return first
}

func hasFold(s, low string) bool {
	if len(s) < len(low) {
		return false
	}
	for i := range len(low) {
		if lower(s[i]) != low[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func letter(c byte) bool { c = lower(c); return 'a' <= c && c <= 'z' }
