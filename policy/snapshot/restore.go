package snapshot

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stepgate/stepgate/internal/safefile"
	"github.com/stepgate/stepgate/policy/effect"
)

// ErrNewer is wrapped when giving a copy back would overwrite newer work.
var ErrNewer = errors.New("newer work would be overwritten")

// Apply gives the copy back. It refuses to overwrite newer work unless forced; then it first takes a copy of that, which
// it returns.
func (p *Plan) Apply(force bool) (kept Snapshot, err error) {
	if newer := p.Newer(); len(newer) > 0 {
		if !force {
			return kept, ErrNewer
		}
		if kept, err = p.keepNewer(newer); err != nil {
			return kept, fmt.Errorf("newer work could not be kept first, so nothing was changed: %w", err)
		}
	}
	for _, s := range p.Steps {
		if s.do == nil {
			e := s.entry
			s.do = func() error { return p.put(e) }
		}
		if err := s.do(); err != nil {
			return kept, fmt.Errorf("%s %q: %w", s.Does, s.What, err)
		}
	}
	if err := p.touch(); err != nil {
		return kept, err
	}
	return kept, safefile.Write(filepath.Join(p.Dir, undoneFile), nil)
}

// keepNewer takes a copy of what would be overwritten.
func (p *Plan) keepNewer(newer []Step) (Snapshot, error) {
	var keeps []effect.Keep
	for _, s := range newer {
		switch {
		case s.entry != nil:
			path := string(s.entry.Path)
			keeps = append(keeps, effect.Keep{Paths: []string{path}, Lost: []string{path}})
		case s.Does == MovesRef:
			name, _, _ := strings.Cut(s.What, " ")
			keeps = append(keeps, effect.Keep{Repo: string(s.repo.Root), Refs: []string{name}})
		default:
			keeps = append(keeps, effect.Keep{Repo: string(s.repo.Root), To: "HEAD"})
		}
	}
	roomy := *p.store // a person waits for this one
	roomy.Limits = Limits{Files: 100 * p.store.Limits.Files, Bytes: 10 * p.store.Limits.Bytes, Time: time.Minute}
	project := filepath.Base(filepath.Dir(p.Dir))
	return roomy.Take(p.ctx, Call{Project: project, Root: string(p.Root), Session: p.Session, Tool: "undo", What: p.What}, keeps)
}

// put puts one path back.
func (p *Plan) put(e *Entry) error {
	path := string(e.Path)
	if err := safeParent(path); err != nil {
		return err
	}
	if e.Kind == Absent {
		return os.Remove(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	switch e.Kind {
	case Folder:
		if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		return nil
	case Link:
		tmp, err := beside(path, func(tmp string) error { return os.Symlink(string(e.To), tmp) })
		if err != nil {
			return err
		}
		if err := own(e, tmp); err != nil {
			return err
		}
		return os.Rename(tmp, path)
	case File:
		return p.putFile(e)
	}
	return fmt.Errorf("snapshot %s: %q is of no known kind", p.ID, e.Kind)
}

// putFile copies the content to a new file that then takes the name.
func (p *Plan) putFile(e *Entry) error {
	src, c, err := p.content(e)
	if err != nil {
		return err
	}
	defer c.Close()
	var dst *os.File
	tmp, err := beside(string(e.Path), func(tmp string) error {
		dst, err = os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		return err
	})
	if err != nil {
		return err
	}
	n, err := io.Copy(dst, src)
	if err == nil && n != e.Size {
		err = fmt.Errorf("the copy is cut short: %d of %d bytes", n, e.Size)
	}
	if e := dst.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = meta(e, tmp)
	}
	if err == nil {
		err = os.Rename(tmp, string(e.Path))
	}
	if err != nil {
		os.Remove(tmp) // the first error is the one to tell
	}
	return err
}

// beside makes something under a free name in the folder of path.
func beside(path string, make func(tmp string) error) (string, error) {
	for n := 0; ; n++ {
		tmp := filepath.Join(filepath.Dir(path), ".stepgate-undo-"+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(n))
		if err := make(tmp); err == nil || !errors.Is(err, fs.ErrExist) || n > 100 {
			return tmp, err
		}
	}
}

// meta gives a file or folder its owner, mode and time.
func meta(e *Entry, path string) error {
	if err := own(e, path); err != nil {
		return err
	}
	if err := os.Chmod(path, e.Mode); err != nil {
		return err
	}
	t := time.Unix(0, e.MTime)
	return os.Chtimes(path, t, t)
}

func own(e *Entry, path string) error {
	uid, gid, ok := strings.Cut(e.Owner, ":")
	if !ok {
		return nil
	}
	u, err1 := strconv.Atoi(uid)
	g, err2 := strconv.Atoi(gid)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	return os.Lchown(path, u, g)
}

// touch gives mode and time to what has the right content, and to folders that were made, the deepest first, as
// everything made inside a folder changes its time.
func (p *Plan) touch() error {
	for _, e := range p.quiet {
		if err := meta(e, string(e.Path)); err != nil {
			return err
		}
	}
	var folders []*Entry
	for _, s := range p.Steps {
		if s.entry != nil && s.entry.Kind == Folder {
			folders = append(folders, s.entry)
		}
	}
	slices.SortFunc(folders, func(a, b *Entry) int { return len(b.Path) - len(a.Path) })
	for _, e := range folders {
		if err := meta(e, string(e.Path)); err != nil {
			return err
		}
	}
	return nil
}
