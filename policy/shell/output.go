package shell

import (
	"encoding/base64"
	"encoding/hex"
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxOutput bounds the text that is worked out for one command.
const maxOutput = 64 << 10

// output works out what a pipeline prints, where its commands only pass on or decode text that stands in the line. It is
// how echo cm0… | base64 -d | sh and $(printf '%s' rm) are seen through.
func (r *reader) output(stages []*syntax.Stmt, e *env, in *feed) (string, bool) {
	if !r.enter() {
		return "", false
	}
	defer r.leave()
	r.quiet++
	defer func() { r.quiet-- }()
	for _, s := range stages {
		text, ok := r.prints(s, e, in)
		if !ok || len(text) > maxOutput || !r.grow(len(text)) {
			return "", false
		}
		in = &feed{text: func() (string, bool) { return text, true }}
	}
	if in == nil {
		return "", false
	}
	return in.text()
}

func (r *reader) prints(s *syntax.Stmt, e *env, in *feed) (string, bool) {
	if !r.step() {
		return "", false
	}
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok {
		if b.Op == syntax.AndStmt {
			return r.elsewhere(b, e)
		}
		return r.output([]*syntax.Stmt{b.X, b.Y}, e, in)
	}
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return "", false
	}
	for _, d := range s.Redirs {
		if strings.HasPrefix(d.Op.String(), ">") && (d.N == nil || d.N.Value == "1") || strings.HasPrefix(d.Op.String(), "&>") {
			return "", false
		}
	}
	if f := r.stdinOf(r.redirects(s.Redirs, e), e); f != nil {
		in = f
	}
	return r.produce(r.words(c.Args, e), in, e)
}

// elsewhere works out cd X && pwd, by which a script finds its own folder.
func (r *reader) elsewhere(b *syntax.BinaryCmd, e *env) (string, bool) {
	cd, ok := b.X.Cmd.(*syntax.CallExpr)
	pwd, ok2 := b.Y.Cmd.(*syntax.CallExpr)
	if !ok || !ok2 || len(cd.Assigns)+len(pwd.Assigns) > 0 || len(pwd.Args) == 0 || pwd.Args[0].Lit() != "pwd" {
		return "", false
	}
	words := r.words(cd.Args, e)
	if len(words) < 2 || words[0].Text != "cd" || !known(words) || slices.ContainsFunc(words, func(w Word) bool { return w.Glob || w.Text == "-" }) {
		return "", false
	}
	d := joinPath(r.dir(e), folderArg(words[1:]).Text)
	own := e.at.dir == "" && e.zero.Known && d == path.Dir(joinPath(r.o.Dir, e.zero.Text)) // it holds the script that runs
	return d + "\n", path.IsAbs(d) && !e.at.unsure && !e.at.pending && (own || r.o.IsDir != nil && r.o.IsDir(d))
}

// produce works out what one command prints.
func (r *reader) produce(words []Word, in *feed, e *env) (string, bool) {
	for len(words) > 0 && (words[0].Text == "command" || words[0].Text == "builtin") && len(words) > 1 && !strings.HasPrefix(words[1].Text, "-") {
		words = words[1:]
	}
	if len(words) == 0 || !known(words) || slices.ContainsFunc(words, func(w Word) bool { return w.Glob && w.Text != "[" }) {
		return "", false
	}
	name, _, unsure := programName(words[0])
	if unsure != "" {
		return "", false
	}
	if _, ok := e.function(words[0].Text); ok {
		return "", false
	}
	args := words[1:]
	switch name {
	case "echo":
		return echo(args), true
	case "printf":
		return printf(args)
	case "pwd":
		d := r.dir(e)
		return d + "\n", d != "" && !e.at.unsure && !e.at.pending
	case "true", ":":
		return "", true
	case "dirname", "basename", "realpath", "readlink", "git":
		return r.pathOf(name, args, e)
	case "which", "command", "type":
		return located(name, args)
	}
	if in == nil {
		return "", false
	}
	text, ok := in.text()
	if !ok || len(text) > maxOutput {
		return "", false
	}
	return filter(name, args, text)
}

