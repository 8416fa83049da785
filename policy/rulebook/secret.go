package rulebook

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/stepgate/stepgate/policy/effect"
)

// writesSecret says that the text an act writes holds a live secret: a token or key of a known form, or a password that
// is spelled out beside its name.
func (s *scene) writesSecret(a *effect.Act) bool {
	if a.Command < 0 {
		name := filepath.Base(a.Target)
		for _, e := range s.call.Edits {
			if filepath.Base(e.Path) == name && liveText(e.New) {
				return true
			}
		}
		return false
	}
	commands := s.p.Script.Commands
	if a.Command >= len(commands) {
		return false
	}
	for i := range commands {
		c := &commands[i]
		if c.Group != commands[a.Command].Group { // what a pipeline writes, an earlier stage may say
			continue
		}
		for _, arg := range c.Args {
			if liveText(arg.Text) {
				return true
			}
		}
		for _, r := range c.Redirects {
			if r.Body && liveText(r.To.Text) {
				return true
			}
		}
	}
	return false
}

// liveText says that a text spells out a secret. The key of a Firebase web application is none: it stands in every page.
func liveText(text string) bool {
	if strings.Contains(text, "authDomain") {
		text = strings.ReplaceAll(text, "AIza", "pk_")
	}
	return effect.LiveSecret(text) || spelledOut(text)
}

// secretNames end the names of values that let somebody in.
var secretNames = [...]string{"password", "passwd", "secret", "secret_key", "api_key", "apikey", "access_key", "auth_token", "access_token", "private_key", "client_secret"}

// spelledOut says that a value stands beside a secret's name which nobody would take for a placeholder.
func spelledOut(text string) bool {
	for at := 0; at < len(text); {
		i := strings.IndexAny(text[at:], "=:")
		if i < 0 {
			return false
		}
		at += i
		name := strings.TrimRight(text[max(0, at-maxLiteral):at], " \t\"':")
		at++
		if secretName(name) && alive(literalAfter(text[at:])) {
			return true
		}
	}
	return false
}

// secretName says that a text ends in the name of a secret.
func secretName(text string) bool {
	text = strings.ToLower(strings.ReplaceAll(text[max(0, len(text)-20):], "-", "_"))
	for _, n := range secretNames {
		if strings.HasSuffix(text, n) || strings.HasSuffix(text, strings.ReplaceAll(n, "_", "")) {
			return true
		}
	}
	return false
}

// maxLiteral bounds where a value is looked for, and its name before it, in bytes.
const maxLiteral = 256

// literalAfter gives the value at the head of a text: in quotes, or up to the end of a line that holds nothing else.
func literalAfter(text string) string {
	text = strings.TrimLeft(text[:min(len(text), maxLiteral)], "=: \t")
	if text == "" {
		return ""
	}
	if q := text[0]; q == '"' || q == '\'' || q == '`' {
		if end := strings.IndexByte(text[1:], q); end > 0 {
			return text[1 : 1+end]
		}
		return ""
	}
	line, _, _ := strings.Cut(text, "\n")
	line = strings.TrimRight(line, " \t\r;,\"'")
	if len(line) < 16 { // without quotes, only what is plainly no word
		return ""
	}
	return line
}

// alive says that a value looks like a secret in use: long enough, of mixed characters, and no placeholder or expression.
func alive(v string) bool {
	if len(v) < 8 || len(v) > 200 || v[0] == '$' || strings.ContainsAny(v, " \t\n{}<>()[]") {
		return false
	}
	low := strings.ToLower(v)
	for _, w := range [...]string{"change", "example", "password", "passwd", "passw0rd", "p@ss", "admin", "postgres", "secret", "xxxx", "your", "test", "dummy", "placeholder", "redacted", "fake", "sample", "1234", "abcd", "localhost", "default", "replace", "insert", "config", "env.", "process.", "http", "key_", "_key", "..."} {
		if strings.Contains(low, w) {
			return false
		}
	}
	if strings.HasPrefix(v, "pk_") || strings.HasPrefix(v, "sha256") { // public keys and digests
		return false
	}
	letters, digits, other, upper, lower := 0, 0, 0, 0, 0
	for i := range len(v) {
		switch c := v[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z':
			letters++
			lower++
		case c >= 'A' && c <= 'Z':
			letters++
			upper++
		default:
			other++
		}
	}
	return letters > 0 && digits > 0 && (other > 0 && upper > 0 || upper > 0 && lower > 0 || len(v) >= 20)
}

func itoa(n int) string { return strconv.Itoa(n) }

// percent writes a probability with two decimals.
func percent(p float64) string { return strconv.FormatFloat(p, 'f', 2, 64) }
