package effect

import (
	"path/filepath"
	"strings"
)

// What a program text is given from outside: modules of the project beside it, and the words of its line by way of the
// libraries that read them.

const maxImports = 24

// imported is the text of the project's own modules that a program text names, one level deep. What such a module does
// only when it is run itself is left out.
func (r *reader) imported(lang *language, text string, from source, dir string) string {
	var b strings.Builder
	tried, found := 0, 0
	beside := dir
	if from.file != "" {
		beside = filepath.Dir(r.w.abs(from.file, dir))
	}
	take := func(base string, ends ...string) {
		if tried++; tried > maxImports || found >= maxFiles {
			return
		}
		for _, end := range ends {
			path := base + end
			module, known := r.madeText(path)
			if !known && r.opens() {
				module = r.small(path)
			}
			if module != "" && b.Len()+len(module) < maxCode/2 {
				module, _, _ = strings.Cut("\n"+module, "\nif __name__")
				b.WriteString(module + "\n")
				found++
				return
			}
		}
	}
	switch lang {
	case &pythonCalls:
		for line := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '\n' || c == ';' }) {
			f := strings.Fields(line)
			if len(f) < 2 || !in(f[0], "import from") {
				continue
			}
			up := len(f[1]) - len(strings.TrimLeft(f[1], "."))
			m := filepath.Join(beside, strings.Repeat("../", max(up-1, 0)), strings.ReplaceAll(strings.Trim(f[1][up:], ",."), ".", "/"))
			before := found
			if f[0] == "from" && len(f) > 3 {
				for _, id := range f[3:min(len(f), 8)] {
					take(m+"/"+strings.Trim(id, ",()"), ".py")
				}
			}
			if take(m, ".py", "/__init__.py"); found == before && beside != dir && up == 0 {
				m = filepath.Join(dir, strings.ReplaceAll(strings.Trim(f[1], ","), ".", "/"))
				take(m, ".py")
			}
		}
	case &nodeCalls, &rubyCalls, &phpCalls:
		for line := range strings.Lines(text) {
			if !strings.Contains(line, "require") && !strings.Contains(line, "import") && !strings.Contains(line, "include") && !strings.Contains(line, "from") {
				continue
			}
			i := strings.LastIndexAny(strings.TrimRight(line, " ;)\r\n'\""), "'\"")
			m, n := "", 0
			if i >= 0 {
				m, n = quoted(line[i:])
			}
			local := lang == &nodeCalls && strings.HasPrefix(m, ".") || lang == &rubyCalls && strings.Contains(line, "require_relative") || lang == &phpCalls && strings.HasSuffix(m, ".php")
			if n == 0 || !local {
				continue
			}
			m = filepath.Join(beside, m)
			take(m, "", ".js", ".ts", ".mjs", ".cjs", ".rb", "/index.js", "/index.ts")
			if ts, ok := strings.CutSuffix(m, ".js"); ok {
				take(ts, ".ts")
			}
		}
	}
	return b.String()
}

// parses: a name stands for what a library read from the words behind the script.
func (p *program) parses(id string) bool {
	n, ok := p.names[id]
	if !ok || len(p.binds[n].spans) != 1 {
		return false
	}
	f := p.word(p.binds[n].spans[0].from)
	return hasSuffix(f, "parse_args", "parseArgs", ".opts") || in(f, "minimist yargs")
}

// filled: the parameters of a text's own functions are filled from the words behind the script.
func (p *program) filled() bool {
	return p.lang == &pythonCalls && (strings.Contains(p.text, "click.") || strings.Contains(p.text, "typer.") || strings.Contains(p.text, "fire.Fire"))
}

// fromLine is what the words behind the script give for a name: those of the flag of that name, or else all that are no
// flags.
func (p *program) fromLine(id string) *value {
	out := &value{}
	flag := "--" + strings.ReplaceAll(id, "_", "-")
	for i, a := range p.args {
		v, is := strings.CutPrefix(a, flag+"=")
		switch {
		case is:
		case a == flag && i+1 < len(p.args):
			v = p.args[i+1]
		default:
			continue
		}
		return out.or(literal(v))
	}
	for _, a := range p.args {
		if !strings.HasPrefix(a, "-") {
			out = out.or(literal(a))
		}
	}
	if len(out.words) == 0 {
		return unknown(id)
	}
	return out
}

// entry finds what a dotted name stands for in a table that the text holds: config.paths.media.
func (p *program) entry(id string) (span, bool) {
	first, rest, ok := strings.Cut(id, ".")
	n, bound := p.names[p.bare(first)]
	if !ok || !bound || len(p.binds[n].spans) != 1 {
		return span{}, false
	}
	s := p.binds[n].spans[0]
	for key := range strings.SplitSeq(rest, ".") {
		if s, ok = p.entryOf(s, key); !ok {
			return s, false
		}
	}
	return s, true
}

// entryOf is the value of a key in a table.
func (p *program) entryOf(s span, key string) (span, bool) {
	if p.at(s.from) != '{' {
		return s, false
	}
	for _, a := range p.split(s.from+1, min(p.pair[s.from], len(p.toks))) {
		if p.at(a.from+1) == ':' && p.toks[a.from].text == key {
			return span{from: a.from + 2, to: a.to}, true
		}
	}
	return s, false
}

// entries are the values of a table; those that are tables are left out.
func (p *program) entries(i, end int) *value {
	out := &value{list: true}
	if p.lang != &pythonCalls && p.lang != &nodeCalls {
		return unknown("")
	}
	for _, a := range p.split(i+1, min(p.pair[i], end)) {
		if p.at(a.from+1) != ':' || p.at(a.from+2) == '{' {
			continue
		}
		out = out.or(p.eval(span{from: a.from + 2, to: a.to})).as(true)
	}
	if len(out.words) == 0 {
		return unknown("")
	}
	return out
}
