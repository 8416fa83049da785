package effect

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Repo asks git.
type Repo interface {
	// Git runs one git plumbing command in a folder and gives what it prints. An answer past maxAnswer bytes, a time-out
	// and an exit status other than zero are errors.
	Git(dir string, args ...string) ([]byte, error)
}

// maxAnswer bounds what git prints, in bytes.
const maxAnswer = 16 << 20

// gitRepo is the git of the system's folders. It runs nothing of the repository's: no hook, filter, pager, fsmonitor,
// signing program or remote helper.
type gitRepo struct {
	home string
	wait time.Duration // how long one question may take
}

// gitPath finds git where only the system's administrator can put it, never on PATH.
func gitPath() string {
	for _, dir := range [...]string{"/usr/bin", "/usr/local/bin", "/bin", "/opt/homebrew/bin", "/opt/local/bin", `C:\Program Files\Git\cmd`} {
		for _, name := range [...]string{"git", "git.exe"} {
			p := filepath.Join(dir, name)
			if fi, err := os.Stat(p); err == nil && fi.Mode().IsRegular() {
				return p
			}
		}
	}
	return ""
}

var errNoGit = errors.New("git is not in a system folder")

func (g gitRepo) Git(dir string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), g.wait)
	defer cancel()
	cmd, err := GitCommand(ctx, g.home, dir, args...)
	if err != nil {
		return nil, err
	}
	var out limited
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	if out.over {
		return nil, errors.New("git's answer is too long")
	}
	return out.Bytes(), nil
}

// GitCommand makes a git command that runs nothing of the repository's and heeds nothing of the environment.
func GitCommand(ctx context.Context, home, dir string, args ...string) (*exec.Cmd, error) {
	bin := gitPath()
	if bin == "" {
		return nil, errNoGit
	}
	full := append([]string{
		"--no-pager", "--no-replace-objects", "--literal-pathspecs", "-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false",
		"-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false", "-c", "core.attributesFile=/dev/null", "-c", "submodule.recurse=false",
	}, args...)
	cmd := exec.CommandContext(ctx, bin, full...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=/usr/bin:/bin:/usr/local/bin", "HOME=" + home, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
		"GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1",
	}
	cmd.WaitDelay = time.Second // a busy machine takes its time to hand over the answer
	return cmd, nil
}

// limited keeps the first maxAnswer bytes.
type limited struct {
	bytes.Buffer
	over bool
}

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxAnswer {
		l.over = true
		return len(p), nil
	}
	return l.Buffer.Write(p)
}

// repoRoot finds the work tree a path lies in by its .git, without asking git; empty when there is none.
func repoRoot(p string) string {
	for d, n := p, 0; n < maxParts; n++ {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		up := filepath.Dir(d)
		if up == d {
			return ""
		}
		d = up
	}
	return ""
}

// repository is the bare repository that a folder is, or else the work tree that it lies in.
//
//go:noinline
func repository(dir string) string {
	if isBare(dir) {
		return dir
	}
	return repoRoot(dir)
}

// isBare says that a folder is a repository itself.
//
//go:noinline
func isBare(dir string) bool {
	return !Absent(filepath.Join(dir, "HEAD")) && isDir(filepath.Join(dir, "objects")) && isDir(filepath.Join(dir, "refs"))
}

// zsplit splits an answer of git -z.
//
//go:noinline
func zsplit(b []byte) []string {
	s := strings.TrimSuffix(string(b), "\x00")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}
