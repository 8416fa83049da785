package doctor

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stepgate/stepgate/hook"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
)

// Bounds of the search for calls that the gate was not asked about.
const (
	maxTranscripts    = 5
	maxTranscriptRead = 32 << 20
	heartbeatAge      = 7 * 24 * time.Hour
)

// transcript is an agent's own log of a session.
type transcript struct {
	session, path string
	written       time.Time
}

// Gap is a session whose agent made calls, by its own log, that the record lacks.
type Gap struct {
	Session  string `json:"session"`
	Made     int    `json:"made"`
	Recorded int    `json:"recorded"`
}

// Gaps compares the newest logs of the agents in a project with the record. compared is how many sessions there were to
// compare; a session that was begun before the hook was installed is none.
func Gaps(o Options) (gaps []Gap, compared int) {
	e := newExam(o)
	e.installed()
	return e.gaps()
}

func (e *exam) gaps() (gaps []Gap, compared int) {
	for _, t := range e.newestLogs() {
		made := calls(t.path)
		if made == 0 {
			continue
		}
		compared++
		if n := e.recorded(t.session); n < made {
			gaps = append(gaps, Gap{t.session, made, n})
		}
	}
	return gaps, compared
}

// newestLogs are the agents' logs that were written last, the newest first.
func (e *exam) newestLogs() []transcript {
	logs := slices.Concat(e.claudeLogs(), e.codexLogs())
	slices.SortFunc(logs, func(a, b transcript) int { return cmp.Compare(b.written.UnixNano(), a.written.UnixNano()) })
	return logs[:min(len(logs), maxTranscripts)]
}

// tokens tells where the use of tokens is not known: there session.tokens never speaks, which looks like a session that
// is well within its budget.
func (e *exam) tokens() {
	if e.gate.Triggers.TokenBudget == 0 {
		return // nobody counts
	}
	compared := 0
	for _, t := range e.newestLogs() {
		if calls(t.path) == 0 {
			continue
		}
		compared++
		if hook.TokensUsed(t.path) == 0 {
			e.add("tokens", Warn, "the log of session "+t.session+" does not tell how many tokens are used, so session.tokens is off there", "")
			return
		}
	}
	if compared == 0 {
		e.add("tokens", OK, "no session with calls since the install that tells its tokens; until then session.tokens is off", "")
		return
	}
	e.add("tokens", OK, fmt.Sprintf("the newest %d sessions tell how many tokens are used", compared), "")
}

// heartbeat tells of sessions that made calls which the gate has no line of: they went unguarded.
func (e *exam) heartbeat() {
	gaps, compared := e.gaps()
	silent := 0
	for _, g := range gaps {
		if g.Recorded > 0 {
			continue // the log also has calls from before a restart or a compaction, so fewer lines prove nothing
		}
		silent++
		e.add("heartbeat", Fail, fmt.Sprintf("session %s made %s by its own log, and the record has none", g.Session, policy.Many(g.Made, "call")),
			"restart the agent; in Codex, trust the hook under /hooks")
	}
	switch {
	case compared == 0:
		e.add("heartbeat", OK, "no session with calls since the install to compare with", "")
	case silent == 0:
		e.add("heartbeat", OK, fmt.Sprintf("the record has calls of the newest %d sessions", compared), "")
	}
}

// recorded counts the calls in a session's record.
func (e *exam) recorded(id string) int {
	files, err := e.gate.Store.Files(id)
	if err != nil {
		return 0
	}
	n := 0
	for _, path := range files {
		for l, err := range session.Read(path) {
			if err == nil && l.Kind == session.KindCall {
				n++
			}
		}
	}
	return n
}

// since is when an agent's hook was installed, at the latest; false when it is not.
func (e *exam) since(agent string) (time.Time, bool) {
	var at time.Time
	for _, s := range e.states {
		if s.Agent != agent || !s.Installed {
			continue
		}
		if st, err := os.Stat(s.Path); err == nil && (at.IsZero() || st.ModTime().Before(at)) {
			at = st.ModTime()
		}
	}
	return at, !at.IsZero()
}

// claudeLogs are Claude Code's logs of this project; its folder is named after the root, with a dash for every other
// character than letters and digits.
func (e *exam) claudeLogs() []transcript {
	home := e.Env.Getenv("CLAUDE_CONFIG_DIR")
	if !filepath.IsAbs(home) {
		home = filepath.Join(e.Env.Getenv("HOME"), ".claude")
	}
	slug := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, e.gate.Root)
	return e.logs("claude", filepath.Join(home, "projects", slug), func(name string) (string, bool) {
		return strings.CutSuffix(name, ".jsonl")
	})
}

// codexLogs are Codex's logs of the last days, which it sorts by day: rollout-<time>-<thread>.jsonl. A subagent is a
// thread of its own in the session that started it, and hooks are told the session.
func (e *exam) codexLogs() []transcript {
	home := e.Env.Getenv("CODEX_HOME")
	if !filepath.IsAbs(home) {
		home = filepath.Join(e.Env.Getenv("HOME"), ".codex")
	}
	const uuid = 36
	var all []transcript
	for now, day := e.Env.Now(), 0; day < int(heartbeatAge/(24*time.Hour)); day++ {
		dir := filepath.Join(home, "sessions", now.AddDate(0, 0, -day).Format("2006/01/02"))
		for _, t := range e.logs("codex", dir, func(name string) (string, bool) {
			stem, ok := strings.CutSuffix(name, ".jsonl")
			return stem[max(0, len(stem)-uuid):], ok && strings.HasPrefix(name, "rollout-")
		}) {
			cwd, session := begin(t.path)
			if cwd != e.gate.Root {
				continue
			}
			t.session = cmp.Or(session, t.session)
			all = append(all, t)
		}
	}
	return all
}

// logs are the logs in a folder that were begun after the agent's hook was installed. When a file was begun is not kept
// everywhere; the time of its first line is.
func (e *exam) logs(agent, dir string, id func(name string) (string, bool)) []transcript {
	since, ok := e.since(agent)
	if !ok {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // an agent that has not run here has no folder
	}
	var all []transcript
	for _, entry := range entries {
		session, ok := id(entry.Name())
		info, err := entry.Info()
		if !ok || err != nil || !info.Mode().IsRegular() || info.ModTime().Before(since) || e.Env.Now().Sub(info.ModTime()) > heartbeatAge {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if began, ok := firstTime(path); ok && began.After(since) {
			all = append(all, transcript{session, path, info.ModTime()})
		}
	}
	return all
}
