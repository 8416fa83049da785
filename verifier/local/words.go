package local

import "strings"

// class is a set of kinds of work, both those a person asks for and those a call does.
type class uint32

const (
	look    class = 1 << iota // reads, lists, explains
	change                    // writes or edits
	remove                    // deletes
	discard                   // throws away uncommitted or committed work, or data: reset, revert, wipe
	commit
	publish // push, tag, release, open a request
	install
	infra  // starts, stops and changes services
	deploy // brings what others use up to date
	run
	send
	make_ // other work: build, fix, add; it licenses edits and nothing that loses anything

	doing = ^look
)

// verb tells what an imperative asks for; 0 for a word that is not known as one. "Removes" counts as "remove": task
// lists are written that way.
func verb(w string) class {
	if k := verbOf(w); k != 0 {
		return k
	}
	if short, ok := strings.CutSuffix(w, "s"); ok && len(short) > 3 {
		return verbOf(short)
	}
	return 0
}

func verbOf(w string) class {
	switch w {
	case "analyse", "analyze", "answer", "audit", "check", "clarify", "compare", "count", "describe", "diagnose",
		"discuss", "display", "estimate", "evaluate", "examine", "explain", "explore", "find", "give", "grep", "identify",
		"inspect", "investigate", "list", "locate", "look", "outline", "print", "read", "report", "research", "review",
		"search", "see", "show", "study", "summarise", "summarize", "tell", "trace", "understand", "verify", "view",
		"what", "what's", "whats", "which", "who", "why", "how", "where", "when", "is", "are", "was", "does", "did", "has":
		return look
	case "change", "changes", "changing", "edit", "edits", "editing", "modify", "modifying", "touch", "touching", "alter",
		"altering", "overwrite", "overwriting", "write", "writing", "create", "creating", "save", "append", "patch":
		return change
	case "rename", "move", "replace", "restructure", "reorganise", "reorganize", "refactor", "rewrite", "split", "merge",
		"extract", "consolidate", "migrate", "convert", "port", "simplify", "archive", "sync":
		return change | remove | make_
	case "delete", "deleting", "remove", "removing", "erase", "rm", "unlink", "uninstall", "prune", "trim", "strip", "retire",
		"drop", "dropping", "deprecate":
		return remove | discard | change
	case "clean", "cleanup", "tidy", "clear", "free", "purge", "wipe", "empty", "truncate", "destroy", "reset", "resetting",
		"recreate", "reinitialise", "reinitialize", "rebuild", "nuke", "reseed", "teardown":
		return remove | discard | change
	case "revert", "reverting", "undo", "discard", "abandon", "restore", "rollback", "roll", "redo", "squash", "rebase",
		"amend", "unstage", "stash":
		return discard | change | commit
	case "commit", "committing", "commits":
		return commit
	case "push", "pushing", "tag", "open", "submit", "post", "comment":
		return publish | commit | send
	case "publish", "publishing", "release", "releasing", "ship":
		return publish | deploy | commit | send
	case "install", "installing", "upgrade", "bump", "downgrade", "pin":
		return install | change
	case "deploy", "deploying", "redeploy", "deployment", "rollout":
		return deploy | infra | run
	case "apply", "applying", "provision", "launch", "promote":
		return infra | deploy | run
	case "start", "stop", "restart", "scale", "terminate", "kill", "shut", "bring", "boot", "spin":
		return infra | run
	case "run", "running", "execute", "executing", "test", "build", "compile", "benchmark", "profile", "lint", "format", "try":
		return run | make_
	case "send", "sending", "upload", "uploading", "mail", "email", "notify", "share", "export":
		return send
	case "add", "adjust", "address", "allow", "assemble", "bootstrap", "complete", "configure", "connect",
		"continue", "correct", "debug", "define", "design", "develop", "disable", "do", "document", "download", "draft",
		"enable", "enforce", "ensure", "expose", "extend", "finish", "fix", "generate", "get", "go", "handle", "help",
		"implement", "improve", "increase", "integrate", "introduce", "let", "make", "optimise", "optimize", "parse",
		"prepare", "proceed", "process", "produce", "put", "reduce", "repair", "resolve", "scaffold", "set", "setup",
		"sort", "speed", "support", "switch", "take", "translate", "turn", "tweak", "unify", "update", "use", "wire",
		"work", "wrap",
		"animate", "annotate", "automate", "backfill", "bind", "bundle", "cache", "calculate", "calibrate", "cleanse", "collect", "compute",
		"containerise", "containerize", "crawl", "deduplicate", "dockerise", "dockerize", "encode", "engineer", "finetune", "fine-tune",
		"enrich", "fill", "fit", "flash", "forecast", "harden", "hook", "import", "impute", "ingest", "inject", "inline", "insert", "instrument", "label", "load", "localise", "localize",
		"mock", "normalise", "normalize", "package", "paginate", "parallelise", "parallelize", "pair", "plot", "polish", "populate", "predict",
		"preprocess", "prototype", "redesign", "register", "render", "restyle", "retrain", "sanitise", "sanitize", "scrape", "secure", "seed",
		"sign", "simulate", "stub", "style", "throttle", "tokenise", "tokenize", "train", "transform", "tune", "unblock", "validate",
		"vectorise", "vectorize", "visualise", "visualize":
		return make_ | change
	}
	return 0
}

