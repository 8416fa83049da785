package effect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/shell"
)

// maxSettings bounds what is read of an agent's settings file.
const maxSettings = 1 << 20

// fileTag tells what a file means beyond its content: to the gate, to the login, to what runs on its own.
func fileTag(w *World, t target) Tag {
	for _, p := range [...]string{t.real, t.path} {
		if tag := pathTag(w, p); tag != "" {
			return tag
		}
	}
	return ""
}

func pathTag(w *World, p string) Tag {
	base, dir := filepath.Base(p), filepath.Dir(p)
	switch {
	case w.isGuard(p):
		return GuardFile
	case base == "authorized_keys" || base == "authorized_keys2":
		return Login
	case isProfile(base) && (w.same(dir, w.Home) || w.same(dir, w.EnvHome) || strings.HasPrefix(p, "/root/") || strings.HasPrefix(p, "/etc/")), strings.HasSuffix(p, "/.config/fish/config.fish"):
		return Profile
	case isSchedule(p):
		return Schedule
	case strings.Contains(p, "/.git/hooks/") && !strings.HasSuffix(base, ".sample"), strings.HasSuffix(p, "/.git/config"),
		base == ".envrc", base == ".stepgate.toml", base == ".mcp.json":
		return HookFile
	case p == "/proc/sysrq-trigger":
		return PowerOff
	case isTrace(p, base):
		return Trace
	case strings.Contains(p, "/.git/objects/"), strings.Contains(p, "/.git/refs/"), strings.HasSuffix(p, "/.git/HEAD"), strings.HasSuffix(p, "/.git/index"):
		return GitDir
	case underSystem(p):
		return SystemFile
	}
	return ""
}

// isTrace: logs of the system and histories of shells, by which others see what was done.
func isTrace(p, base string) bool {
	if in(base, ".bash_history .zsh_history .history .sh_history .fish_history .ash_history .python_history .mysql_history .psql_history") {
		return true
	}
	for _, d := range [...]string{"/var/log/", "/private/var/log/", "/var/spool/mail/", "/var/mail/", "/var/audit/", "/run/utmp", "/var/run/utmp", "/var/adm/"} {
		if strings.HasPrefix(p, d) {
			return true
		}
	}
	return false
}

func isProfile(base string) bool {
	return in(base, ".bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .xprofile .xinitrc .inputrc profile bash.bashrc environment zshrc zshenv")
}

func isSchedule(p string) bool {
	for _, part := range [...]string{
		"/etc/cron", "/var/spool/cron", "/etc/systemd/system/", "/etc/systemd/user/", "/usr/lib/systemd/", "/lib/systemd/", "/.config/systemd/user/", "/LaunchAgents/",
		"/LaunchDaemons/", "/.config/autostart/", "/etc/rc.local", "/etc/init.d/", "/etc/profile.d/", "/etc/ld.so.preload", "/etc/sudoers", "/etc/pam.d/", "/etc/udev/rules.d/",
	} {
		if strings.Contains(p, part) {
			return true
		}
	}
	return false
}

// isGuard says that a path lies in the gate's own folders or is one of its programs.
func (w *World) isGuard(p string) bool {
	for _, h := range w.Guard.Homes {
		if w.within(p, h) {
			return true
		}
	}
	for _, g := range w.Guard.Programs {
		if w.same(p, g) {
			return true
		}
	}
	for _, d := range [...]string{"/.config/stepgate", "/.local/state/stepgate", "/Application Support/stepgate", "/etc/stepgate", "/.claude/stepgate", "/.codex/stepgate"} {
		if i := strings.Index(p, d); i >= 0 && (len(p) == i+len(d) || p[i+len(d)] == '/') {
			return true
		}
	}
	if ownProgram(filepath.Base(p)) {
		place := w.place(p)
		return filepath.Base(filepath.Dir(p)) == "bin" && place != InProject && place != InTemp
	}
	return false
}

// ownProgram says that a program's name is one of the gate's.
func ownProgram(name string) bool { return in(name, "stepgate stepgate-hook stepgate-otlp") }

// holdsGuard says that a folder holds one of the gate's places.
func (w *World) holdsGuard(dir string) bool {
	for _, h := range w.Guard.Homes {
		if w.within(h, dir) {
			return true
		}
	}
	for _, g := range w.Guard.Programs {
		if w.within(g, dir) {
			return true
		}
	}
	return false
}

