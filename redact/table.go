package redact

import "strings"

// columns are what the heads of a table's columns say.
type columns struct {
	key [32]keyName
	n   int
	any bool // some column holds secrets
}

func (c *columns) add(sc *scan, head string) {
	if c.n == len(c.key) {
		return
	}
	key := sc.key(strings.Trim(head, " \t\r\"'`*_[]\\"))
	if key.score == strong || key.kind == "otp" {
		c.key[c.n], c.any = key, true
	}
	c.n++
}

// cell hides a value in the column n.
func (c *columns) cell(sc *scan, n int, v value) {
	if n >= c.n || c.key[n].score == none {
		return
	}
	if v = sc.trim(v); v.a >= v.b {
		return
	}
	if k := count(sc.s[v.a:v.b]); k.digits+k.marks == 0 {
		return // a word: the table describes its columns
	}
	sc.take(v, c.key[n], quoted)
}

const maxTable = 64 << 10 // bytes of a table that are looked at

// insert: the word at [a,b) is VALUES, in INSERT INTO t (name, password) VALUES ('ann', 'x'), ('bob', 'y').
func (sc *scan) insert(a, b int) {
	s := sc.s
	if a < sc.valuesTo {
		return
	}
	end := strings.TrimRight(s[max(0, a-1024):a], " \t\n\\")
	if !strings.HasSuffix(end, ")") {
		return
	}
	open := strings.LastIndexByte(end, '(')
	if open < 0 {
		return
	}
	var cols columns
	for head := range strings.SplitSeq(end[open+1:len(end)-1], ",") {
		cols.add(sc, head)
	}
	if !cols.any {
		return
	}
	for limit := min(len(s), b+maxTable); b < limit; {
		b = sc.skip(b, " \t\n\r,")
		if b >= limit || s[b] != '(' {
			return
		}
		end, closed := sc.tuple(b+1, limit, &cols)
		if !closed {
			sc.valuesTo = min(end, b+maxLiteral) // it may be a lone parenthesis: what follows is not part of it
			return
		}
		b, sc.valuesTo = end, end
	}
}

// tuple reads values between parentheses and gives the place where that ended, and whether they were closed.
func (sc *scan) tuple(i, limit int, cols *columns) (end int, closed bool) {
	s := sc.s
	for n, depth := 0, 0; i < limit; {
		if v, ok := sc.quotedAt(i); ok {
			if depth == 0 {
				cols.cell(sc, n, v)
			}
			i = v.end
			continue
		}
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return i + 1, true
			}
		case ',':
			if depth == 0 {
				n++
			}
		case ';':
			return i, false
		}
		i++
	}
	return i, false
}

func (sc *scan) skip(i int, set string) int {
	for i < len(sc.s) && strings.IndexByte(set, sc.s[i]) >= 0 {
		i++
	}
	return i
}

// ruled: s[i] is the first |, + or - of a line that may part a table's head from its body, as in Markdown or as a
// database prints it; the body's columns are what the line above says.
func (sc *scan) ruled(i int) {
	s := sc.s
	if i == 0 || i < sc.tableTo || s[i-1] != '\n' {
		return
	}
	e := sc.lineEnd(i)
	rule := s[i:e]
	if e-i < 5 || strings.Trim(rule, "|-:+ \r") != "" || strings.IndexByte(rule, '-') < 0 || !strings.ContainsAny(rule, "|+") {
		return
	}
	head := s[strings.LastIndexByte(s[max(0, i-1-1024):i-1], '\n')+1+max(0, i-1-1024) : i-1]
	var cols columns
	for cell := range strings.SplitSeq(strings.Trim(head, "| \r"), "|") {
		cols.add(sc, cell)
	}
	if cols.any {
		sc.rows(e+1, '|', &cols)
	}
}

// besideName: s[i] is the mark, of n bytes, between a name and its value in a table of two columns.
func (sc *scan) besideName(i, n int) {
	s := sc.s
	name, ok := sc.nameBefore(i)
	if !ok {
		return
	}
	before := strings.TrimRight(s[max(0, name.a-8):name.a], " `*")
	key := sc.key(s[name.a:name.b])
	if key.score != strong || !strings.HasSuffix(before, s[i:i+n]) {
		return
	}
	e := sc.lineEnd(i)
	if k := strings.Index(s[i+n:e], s[i:i+n]); k >= 0 {
		e = i + n + k
	}
	v := sc.trim(value{a: i + n, b: e, quoted: true})
	if text := s[v.a:v.b]; scrambled(text) || machineMade(text) {
		sc.take(v, key, quoted)
	}
}

// rows reads lines that each hold one row of a table, up to the first that holds none.
func (sc *scan) rows(a int, by byte, cols *columns) {
	s := sc.s
	for limit := min(len(s), a+maxTable); a < limit; {
		e := sc.lineEnd(a)
		line := s[a:e]
		if strings.IndexByte(line, by) < 0 {
			return
		}
		sc.tableTo = e
		at := a
		if by == '|' {
			at += len(line) - len(strings.TrimLeft(line, " |"))
		}
		for n := 0; at < e; n++ {
			to := e
			if k := strings.IndexByte(s[at:e], by); k >= 0 {
				to = at + k
			}
			v := sc.trim(value{a: at, b: to, quoted: true})
			for v.b-v.a > 1 && (s[v.a] == '`' || s[v.a] == '"' || s[v.a] == '*') && s[v.b-1] == s[v.a] {
				v.a, v.b = v.a+1, v.b-1
			}
			cols.cell(sc, n, v)
			at = to + 1
		}
		a = e + 1
	}
}

// separated: the text begins with the names of columns, as a file of values with commas or tabs between them does.
func (sc *scan) separated() {
	s := sc.s
	e := strings.IndexByte(s[:min(len(s), 1024)], '\n')
	if e < 0 {
		return
	}
	by := byte(',')
	if strings.IndexByte(s[:e], '\t') > 0 {
		by = '\t'
	}
	if strings.IndexByte(s[:e], by) <= 0 || e+1 == len(s) {
		return
	}
	var cols columns
	for head := range strings.SplitSeq(s[:e], string(by)) {
		head = strings.Trim(head, " \r\"")
		if head == "" || strings.IndexFunc(head, func(r rune) bool { return r >= 0x80 || class[byte(r)]&setWord == 0 && r != ' ' }) >= 0 {
			return
		}
		cols.add(sc, head)
	}
	if cols.any && cols.n > 1 {
		sc.rows(e+1, by, &cols)
	}
}