// filler words stand in front of an imperative without changing it.
func filler(w string) bool {
	switch w {
	case "please", "may", "feel", "now", "then", "also", "just", "first", "next", "finally", "ok", "okay", "so", "and", "or", "but", "good",
		"great", "thanks", "yes", "can", "could", "would", "you", "we", "let's", "lets", "i", "i'd", "want", "need", "like",
		"to", "should", "must", "will", "we'll", "kindly", "simply", "carefully", "afterwards", "again", "me", "-", "*", "•",
		"hi", "hey", "hello", "here", "task", "constraints", "goal", "note", "important", "once":
		return true
	}
	return false
}

// token is one word of a prompt.
type token struct {
	word string // lower case, without the punctuation around it; names in code type keep their first tick
	raw  string // the same as it was written
	end  bool   // a clause ends after it
	stop bool   // a sentence ends after it
	// aside: it stands in brackets behind what they begin with: "(copies, read only)".
	aside bool
}

const (
	maxPrompt = 16 << 10 // bytes of a prompt that are read
	maxTokens = 4000
)

// tokens splits a prompt into words. Code blocks, quoted lines, diffs and pasted terminal lines are not the person's own
// words and are left out.
func tokens(text string) []token {
	if len(text) > maxPrompt {
		text = text[:maxPrompt]
	}
	var out []token
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = !fenced
			continue
		}
		if fenced || pasted(line) {
			continue
		}
		if isHan(line) {
			out = append(out, han(line)...)
		}
		open, aside := false, false
		for f := range strings.FieldsSeq(line) {
			if len(out) >= maxTokens {
				return out
			}
			open = open || f[0] == '('
			if isHan(f) {
				continue
			}
			if t := newToken(f); t.word != "" {
				if n := len(out); n > 0 && f[0] == '(' && verb(t.word)&(remove|discard) != 0 {
					out[n-1].end = true // an order in brackets is a clause of its own
				}
				t.aside = aside
				out = append(out, t)
			} else if n := len(out); n > 0 && strings.ContainsAny(f, "-—–") {
				out[n-1].end = true
			}
			aside = open && (aside || strings.HasSuffix(f, ",") || strings.HasSuffix(f, ";"))
			if strings.ContainsRune(f, ')') {
				open, aside = false, false
			}
		}
		if n := len(out); n > 0 {
			out[n-1].end, out[n-1].stop = true, true
		}
	}
	return out
}

// pasted tells a line that was copied from elsewhere by the way it begins.
func pasted(line string) bool {
	if line == "" {
		return true
	}
	switch line[0] {
	case '>', '$', '|', '<', '{', '}':
		return true
	case '+', '-', '#', '/':
		return len(line) > 1 && line[1] != ' ' && line[1] != '/' && line[0] != '/' && line[0] != '#' || strings.HasPrefix(line, "//")
	}
	return false
}

func newToken(f string) token {
	end := strings.ContainsAny(f[len(f)-1:], ".,;:!?)") || strings.HasSuffix(f, ".\"") || strings.HasSuffix(f, ".'")
	raw := strings.Trim(f, "()[]{}<>\"'`,;:!?*_“”‘’")
	raw = strings.TrimRight(raw, ".")
	raw = strings.TrimRight(raw, "`'\")")
	raw = strings.ReplaceAll(raw, "’", "'")
	word := strings.ToLower(raw)
	if f[0] == '`' {
		word = "`" + word // a name in code type is no verb
	}
	return token{word: word, raw: raw, end: end, stop: end && !strings.HasSuffix(f, ",")}
}

// words splits a name at everything that is not a letter or digit, and at the humps of camel case, in lower case.
func words(name string) []string {
	var out []string
	start := -1
	flush := func(i int) {
		if start >= 0 {
			out = append(out, strings.ToLower(name[start:i]))
			start = -1
		}
	}
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'A' && c <= 'Z':
			if start >= 0 && !(name[i-1] >= 'A' && name[i-1] <= 'Z') {
				flush(i)
			}
			if start < 0 {
				start = i
			}
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80:
			if start < 0 {
				start = i
			}
		default:
			flush(i)
		}
	}
	flush(len(name))
	return out
}