// pathOf works out the programs that print a path made of their arguments, and the root of the work tree. Links are not
// followed: whoever reads the path does that.
func (r *reader) pathOf(name string, args []Word, e *env) (string, bool) {
	d := r.dir(e)
	here := d != "" && !e.at.unsure && !e.at.pending
	if name == "git" {
		if len(args) != 2 || args[0].Text != "rev-parse" || args[1].Text != "--show-toplevel" || !here || r.o.Top == nil || r.gitMoved(e) {
			return "", false
		}
		top := r.o.Top(d)
		return top + "\n", top != ""
	}
	for len(args) > 0 && (args[0].Text == "--" || name == "readlink" && args[0].Text == "-f" || name == "realpath" && has("-e -m -s", args[0].Text)) {
		args = args[1:]
	}
	if len(args) == 0 || args[0].Text == "" || strings.HasPrefix(args[0].Text, "-") || len(args) > 1 && (name != "basename" || len(args) > 2) {
		return "", false
	}
	p := path.Clean(args[0].Text)
	switch name {
	case "dirname":
		p = path.Dir(p)
	case "basename":
		p = path.Base(p)
		if len(args) == 2 && p != args[1].Text {
			p = strings.TrimSuffix(p, args[1].Text)
		}
	default:
		p = joinPath(d, p)
		if !here && !path.IsAbs(args[0].Text) {
			return "", false
		}
	}
	return p + "\n", true
}

// gitMoved: the line, or the environment, sends git to another repository or work tree.
func (r *reader) gitMoved(e *env) bool {
	for _, n := range [...]string{"GIT_DIR", "GIT_WORK_TREE"} {
		if v := r.variable(n, e); v.known && v.text != "" || v.text != "" && v.text != "$"+n {
			return true
		}
	}
	return false
}

// located answers command -v X with X itself: the program that is meant.
func located(name string, args []Word) (string, bool) {
	if name == "command" || name == "type" {
		if len(args) != 2 || args[0].Text != "-v" && args[0].Text != "-p" && args[0].Text != "-P" {
			return "", false
		}
		args = args[1:]
	}
	if len(args) != 1 || strings.HasPrefix(args[0].Text, "-") {
		return "", false
	}
	return args[0].Text + "\n", true
}

// filter works out the programs that turn known text into other text.
func filter(name string, args []Word, text string) (string, bool) {
	switch name {
	case "cat", "tee":
		for _, a := range args {
			if a.Text != "-" {
				return "", name == "tee" && false
			}
		}
		return text, true
	case "rev":
		lines := strings.SplitAfter(text, "\n")
		for i, l := range lines {
			body, nl := strings.CutSuffix(l, "\n")
			b := []rune(body)
			slices.Reverse(b)
			lines[i] = string(b)
			if nl {
				lines[i] += "\n"
			}
		}
		return strings.Join(lines, ""), len(args) == 0
	case "tac":
		lines := strings.SplitAfter(strings.TrimSuffix(text, "\n")+"\n", "\n")
		lines = lines[:len(lines)-1]
		slices.Reverse(lines)
		return strings.Join(lines, ""), len(args) == 0
	case "base64", "gbase64", "openssl":
		return decode64(name, args, text)
	case "xxd":
		return decodeHex(args, text)
	case "tr":
		return translate(args, text)
	}
	return "", false
}

func decode64(name string, args []Word, text string) (string, bool) {
	dec := false
	for _, a := range args {
		switch a.Text {
		case "-d", "-D", "--decode", "-di", "-id":
			dec = true
		case "-i", "--ignore-garbage", "-A", "-a", "-base64":
		case "base64", "enc":
			if name != "openssl" {
				return "", false
			}
		default:
			return "", false
		}
	}
	if !dec {
		return "", false
	}
	clean := strings.Map(func(c rune) rune {
		if c == '=' || c == '\n' || c == '\r' || c == ' ' {
			return -1
		}
		return c
	}, text)
	out, err := base64.RawStdEncoding.DecodeString(clean)
	return string(out), err == nil
}

func decodeHex(args []Word, text string) (string, bool) {
	flags := ""
	for _, a := range args {
		flags += strings.TrimLeft(a.Text, "-")
	}
	if !strings.Contains(flags, "r") || !strings.Contains(flags, "p") {
		return "", false
	}
	out, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	return string(out), err == nil
}