// isSettings says that a path is an agent's settings file, through which the gate is started.
func (w *World) isSettings(p string) bool {
	for _, s := range w.Guard.Settings {
		if w.same(p, s) {
			return true
		}
	}
	dir, base := filepath.Base(filepath.Dir(p)), filepath.Base(p)
	switch {
	case dir == ".claude" || dir == ".claude-plugin":
		return in(base, "settings.json settings.local.json managed-settings.json")
	case dir == ".codex":
		return in(base, "config.toml hooks.json")
	case dir == ".cursor":
		return base == "hooks.json"
	}
	return base == "managed-settings.json"
}

// guardWrite judges a write to an agent's settings: what is lost is the gate's entry, not the text. Text is the new
// content, where it is known.
func (r *reader) guardWrite(i int, t target, text file) {
	p := t.real
	if !r.w.isSettings(p) {
		if p = t.path; !r.w.isSettings(p) {
			return
		}
	}
	old := readBounded(p)
	switch {
	case text.known && r.acts[i].Kind == Overwrite:
		r.acts[i].settings(old, text.text)
	case text.known:
		r.acts[i].settings("", text.text)
	case mentionsGate(r.call.Command) || disablesHooks(r.call.Command) || mentionsGate(old):
		r.acts[i].mark(GuardHook)
	default:
		r.acts[i].mark(HookFile)
	}
}

// settings judges a settings file before and after a change.
func (a *Act) settings(old, now string) {
	t := tampers(old, now)
	if t == "" && runsByItself(old, now) {
		t = HookFile
	}
	a.mark(t)
}

func (a *Act) mark(t Tag) {
	switch t {
	case "":
		return
	case HookFile:
		a.Kind = Persist
	default:
		a.Kind = Guard
	}
	a.Tag = t
}

// mentionsGate: words through which a settings file starts the gate or stops all hooks.
func mentionsGate(s string) bool {
	low := strings.ToLower(s)
	return strings.Contains(low, "stepgate") || strings.Contains(low, "disableallhooks") || strings.Contains(low, "allowmanagedhooksonly")
}

// tampers compares a settings file before and after: the gate's entries must be there as they were, no switch may stop
// hooks, and no variable of the gate may be set.
func tampers(old, now string) Tag {
	if now == old {
		return ""
	}
	if disablesHooks(now) && !disablesHooks(old) {
		return GuardHook
	}
	if strings.Contains(now, "STEPGATE_") && !strings.Contains(old, "STEPGATE_") {
		return GuardEnv
	}
	before, after := entries(old), entries(now)
	for _, e := range before {
		if i := sort.SearchStrings(after, e); i >= len(after) || after[i] != e {
			return GuardHook
		}
	}
	return ""
}

func disablesHooks(s string) bool {
	s = strings.ToLower(strings.NewReplacer(" ", "", "\t", "", "\n", "", "\r", "").Replace(s))
	return strings.Contains(s, `"disableallhooks":true`) || strings.Contains(s, "hooks=false") || strings.Contains(s, `"hooks":false`) ||
		strings.Contains(s, `"allowmanagedhooksonly":true`)
}

// entries are the gate's entries of a settings file, each as one text, sorted. A file that is not JSON gives its lines
// that name the gate.
func entries(s string) []string {
	var doc struct {
		Hooks map[string][]struct {
			Matcher string            `json:"matcher"`
			Hooks   []json.RawMessage `json:"hooks"`
		} `json:"hooks"`
	}
	var out []string
	if json.Unmarshal([]byte(s), &doc) != nil {
		for _, l := range strings.Split(s, "\n") {
			if strings.Contains(l, "stepgate") {
				out = append(out, strings.TrimSpace(l))
			}
		}
		sort.Strings(out)
		return out
	}
	for event, groups := range doc.Hooks {
		for _, g := range groups {
			for _, h := range g.Hooks {
				var v any
				if strings.Contains(string(h), "stepgate") && json.Unmarshal(h, &v) == nil {
					b, err := json.Marshal(v) // a canonical form: keys sorted, no blanks
					if err == nil {
						out = append(out, event+"|"+g.Matcher+"|"+string(b))
					}
				}
			}
		}
	}
	sort.Strings(out)
	return out
}

