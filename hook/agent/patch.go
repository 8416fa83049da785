package agent

import "strings"

// Why a patch cannot be read. Codex refuses such a patch as well, but the gate does not rely on it.
const (
	errNoPatch   Error = "the text is not a patch that begins with *** Begin Patch"
	errPatchLine Error = "a line of the patch belongs to no file"
	errPatchMany Error = "the patch changes more files than are read"
)

// ParsePatch reads the patch language of apply_patch:
//
//	*** Begin Patch
//	*** Add File: PATH       then +lines
//	*** Delete File: PATH
//	*** Update File: PATH    then *** Move to: PATH, and @@, context, - and + lines
//	*** End Patch
//
// It is as lenient as Codex about space around the markers and about a here-document around the whole, and gives one
// Edit a file. Nothing of a patch with an error is given.
func ParsePatch(text string) ([]Edit, error) {
	p := patchReader{}
	lines := unwrapPatch(text)
	first, rest, _ := strings.Cut(lines, "\n")
	if strings.TrimSpace(first) != "*** Begin Patch" {
		return nil, errNoPatch
	}
	for rest != "" {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if strings.TrimSpace(line) == "*** End Patch" && !p.content(line) {
			if strings.TrimSpace(rest) != "" {
				return nil, errPatchLine
			}
			rest = ""
			continue
		}
		if err := p.line(strings.TrimSuffix(line, "\r")); err != nil {
			return nil, err
		}
	}
	p.finish()
	return p.edits, nil
}

// unwrapPatch takes away space and a here-document's marks (<<'EOF' … EOF) around a patch.
func unwrapPatch(text string) string {
	text = strings.TrimSpace(text)
	mark, rest, ok := strings.Cut(text, "\n")
	switch strings.TrimSpace(mark) {
	case "<<EOF", "<<'EOF'", `<<"EOF"`:
	default:
		ok = false
	}
	body, end := strings.CutSuffix(rest, "EOF")
	if ok && end {
		return strings.TrimSpace(body)
	}
	return text
}

// patchReader gathers the edit of the file it is at.
type patchReader struct {
	edits    []Edit
	at       *Edit // in edits
	old, new strings.Builder
}

// content says that a line is text of the file it stands in, whatever it looks like.
func (p *patchReader) content(line string) bool {
	if p.at == nil || line == "" {
		return false
	}
	switch line[0] {
	case '+':
		return p.at.Op != Delete
	case '-', ' ':
		return p.at.Op == Update || p.at.Op == Move
	}
	return false
}

func (p *patchReader) line(line string) error {
	if p.content(line) {
		switch line[0] {
		case '+':
			p.new.WriteString(line[1:])
			p.new.WriteByte('\n')
		case '-':
			p.old.WriteString(line[1:])
			p.old.WriteByte('\n')
		}
		return nil
	}
	head := strings.TrimSpace(line)
	for _, h := range [...]struct {
		mark string
		op   EditOp
	}{{"*** Add File: ", WriteFile}, {"*** Delete File: ", Delete}, {"*** Update File: ", Update}} {
		if path, ok := strings.CutPrefix(head, h.mark); ok {
			return p.file(h.op, path)
		}
	}
	inUpdate := p.at != nil && (p.at.Op == Update || p.at.Op == Move)
	switch to, ok := strings.CutPrefix(head, "*** Move to: "); {
	case ok && inUpdate:
		p.at.Op, p.at.To = Move, to
		return nil
	case head == "", strings.HasPrefix(head, "*** Environment ID: ") && p.at == nil:
		return nil
	case inUpdate && (head == "*** End of File" || strings.HasPrefix(head, "@@")):
		return nil
	}
	return errPatchLine
}

// file begins the edit of a file.
func (p *patchReader) file(op EditOp, path string) error {
	p.finish()
	if len(p.edits) == MaxEdits {
		return errPatchMany
	}
	p.edits = append(p.edits, Edit{Op: op, Path: path})
	p.at = &p.edits[len(p.edits)-1]
	return nil
}

// finish ends the edit of a file.
func (p *patchReader) finish() {
	if p.at == nil {
		return
	}
	p.at.Old, p.at.New = p.old.String(), p.new.String()
	p.old, p.new, p.at = strings.Builder{}, strings.Builder{}, nil
}
