package redact

import "strings"

// maxScan is how much of one text is looked at; the rest is replaced, not passed on.
const maxScan = 256 << 10

// span is a secret's place in a text.
type span struct {
	a, b int
	kind string
	rank rank
}

// rank says how much a kind tells: where two rules find the same secret, the higher names it.
type rank uint8

const (
	byPlace  rank = iota // a flag, a position, a shape
	byName               // the name of a variable or field
	byPrefix             // the provider's own mark
)

// scan is one pass over one text. Each rule adds spans; none changes the text.
type scan struct {
	s        string
	command  bool // the text is a command line
	entropy  bool
	rules    *Rules // nil: none
	depth    uint8  // of decoding
	spans    []span
	next     int // bytes before it were hidden whole, and are not looked at again
	runs     [8]run
	values   run
	line     run
	urls     run
	ends     run // of PEM blocks
	triesTo  int // the end of the run that was last taken for base64
	tries    int // from how many places
	decoded  int // escapes before it were looked at
	cookieTo int // cookies before it were looked at
	tableTo  int // rows of tables before it were looked at
	valuesTo int // tuples of VALUES before it were looked at
	splitTo  int // strings before it were put together
	noJWT    int // the end of a run without the dots of a token
	jwkTo    int // JSON Web Keys before it were looked at
	saidTo   int // what is told of passwords before it was looked at
	lineTo   int // commands before it were looked at, from
	lines    int // so many places
	listTo   int // lists of cookies, accounts and keys before it were looked at
	seedTo   int // groups of four before it were looked at
	kubeTo   int // the end of the Kubernetes Secret that was looked at last
}

// run remembers where the last run of bytes of one set ended, which keeps the pass linear.
type run struct{ from, to int }

// runEnd is the end of the run of bytes of a set that i stands in.
func (sc *scan) runEnd(set byte, i int) int {
	r := &sc.runs[trailingZeros(set)]
	if i >= r.from && i < r.to {
		return r.to
	}
	j := i
	for j < len(sc.s) && class[sc.s[j]]&set != 0 {
		j++
	}
	*r = run{i, j}
	return j
}

func trailingZeros(set byte) int {
	n := 0
	for set > 1 {
		set >>= 1
		n++
	}
	return n
}

// reset makes the scan ready for another text; it keeps what was allocated.
func (sc *scan) reset(s string, command bool) {
	*sc = scan{s: s, command: command, entropy: sc.entropy, rules: sc.rules, spans: sc.spans[:0]}
}

// add notes a secret.
func (sc *scan) add(a, b int, kind string, r rank) {
	if a >= b {
		return
	}
	sc.spans = append(sc.spans, span{a, b, kind, r})
	sc.next = max(sc.next, b)
}

// addValue notes a secret found by its place or name; a provider's mark in it gives a better kind.
func (sc *scan) addValue(a, b int, kind string, r rank) {
	if end, k := sc.prefixAt(a); k != "" && end <= b {
		kind, r = k, byPrefix
	}
	sc.add(a, b, kind, r)
}

// run looks at the whole text once. Rules are entered by the byte or the word they hang on.
func (sc *scan) run() {
	s := sc.s
	sc.separated()
	sc.next = 0
	for i := 0; i < len(s); i = max(i, sc.next) {
		c := s[i]
		if class[c]&setIdent != 0 {
			i = sc.word(i)
			continue
		}
		switch c {
		case '=':
			sc.assign(i)
		case ':':
			if hasAt(s, i, "://") {
				sc.url(i)
			} else {
				sc.pgpass(i)
				sc.assign(i)
			}
		case ',':
			sc.argument(i)
		case '(':
			sc.call(i)
		case '/':
			sc.pair(i)
		case '>':
			sc.element(i)
		case '-':
			sc.ruled(i)
			sc.dash(i)
		case '+':
			sc.ruled(i)
			sc.split(i)
		case '|':
			sc.ruled(i)
			sc.appToken(i)
			sc.orElse(i)
			if !sc.command {
				sc.besideName(i, 1)
			}
		case '?':
			sc.orElse(i)
		case '@':
			sc.goDSN(i)
		case '$':
			sc.cryptHash(i)
		case '%', '\\':
			sc.escaped(i)
			if c == '\\' && i+1 < len(s) && (s[i+1] == 'n' || s[i+1] == 't' || s[i+1] == 'r') {
				i++ // the end of a line, in a string: no part of the word behind it
			}
		case '~':
			sc.azureClient(i)
		default:
			if c >= 0xC0 {
				sc.tongue(i)
			}
		}
		i++
	}
}