// readBounded reads a regular file up to maxSettings; anything else is empty.
func readBounded(p string) string {
	fi, err := os.Stat(p)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxSettings {
		return ""
	}
	b, err := os.ReadFile(p)
	if err != nil {
		return ""
	}
	return string(b)
}

// guardCommand judges commands that are about the gate or about an agent that would run without it.
func (r *reader) guardCommand(c *shell.Command) {
	ws := words(c.Args)
	switch c.Name {
	case "stepgate":
		if loosens(ws) {
			r.tell(Guard, GuardCommand, strings.Join(ws, " "), "")
		}
	case "stepgate-otlp": // what was recorded leaves the machine
		if len(ws) > 0 && !in(ws[0], "-h -help --help") {
			r.tell(Guard, GuardCommand, strings.Join(ws, " "), "")
		}
	case "stepgate-hook": // an event of one's own making could pass for a person's prompt
		if at(ws, 0) != "version" {
			r.tell(Guard, GuardEvent, strings.Join(ws, " "), "")
		}
	case "claude", "claude-code", "codex":
		r.unguardedSettings(c)
		switch {
		case unguarded(ws):
			r.tell(Guard, Unguarded, strings.Join(ws, " "), "")
		case in(at(ws, 0), "mcp plugin") && (in(at(ws, 1), "add add-json install enable") || in(at(ws, 2), "add")):
			r.tell(Persist, HookFile, "", strings.Join(ws, " "))
		}
	case "git":
		r.gitInGuard(c, ws)
	}
	r.outputs(c)
}

// gitInGuard: git changes files inside the gate's own folders.
func (r *reader) gitInGuard(c *shell.Command, ws []string) {
	dir := r.dir(c)
	for i, w := range ws {
		if w == "-C" && i+1 < len(ws) {
			dir = r.w.abs(ws[i+1], dir)
		}
	}
	if r.w.isGuard(dir) && !gitLooks(c) {
		r.tell(Guard, GuardFile, "", dir)
	}
}

// outputs: whatever the program, what it is told to write over must not be the gate's: go build -o, tar -C, unzip -d.
func (r *reader) outputs(c *shell.Command) {
	for i, a := range c.Args {
		name, val, long := strings.Cut(a.Text, "=")
		if !in(name, "-o -d -C --out --output --outfile --directory --dest --target --prefix --output-dir --destination") {
			continue
		}
		if !long && i+1 < len(c.Args) {
			val = c.Args[i+1].Text
		}
		if strings.Contains(val, "stepgate") && c.Name != "git" && !r.readOnly(c) {
			if t := r.written(c, shell.Word{Text: val, Known: a.Known}); t.path != "" && (r.w.isGuard(t.real) || r.w.isGuard(t.path)) {
				r.add(Act{Kind: Guard, Tag: GuardFile, Target: t.real})
			}
		}
	}
}

// gatePrompt: a tool that gives the agent a prompt later could speak to the gate as if a person did.
func (r *reader) gatePrompt(c agent.Call) {
	if c.Capability == agent.Shell || !strings.Contains(c.Input, "/stepgate") {
		return
	}
	if words, ok := strings.CutPrefix(strings.TrimSpace(c.Field("prompt")), "/stepgate"); ok {
		r.add(Act{Kind: Guard, Tag: GuardCommand, How: clip(strings.TrimSpace(words), 60), Command: -1})
	}
}

// loosens: subcommands that need a person. Reading and tightening are free.
func loosens(ws []string) bool {
	var ops []string
	for i := 0; i < len(ws); i++ {
		switch {
		case in(ws[i], "--session --cwd --agent --plan --tool --scope --input"):
			i++ // its value
		case !strings.HasPrefix(ws[i], "-"):
			ops = append(ops, ws[i])
		}
	}
	sub, arg := at(ops, 0), at(ops, 1)
	switch sub {
	case "mode":
		return in(arg, "off audit toggle") || strings.Contains(arg, "$")
	case "off", "audit", "disable", "uninstall", "approve", "label", "review":
		return true
	case "judge": // it hands the key to the address that the line names
		return !contains(ws, "--help")
	case "log":
		return arg == "keygen"
	case "key":
		return in(arg, "set delete")
	case "undo":
		return !contains(ws, "--list")
	case "budget":
		return arg == "reset"
	case "plan":
		return in(arg, "set add clear")
	case "policy":
		return arg == "allow"
	case "config":
		return arg == "set"
	case "export": // to another machine
		return slices.ContainsFunc(ws, func(w string) bool { return strings.HasPrefix(w, "--otlp") })
	case "tune":
		return contains(ws, "--apply")
	}
	return false
}