// translate works out tr with plain sets and ranges, and tr -d.
func translate(args []Word, text string) (string, bool) {
	del := len(args) == 2 && args[0].Text == "-d"
	if del {
		args = args[1:]
	} else if len(args) != 2 {
		return "", false
	}
	from, ok := set(args[0].Text)
	if !ok {
		return "", false
	}
	var to []byte
	if !del {
		if to, ok = set(args[1].Text); !ok || len(to) == 0 {
			return "", false
		}
	}
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		j := slices.Index(from, text[i])
		switch {
		case j < 0:
			out = append(out, text[i])
		case del:
		default:
			out = append(out, to[min(j, len(to)-1)])
		}
	}
	return string(out), true
}

// set expands the ranges and escapes of one of tr's sets.
func set(s string) ([]byte, bool) {
	s = ansi(s)
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '[' && i+1 < len(s) && s[i+1] == ':' || len(out) > 256 {
			return nil, false
		}
		if i+2 < len(s) && s[i+1] == '-' && s[i] <= s[i+2] {
			for c := int(s[i]); c <= int(s[i+2]); c++ {
				out = append(out, byte(c))
			}
			i += 2
			continue
		}
		out = append(out, s[i])
	}
	return out, true
}

// echo prints its words; with -e escapes are resolved.
func echo(args []Word) string {
	end, escapes := "\n", false
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && strings.Trim(args[0].Text[1:], "neE") == "" {
		if strings.Contains(args[0].Text, "n") {
			end = ""
		}
		escapes = escapes || strings.Contains(args[0].Text, "e")
		args = args[1:]
	}
	s := join(args)
	if escapes {
		whole := false
		if s, whole = echoEscapes(s); !whole {
			end = ""
		}
	}
	return s + end
}

// echoEscapes resolves the escapes of echo -e and printf %b: like those of $'…', but octal ones begin with \0 and \c ends
// the output, which the second result says.
func echoEscapes(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		b.WriteByte(s[i])
		if s[i] != '\\' || i+1 == len(s) {
			continue
		}
		switch i++; {
		case s[i] == 'c':
			return ansi(b.String()[:b.Len()-1]), false
		case s[i] == '0' && i+1 < len(s) && digit(s[i+1]) < 8:
		default:
			b.WriteByte(s[i])
		}
	}
	return ansi(b.String()), true
}

// printf works out a format of strings, numbers and escapes; anything else is not known.
func printf(args []Word) (string, bool) {
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return "", false
	}
	format := args[0].Text
	args = args[1:]
	var out strings.Builder
	for {
		used, ok := printfOnce(&out, format, &args)
		if !ok || out.Len() > maxOutput {
			return "", false
		}
		if len(args) == 0 || !used {
			return out.String(), true
		}
	}
}

func printfOnce(out *strings.Builder, format string, args *[]Word) (used, ok bool) {
	plain := 0
	for i := 0; i < len(format); i++ {
		if format[i] == '\\' {
			i++ // left to ansi
			continue
		}
		if format[i] != '%' {
			continue
		}
		out.WriteString(ansi(format[plain:i]))
		for i++; i < len(format) && strings.IndexByte("-+ #0123456789.", format[i]) >= 0; i++ {
			if format[i] != '0' && format[i] != '2' {
				return false, false // widths are not worked out; %02x is common and harmless to skip
			}
		}
		if i == len(format) {
			return false, false
		}
		plain = i + 1
		if format[i] == '%' {
			out.WriteByte('%')
			continue
		}
		arg := ""
		if len(*args) > 0 {
			arg, *args = (*args)[0].Text, (*args)[1:]
		}
		used = true
		switch format[i] {
		case 's', 'c':
			out.WriteString(arg)
		case 'b':
			text, whole := echoEscapes(arg)
			if out.WriteString(text); !whole {
				*args = nil
				return true, true
			}
		case 'd', 'i', 'u':
			n, err := strconv.Atoi(arg)
			if err != nil && arg != "" {
				return false, false
			}
			out.WriteString(strconv.Itoa(n))
		default:
			return false, false
		}
	}
	out.WriteString(ansi(format[min(plain, len(format)):]))
	return used, true
}
