package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/internal/safefile"
)

// missedPath is an empty file that is there from a prompt that could not be recorded to the next line.
func (f *File) missedPath() string { return filepath.Join(f.store.Dir, headsDir, f.name+".missed") }

// Miss leaves word that a person's prompt could not be recorded: it may have taken back what the prompts before it
// allow. It stands apart from the record and takes no room, so that it can be left where a line cannot be written.
func (f *File) Miss() error {
	if f.store.Dir == "" {
		return errNoHome
	}
	const flag = os.O_WRONLY | os.O_CREATE
	fh, err := safefile.Open(f.missedPath(), flag)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err = safefile.Dir(f.store.Dir, headsDir); err == nil {
			fh, err = safefile.Open(f.missedPath(), flag)
		}
	}
	if err != nil {
		return err
	}
	return fh.Close()
}

// MissPrompt notes that a person said something that is not known: the prompts before give no consent any more, and the
// next call is judged by a memory that is not whole.
func (t *Totals) MissPrompt() {
	t.Missed = true
	if t.Plan != nil {
		t.Plan.Void = true
	}
	for i := range t.Later {
		t.Later[i].Void = true
	}
}

// maxHeard is how many turns are known by their prompts: calls of a turn can come after the next one's prompt.
const maxHeard = 4

// Hear takes a turn for one whose prompt is known.
func (t *Totals) Hear(turn string) {
	if turn != "" {
		t.Heard = strings.Join(newest(append(strings.Fields(t.Heard), shortHash(turn)), maxHeard), " ")
	}
}

// Unheard says that a turn began with a prompt that is not known. Of a turn without a name, and where no prompt's turn
// was ever known, there is nothing to say.
func (m *Memory) Unheard(turn string) bool {
	return turn != "" && m.Totals.Heard != "" && !strings.Contains(m.Totals.Heard, shortHash(turn))
}
