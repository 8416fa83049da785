package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxFds bounds the descriptors that are remembered.
const maxFds = 32

// descriptor gives the number in front of a redirection, -1 where there is none. {name} takes the next free one and
// stores its number.
func (r *reader) descriptor(d *syntax.Redirect, e *env) int {
	if d.N == nil {
		return -1
	}
	if name, ok := strings.CutPrefix(d.N.Value, "{"); ok {
		name = strings.TrimSuffix(name, "}")
		if v, ok := e.get(name); ok && d.Word.Lit() == "-" { // {name}>&- closes it
			return fdNumber(Word{Text: v.text})
		}
		n := 10 + len(r.fds)
		e.set(name, value{text: strconv.Itoa(n), known: true})
		return n
	}
	return fdNumber(Word{Text: d.N.Value})
}

// fdNumber reads the number of a descriptor; 3- moves it. What is none is -1, under which nothing is open.
func fdNumber(w Word) int {
	n, err := strconv.Atoi(strings.TrimSuffix(w.Text, "-"))
	if err != nil {
		return -1
	}
	return n
}

// open is what a descriptor reads from or writes to.
type open struct {
	Redirect
	from []int // commands whose output it reads
}

// opened remembers a descriptor.
func (r *reader) opened(d open) {
	if d.Fd < 3 || len(r.fds) >= maxFds {
		return
	}
	if r.fds == nil {
		r.fds = make(map[int]open)
	}
	if strings.HasSuffix(d.Op, "&") {
		if f, ok := r.fds[fdNumber(d.To)]; ok {
			f.Fd = d.Fd
			d = f
		}
	}
	r.fds[d.Fd] = d
}

// behindFd gives the file that a name of an open descriptor stands for, and its text where the line holds that.
func (r *reader) behindFd(file Word, e *env) (Word, value, bool) {
	n := -1
	for _, dir := range [...]string{"/dev/fd/", "/proc/self/fd/"} {
		if s, ok := strings.CutPrefix(file.Text, dir); ok {
			n = fdNumber(Word{Text: s})
		}
	}
	if d, ok := r.fds[n]; ok {
		if d.Body {
			return file, value{text: d.To.Text, known: d.To.Known, from: d.from}, true
		}
		file = d.To
	}
	v, ok := r.files[file.Text] // <(…) whose output is known
	if !ok && file.Known {
		v, ok = r.files[r.path(file.Text, e)]
	}
	v.from = r.fds[n].from
	return file, v, ok
}

// stdinOf gives what redirections put on standard input.
func (r *reader) stdinOf(list []Redirect, e *env) *feed {
	for i := len(list) - 1; i >= 0; i-- {
		d := open{Redirect: list[i]}
		if d.Fd > 0 {
			continue
		}
		if d.Op == "<&" {
			d = r.fds[fdNumber(d.To)]
		}
		switch {
		case d.Body:
			return &feed{text: func() (string, bool) { return d.To.Text, d.To.Known }}
		case d.Op == "<" || d.Op == "<>":
			_, v, ok := r.behindFd(d.To, e)
			return &feed{
				text: func() (string, bool) { return v.text, ok && v.known },
				pipe: strings.HasPrefix(d.To.Text, "<("),
				from: d.from,
			}
		}
	}
	return nil
}

// toCoproc reads what a command writes to a shell that runs beside the line.
func (r *reader) toCoproc(k *call, e *env, at place) {
	for _, d := range k.redirs {
		if f, ok := r.fds[fdNumber(d.To)]; ok && d.Op == ">&" {
			d = f.Redirect
		}
		if !strings.Contains(d.Op, ">") || d.To.Known {
			continue
		}
		for _, name := range r.coprocs {
			if !strings.Contains(d.To.Text, name) {
				continue
			}
			text, ok := r.produce(k.words, k.stdin, e)
			r.textIn("coproc", Word{Text: text, Known: ok}, e.child(), at)
		}
	}
}