// unguarded: flags that start an agent without its hooks.
func unguarded(ws []string) bool {
	all := strings.ToLower(strings.Join(ws, " "))
	for _, f := range [...]string{"--bare", "--safe-mode", "disableallhooks", "features disable hooks", "disable hooks", "hooks=false", "--no-hooks", "--dangerously-bypass-hook-trust", "bypass-hook"} {
		if strings.Contains(all, f) {
			return true
		}
	}
	return false
}

// guardTouch marks a change of the gate's own files: a delete, a move, a permission. It says whether it was one.
func (r *reader) guardTouch(t target, recursive bool) bool {
	if t.path == "" {
		if strings.Contains(t.text, "stepgate") && (strings.Contains(t.text, "command -v") || strings.Contains(t.text, "which") || strings.Contains(t.text, "type -p")) {
			r.tell(Guard, GuardFile, "", "stepgate")
			return true
		}
		return false
	}
	if r.fromWhich(t) {
		r.tell(Guard, GuardFile, "", t.text)
		return true
	}
	for _, p := range [...]string{t.real, t.path} {
		if r.w.isGuard(p) || recursive && r.w.holdsGuard(p) && r.w.place(p) != Home && r.w.place(p) != Root {
			r.add(Act{Kind: Guard, Tag: GuardFile, Target: p, Place: t.place, Recursive: recursive})
			return true
		}
		if r.w.isSettings(p) && mentionsGate(readBounded(p)) || recursive && startsGate(p) {
			r.add(Act{Kind: Guard, Tag: GuardHook, Target: p, Place: t.place})
			return true
		}
	}
	return false
}

// startsGate: a folder is an agent's own, and its settings start the gate.
func startsGate(dir string) bool {
	if !in(filepath.Base(dir), ".claude .codex .cursor") {
		return false
	}
	for _, f := range [...]string{"settings.json", "settings.local.json", "hooks.json", "config.toml"} {
		if mentionsGate(readBounded(filepath.Join(dir, f))) {
			return true
		}
	}
	return false
}

// fromWhich: the target is the gate's program as which or command -v finds it in the same line.
func (r *reader) fromWhich(t target) bool {
	if !ownProgram(filepath.Base(t.text)) || r.at >= len(r.cmds) {
		return false
	}
	for _, i := range r.cmds[r.at].Inputs {
		if i < len(r.cmds) && in(r.cmds[i].Name, "command which type whereis") {
			return true
		}
	}
	return false
}

// guardText looks at the whole line for what no single command shows.
func (r *reader) guardText(line string) {
	if strings.IndexByte(line, '&') >= 0 && forks(line) {
		r.tell(Execute, ForkBomb, "", "")
	}
	if what := hidden(line); what != "" {
		r.tell(Opaque, Hidden, what, "")
	}
}

// hidden finds letters that no person sees in the line, or that show it in another order than it runs in. A few such
// letters behind a black flag are the flag of a region.
func hidden(line string) string {
	for i := 0; ; {
		j := strings.Index(line[i:], "\xf3\xa0")
		if j < 0 {
			break
		}
		flag := strings.HasSuffix(line[:i+j], "\U0001F3F4")
		i += j
		n := 0
		for ; n < 7 && tagLetter(line[i:]); n++ {
			i += len("\U000E0041")
		}
		switch {
		case n > 0 && !flag:
			return "tag letters"
		case n == 0:
			i += 2
		}
	}
	if strings.Contains(line, "\u202d") || strings.Contains(line, "\u202e") {
		return "marks that turn the direction of text"
	}
	return ""
}

// line looks at a line as a whole once its commands are read: secrets that are read and sent in one pipeline.
func (r *reader) line(string) { r.flows() }

func tagLetter(s string) bool {
	return strings.HasPrefix(s, "\xf3\xa0\x80") || strings.HasPrefix(s, "\xf3\xa0\x81")
}

func contains(ws []string, s string) bool {
	for _, w := range ws {
		if w == s {
			return true
		}
	}
	return false
}

// clip shortens to n bytes on a rune border.
//
//go:noinline
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
