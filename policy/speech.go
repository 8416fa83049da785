package policy

import "strings"

// maxSpeech bounds what is read of a person's words, in bytes; what lies past it gives no consent and takes none back.
const maxSpeech = 16 << 10

// word is one word of a prompt.
type word struct {
	text, low string
	quoted    bool // a span in backticks or double quotes, which may hold spaces
}

// sentence is a run of words; "," stands in it as a word of its own.
type sentence struct {
	words    []word
	question bool
	colon    bool // it heads what follows
	opens    bool // a blank line stands before it
	foreign  bool // it is not the person's own: a no of it counts, a yes does not
}

// sentences splits a prompt. Code blocks, quoted lines, shell transcripts and what is set in so far that it may be one
// are foreign. A line goes on in the next one unless that begins a list or a paragraph.
func sentences(text string) []sentence {
	var out []sentence
	cur := sentence{opens: true}
	fenced, theirs := false, false
	end := func(mark byte) {
		if len(cur.words) > 0 {
			cur.question, cur.colon, cur.foreign = mark == '?', mark == ':', theirs
			out = append(out, cur)
			cur = sentence{}
		}
	}
	for line := range strings.Lines(text[:min(len(text), maxSpeech)]) {
		bare := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(bare, "```"), strings.HasPrefix(bare, "~~~"):
			fenced = !fenced
			end(0)
			continue
		case bare == "":
			end(0)
			cur.opens = true
			continue
		case fenced, foreign(line, bare):
			end(0)
			theirs = true
			bare = strings.TrimLeft(bare, quoting+" ")
		case theirs:
			end(0)
			theirs = false
		}
		if rest, ok := listItem(bare); ok {
			end(0)
			bare = rest
		}
		lineWords(bare, &cur, end)
	}
	end(0)
	return out
}

// foreign lines are quoted from elsewhere or are what a program printed.
func foreign(line, bare string) bool {
	return strings.HasPrefix(line, "    ") || line[0] == '\t' || strings.IndexByte(quoting, bare[0]) >= 0
}

// quoting marks begin such a line.
const quoting = ">$%|+@"

// listItem takes the mark of a list off a line: -, *, # or 1.
func listItem(s string) (rest string, ok bool) {
	mark, rest, _ := strings.Cut(s, " ")
	mark = strings.TrimRight(mark, ".)")
	return rest, mark == "" || strings.Trim(mark, "-*#•") == "" || strings.Trim(mark, "0123456789") == ""
}

// lineWords adds the words of a line to the sentence; end closes it.
func lineWords(s string, cur *sentence, end func(mark byte)) {
	add := func(text string, quoted bool) {
		cur.words = append(cur.words, word{text, strings.ToLower(text), quoted})
	}
	for s = strings.TrimLeft(s, " \t"); s != ""; s = strings.TrimLeft(s, " \t") {
		if span, rest, ok := quotedSpan(s); ok {
			add(span, true)
			s = rest
			if s != "" && s[0] != ' ' {
				s = closing(s, cur, end)
			}
			continue
		}
		i := strings.IndexAny(s, " \t")
		if i < 0 {
			i = len(s)
		}
		text := s[:i]
		s = s[i:]
		if strings.Trim(text, "-–—&(") == "" {
			add(",", false)
			continue
		}
		if text[0] == '(' {
			add(",", false)
			text = text[1:]
		}
		core := strings.TrimRight(text, ".,;:!?)'’\"”")
		if core = strings.TrimLeft(core, "'‘\"“"); core != "" {
			add(strings.ReplaceAll(core, "’", "'"), false)
		}
		closing(text[len(strings.TrimRight(text, ".,;:!?)'’\"”")):], cur, end)
	}
}

// closing reads the marks at the end of a word, and gives what follows them.
func closing(s string, cur *sentence, end func(mark byte)) string {
	i := 0
	for ; i < len(s) && s[i] != ' '; i++ {
		switch s[i] {
		case ',', ')':
			cur.words = append(cur.words, word{text: ",", low: ","})
		case '.', ';', '!', '?', ':':
			end(s[i])
		}
	}
	return s[i:]
}

// quotedSpan takes a span in backticks or double quotes off the beginning.
func quotedSpan(s string) (span, rest string, ok bool) {
	for _, q := range [...][2]string{{"`", "`"}, {`"`, `"`}, {"“", "”"}} {
		if in, ok := strings.CutPrefix(s, q[0]); ok {
			span, rest, ok = strings.Cut(in, q[1])
			return span, rest, ok && span != ""
		}
	}
	return "", "", false
}

// oneOf says that a word stands in a list of words.
func oneOf(list, w string) bool {
	if w == "" || strings.ContainsRune(w, ' ') {
		return false
	}
	i := strings.Index(" "+list+" ", " "+w+" ")
	return i >= 0
}

// Words that turn, limit or put off what a sentence says.
const (
	denying = "not never no nothing none neither nor without keep leave preserve retain spare avoid except excluding besides skip stop refrain save protect cannot dont doesnt wait hold but untouched leaving keeping preserving retaining sparing"
	// unsure words make the whole sentence no consent: it depends on something, or is about saying and not about doing.
	unsure    = "if unless until till provided providing assuming soon once when whenever after while or maybe perhaps possibly later someday eventually might ask confirm whether suppose imagine example e.g myself should must never"
	general   = "it them that this these those anything everything any all yet"
	authoring = "script function command test tests tool program code job workflow action hook endpoint docs readme makefile target guide document section method class api button feature option flag handler task-runner cron pipeline"
	making    = "write add create implement make draft document describe explain design extend change update fix support let allow teach"
	heading   = "following this these steps tasks task todo plan please do now then yes ok okay sure cleanup the first next also and here clean up"
	// operating verbs begin headings that are orders; telling words make of any heading one of a text.
	operating = "set tidy clean rebuild upgrade migrate reset refresh remove delete drop move merge switch fix finish reindex recreate run test restart prepare reorganise reorganize here on"
	telling   = "say says said saying read reads reading write writes wrote print prints printed output log logs error errors message comment comments text string line called named question answer title translate explain issue ticket mail email prompt note notes example instructions according script per from"
	lead      = "may feel free please then now also just first next finally and ok okay yes sure so simply afterwards lastly go ahead you can could may let's lets i'd i want need like to us we go on"
	starting  = "run fix update rename move copy commit push build rebuild stop start merge pull fetch checkout switch stash install upgrade bump format lint regenerate review open close revert delete remove drop discard clean go clear reset empty overwrite replace"
)

// savesAway: the words behind "save" say where to.
func savesAway(ws []word) bool {
	for _, w := range ws {
		if !w.quoted && oneOf("to as", w.low) {
			return true
		}
	}
	return false
}

// denies says that the i-th word turns what its clause says.
func denies(ws []word, i int) bool {
	w := ws[i]
	if w.quoted {
		return false
	}
	next := ""
	if i+1 < len(ws) {
		next = ws[i+1].low
	}
	switch {
	case w.low == "no" && oneOf("longer one use need", next), w.low == "not" && oneOf("needed used required necessary", next),
		w.low == "without" && oneOf("asking confirmation confirming prompting", next):
		return false
	case w.low == "save" && (i > 0 && oneOf("the a an my old new last this game", ws[i-1].low) || savesAway(ws[i+1:])): // the save file; save it as x
		return false
	case strings.HasSuffix(w.low, "n't"):
		return next != "need"
	}
	return oneOf(denying, w.low)
}