// word looks at the word that begins at i and gives its end.
func (sc *scan) word(i int) int {
	s := sc.s
	j := i
	for at := i; ; {
		if end := sc.userPrefixAt(at); end > 0 {
			sc.add(at, end, userPrefix, byPrefix)
			return end
		}
		if end, kind := sc.prefixAt(at); kind != "" {
			sc.add(at, end, kind, byPrefix)
			sc.concat(end, kind)
			return end
		}
		for j < len(s) && class[s[j]]&setAlnum != 0 {
			j++
		}
		if j == len(s) || s[j] != '_' {
			break
		}
		for j < len(s) && s[j] == '_' {
			j++
		}
		at = j
	}
	switch n := j - i; {
	case n == 6 && s[i]|0x20 == 'v' && strings.EqualFold(s[i:j], "values"):
		sc.insert(i, j)
	case n == 4 && s[i:j] == "kind":
		sc.kube(i, j)
	case n == 4 && j < len(s) && s[j] == ' ' && i >= sc.seedTo && j+5 < len(s) && s[j+5] == ' ' && class[s[j+4]]&setAlnum != 0:
		if sc.seed(i); sc.next < j {
			sc.keyword(i, j)
		}
	case n == 3 && s[i:j] == "kty":
		sc.jwk(i)
	case n >= 2 && n <= 24:
		if j < len(s) && (s[j] == ' ' || s[j] == '-' || s[j] == '.' || s[j] == '\t') {
			sc.keyword(i, j)
		}
	}
	if s[i] == 'e' && j-i >= 16 {
		sc.jwt(i)
	}
	if j-i >= 8 {
		sc.joined(i, j)
		sc.labelled(i)
	}
	if j-i >= 8 || j < len(s) && (s[j] == '+' || s[j] == '/') {
		sc.opaqueRun(i, j)
	}
	return j
}

// sorted puts the spans in order, joins those that touch, and cuts them around tags that already stand in the text.
func (sc *scan) sorted() []span {
	if len(sc.spans) == 0 {
		return nil
	}
	sortSpans(sc.spans)
	out := sc.spans[:1]
	for _, sp := range sc.spans[1:] {
		last := &out[len(out)-1]
		if sp.a >= last.b {
			out = append(out, sp)
			continue
		}
		if sp.rank > last.rank || sp.rank == last.rank && sp.b-sp.a > last.b-last.a {
			last.kind, last.rank = sp.kind, sp.rank
		}
		last.b = max(last.b, sp.b)
	}
	return sc.aroundTags(out)
}

// sortSpans puts spans in the order of their beginnings and leaves those that begin together as they stand: a merge
// from below. The generic sort of the library costs the program four times as many bytes.
func sortSpans(spans []span) {
	ordered := true
	for i := 1; i < len(spans) && ordered; i++ {
		ordered = spans[i-1].a <= spans[i].a
	}
	if ordered {
		return
	}
	from, to := spans, make([]span, len(spans))
	for width := 1; width < len(spans); width *= 2 {
		for lo := 0; lo < len(from); lo += 2 * width {
			mid, hi := min(lo+width, len(from)), min(lo+2*width, len(from))
			i, j := lo, mid
			for k := lo; k < hi; k++ {
				if j == hi || i < mid && from[i].a <= from[j].a {
					to[k] = from[i]
					i++
				} else {
					to[k] = from[j]
					j++
				}
			}
		}
		from, to = to, from
	}
	copy(spans, from)
}

func (sc *scan) aroundTags(in []span) []span {
	if !strings.Contains(sc.s, tagHead) {
		return in
	}
	var out []span
	for _, sp := range in {
		// A tag that begins before the span may reach into it.
		a := sp.a
		if from := strings.LastIndex(sc.s[max(0, a-maxTag):a], tagHead); from >= 0 {
			from += max(0, a-maxTag)
			a = max(a, from+tagAt(sc.s, from))
		}
		for a < sp.b {
			k := strings.Index(sc.s[a:sp.b], tagHead)
			n := 0
			for k >= 0 {
				if n = tagAt(sc.s, a+k); n > 0 {
					break
				}
				more := strings.Index(sc.s[a+k+1:sp.b], tagHead)
				if more < 0 {
					k = -1
					break
				}
				k += 1 + more
			}
			e := sp.b
			if k >= 0 {
				e = a + k
			}
			if c := count(sc.s[a:e]); c.digits+c.lower+c.upper+c.other > 0 {
				out = append(out, span{a, e, sp.kind, sp.rank})
			}
			if k < 0 {
				break
			}
			a += k + n
		}
	}
	return out
}
