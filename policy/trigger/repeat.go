package trigger

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
)

// Keys tell calls of a session apart without telling what they are.
type Keys struct{ Exact, Near string }

const keyLetters = 8

// KeysOf gives the keys of a call: Exact is the same for the same call, Near for one that differs in blanks, quotes,
// numbers, times and temporary names alone, or in how a verifier is
// told to run. Without a session key both are empty.
func KeysOf(key []byte, c agent.Call) Keys {
	exact := gjson.Get(c.Input, "@ugly").Raw
	near := exact
	if c.Capability == agent.Shell && c.Command != "" { // its description and time-out make no other call of it
		exact = c.Command
		near = exact
		if bare, ok := undress(c.Command); ok {
			near = bare
		}
		near = alike(near)
	}
	k := Keys{Exact: short(key, c.Tool, exact, c.CWD)}
	k.Near = k.Exact
	if near != exact {
		k.Near = short(key, c.Tool, near, c.CWD)
	}
	return k
}

func short(key []byte, kind string, parts ...string) string {
	print := session.Fingerprint(key, kind, parts...)
	return print[:min(len(print), keyLetters)]
}

// maxAlike bounds what is compared of a text.
const maxAlike = 64 << 10

// alike is a command line without what differs from one try to the next.
func alike(line string) string {
	line = line[:min(len(line), maxAlike)]
	b := make([]byte, 0, len(line))
	temp := false // in a name in a temporary folder
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\'' || c == '"':
			continue
		case c == ' ' || c == '\t' || c == '\n':
			temp = false
			if len(b) == 0 || b[len(b)-1] == ' ' {
				continue
			}
			c = ' '
		case temp && isWord(c):
			continue
		case '0' <= c && c <= '9':
			c = '0'
			if len(b) > 0 && b[len(b)-1] == '0' {
				continue
			}
		}
		b = append(b, c)
		temp = strings.HasSuffix(string(b[max(0, len(b)-5):]), "/tmp/")
	}
	return strings.TrimSpace(string(b))
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

const (
	// apart: with so many other calls in between, a call is a new try.
	apart = 6
	// patient: what takes that long between two successes is waiting, not a loop.
	patient = 30 * time.Second
	// patience is how many failures a wait may have for each that another call may.
	patience = 3
	// telling is the shortest output that two calls do not have in common by chance.
	telling = 24
)

// sameAgain is how often in a row a call will have come to the same, the pending one included; 0 where that says nothing.
func sameAgain(t *session.Thread, c *Call, is string) int {
	run, ok := t.Run(c.Keys.Near)
	if !ok || run.Same == 0 || t.Calls-run.At >= apart {
		return 0
	}
	fails := strings.HasPrefix(run.Result, failed)
	n := run.Same + 1
	switch {
	case strings.Contains(is, isWatch) && (fails || strings.HasPrefix(run.Result, ceased) && !waited(&run, c)):
		n = (n + patience - 1) / patience
	case strings.Contains(is, isWatch):
		n = 0
	case !fails && waited(&run, c):
		n = 0
	case strings.Contains(is, isTest) && (!fails || strings.Contains(run.Is, isFickle)): // once more may show what is rare
		slack := 1
		if !fails {
			slack *= patience
		}
		if strings.Contains(run.Is, isFickle) {
			slack *= patience
		}
		n = (n + slack - 1) / slack
	case strings.Contains(is, isTest) && run.Exact != c.Keys.Exact: // told to say more, or less: it may be meant to show something else
		n = (n + 1) / 2
	case c.Capability == agent.Read || c.Capability == agent.Search: // reading once more than needed costs little
		n = (n + 1) / 2
	}
	return n
}

// waited says that so much time went by since the call before that it was a wait.
func waited(run *session.Run, c *Call) bool {
	return c.Now.UnixMilli()-run.Time >= patient.Milliseconds()
}

// lookedInVain is how often in a row, and without a wait, a call will have looked at what changes on its own and seen the
// same.
func lookedInVain(t *session.Thread, c *Call, is string) int {
	run, ok := t.Run(c.Keys.Near)
	if !ok || run.Same == 0 || t.Calls-run.At >= apart || !strings.Contains(is, isWatch) || c.Capability != agent.Shell || waited(&run, c) {
		return 0
	}
	return run.Same + 1
}

// ended brings a run up to the result of its newest call.
func ended(run *session.Run, result string, length int) {
	if run.Same > 0 && run.Result == result && tells(run.Is, strings.HasPrefix(result, succeeded), length) {
		run.Same++
	} else {
		if run.Same > 0 && run.Result[:1] != result[:1] && strings.Contains(run.Is, isTest) && !strings.Contains(run.Is, isFickle) {
			run.Is += isFickle
		}
		run.Same = 1
	}
	run.Result = result
}

// tells says that two equal results of a run mean that nothing has come of the second: a look that shows next to nothing
// tells nothing, and near-equal calls may both be silent by chance. The same edit can succeed twice, as what it put in
// was taken out again in between.
func tells(is string, success bool, length int) bool {
	switch {
	case success && strings.Contains(is, isFile):
		return !strings.Contains(is, isOther)
	case success && strings.Contains(is, isLook), strings.Contains(is, isOther):
		return length >= telling
	}
	return true
}

// steady is a text without the times in it, so that two outputs that differ in those alone are the same.
func steady(text string) string {
	text = text[:min(len(text), maxAlike)]
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if c := text[i]; '0' <= c && c <= '9' && (i == 0 || !isWord(text[i-1]) || text[i-1] == 'T' || text[i-1] == '-') {
			if n := clock(text[i:]); n > 0 {
				b = append(b, '0')
				i += n
				continue
			}
		}
		b = append(b, text[i])
		i++
	}
	return string(b)
}

// clock is the length of a time, a date or a duration at the beginning of a text; 0 for another number.
func clock(s string) int {
	n, marks := 0, 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] == ':' || s[n] == '.' || s[n] == '-') {
		if s[n] == ':' || s[n] == '-' {
			marks++
		}
		n++
	}
	digits := n
	switch rest := s[n:]; {
	case marks >= 1 && n >= 5: // 12:03, 2026-01-02
		for n < len(s) && (isWord(s[n]) || s[n] == ':' || s[n] == '+') {
			n++
		}
		return n
	case digits >= 10 && marks == 0: // seconds since 1970, a process, an address
		return n
	default:
		for _, unit := range [...]string{"ms", "µs", "ns", "s", "m", " ms", " seconds", " sec"} {
			if strings.HasPrefix(rest, unit) && (len(rest) == len(unit) || !isWord(rest[len(unit)])) {
				return n + len(unit)
			}
		}
	}
	return 0
}
