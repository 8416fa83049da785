package effect

import (
	"strings"
	"testing"
)

// sides is a line, and two states of the disk: in one it loses something, in the other nothing.
type sides struct{ name, line, harmful, harmless string }

// tellApart predicts each line in both states, and runs it for real where the loss shows in the project or the home.
func tellApart(t *testing.T, cases []sides, really bool) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, s := range [...]struct {
				state, setup string
				want         bool
			}{{"harmful", c.harmful, true}, {"harmless", c.harmless, false}} {
				l := newLab(t, s.setup)
				p := l.predict(c.line)
				told := false
				for _, e := range p.Effects {
					told = told || e.Loses()
				}
				if told != s.want {
					t.Errorf("%s state of %q: told lost %v, want %v: acts %+v, effects %+v", s.state, c.line, told, s.want, p.Acts, p.Effects)
				}
				if really && l.lost(c.line) != s.want {
					t.Errorf("%s state of %q: really lost %v", s.state, c.line, !s.want)
				}
			}
		})
	}
}

const (
	// topic has a commit of its own on another branch; conflict leaves a merge of it undone.
	topic    = committed + " && git checkout -qb topic && echo t > src/a.go && git commit -qam t && git checkout -q main"
	conflict = topic + " && echo m > src/a.go && git commit -qam m && { git merge -q topic >/dev/null 2>&1 || true; }"
	// submodule has one at lib; remote has all that is committed.
	submodule = committed + " && git init -q ../lib && (cd ../lib && echo l > l.c && git add -A && git commit -qm l) && git -c protocol.file.allow=always submodule --quiet add ../lib lib && git commit -qm sub"
	remote    = committed + " && git init -q --bare -b main ../r.git && git remote add origin ../r.git && git push -q -u origin main"
	// gone has a branch of the remote's, as last seen, that the remote has no more.
	gone = remote + " && git clone -q ../r.git ../o && (cd ../o && git checkout -qb gone && echo only > g && git add g && git commit -qm g && git push -q origin gone) && git fetch -q && git -C ../r.git branch -qD gone && rm -rf ../o"
	// mask has a branch with a file in the place of one that is ignored here.
	mask = topic + " && git checkout -q topic && echo c > conf && git add conf && git commit -qm c && git checkout -q main && echo conf >> .gitignore && git commit -qam i"
)

func TestDiscardsByGit(t *testing.T) {
	t.Parallel()
	tellApart(t, []sides{
		{"a merge is given up", "git merge --abort", conflict + " && echo hand > src/a.go && git add src/a.go", committed},
		{"a rebase is given up", "git rebase --abort", topic + " && echo m > src/a.go && git commit -qam m && { git rebase -q topic >/dev/null 2>&1 || true; } && echo hand > src/a.go", committed},
		{"what a reset takes from a merge", "git reset -q --hard", conflict + " && echo hand > src/a.go", committed + " && git checkout -qb topic"},
		{"commits on no branch are left", "git checkout -q main", committed + " && git checkout -q --detach && echo t > t && git add t && git commit -qm t", committed + " && git checkout -q --detach"},
		{"commits on no branch that another has", "git switch -q main", committed + " && git checkout -q --detach && echo t > t && git add t && git commit -qm t", committed + " && git checkout -q --detach && echo t > t && git add t && git commit -qm t && git tag keep"},
		{"a checkout buries an ignored file", "git checkout -q topic", mask + " && echo only > conf", mask},
		{"a checkout buries an ignored file of the same content", "git checkout -q topic", mask + " && echo only > conf", mask + " && echo c > conf"},
		{"a switch by force buries an untracked file", "git switch -qf topic", mask + " && echo only > conf", topic},
		{"rm of what is only staged", "git rm -qf n.md", committed + " && echo only > n.md && git add n.md", committed + " && echo n > n.md && git add n.md && git commit -qm n"},
		{"a branch that was made anew", "git worktree add -q -f -B topic ../wt main", topic, committed + " && git branch topic"},
		{"a fetch sets a branch", "git fetch -q ../r.git +main:topic", remote + " && git checkout -qb topic && echo t > t && git add t && git commit -qm t && git checkout -q main", remote + " && git branch topic"},
		{"an alias", "git undo", committed + " && git config alias.undo 'reset -q --hard' && echo b >> src/a.go", committed + " && git config alias.undo 'reset -q --hard'"},
		{"a work tree by variable", "GIT_DIR=.git GIT_WORK_TREE=. git checkout -q -f", committed + " && echo b >> src/a.go", committed},
		{"a work tree by flag", "git --git-dir=.git --work-tree=. restore .", committed + " && echo b >> src/a.go", committed},
		{"a bundle over a file", "git bundle create -q out.b main", committed + " && echo only > out.b", committed},
		{"an archive over a file", "git archive -o out.tar HEAD", committed + " && echo only > out.tar", committed},
		{"clean leaves what it is told to leave", "git clean -fdq -e '*.keep'", committed + " && echo only > a.txt", committed + " && echo only > a.keep"},
		{"clean leaves repositories", "git clean -fdq", committed + " && mkdir sub && echo only > sub/x", committed + " && git init -q sub && (cd sub && echo s > s && git add s && git commit -qm s)"},
		{"clean by a pattern", "git clean -fq '*.orig'", committed + " && echo only > a.orig", committed + " && echo only > a.txt"},
		{"restore by a pattern", "git restore '*.go'", committed + " && echo b >> src/a.go", committed + " && echo b >> docs/d.md"},
		{"checkout by a pattern of folders", "git checkout -q -- 's*'", committed + " && echo b >> src/a.go", committed + " && echo b >> docs/d.md"},
		{"branches with one commit between them", "git branch -qD topic other", topic + " && git branch other topic", topic + " && git branch other topic && git branch third topic"},
		{"branches one after the other", "git branch -qD topic; git branch -qD other", topic + " && git branch other topic", topic + " && git branch other topic && git tag keep topic"},
		{"a reset to what a branch held", "git branch -qD keep && git reset -q --hard HEAD~1", committed + " && echo t > t && git add t && git commit -qm t && git branch keep", committed + " && echo t > t && git add t && git commit -qm t && git branch keep && git branch third"},
		{"branches of a list", "git branch --format='%(refname:short)' | grep -v main | xargs git branch -qD", topic, committed + " && git branch topic"},
		{"branches of a list put in", "git branch -qD $(git branch --format='%(refname:short)' | grep -v main)", topic, committed + " && git branch topic"},
		{"branch -M over another", "git branch -M other topic", topic + " && git branch other", committed + " && git branch other && git branch topic"},
		{"files that git lists", "git ls-files -o --exclude-standard | xargs rm -f", committed + " && echo only > n.md", committed + " && mkdir out && echo built > out/x"},
		{"files that git lists in a folder", "git ls-files -o --exclude-standard docs | xargs rm -f", committed + " && echo only > docs/n.md", committed + " && echo only > n.md"},
		{"changed files that git lists", "git ls-files -m | xargs rm -f", committed + " && echo b >> src/a.go", committed + " && echo only > n.md"},
	}, true)
}

// What is lost in a submodule, another repository or a stash is not among the contents that are compared.
func TestDiscardsElsewhere(t *testing.T) {
	t.Parallel()
	tellApart(t, []sides{
		{"a forced update of submodules", "git submodule update --force", submodule + " && echo b >> lib/l.c", submodule},
		{"a submodule is emptied", "git submodule deinit -f lib", submodule + " && echo b >> lib/l.c", submodule},
		{"each submodule is reset", "git submodule foreach 'git reset --hard'", submodule + " && echo b >> lib/l.c", submodule},
		{"each submodule is reset in silence", "git submodule --quiet foreach --recursive git reset -q --hard", submodule + " && echo b >> lib/l.c", submodule},
		{"each submodule is cleaned", "git submodule foreach git clean -fdx", submodule + " && echo only > lib/n", submodule},
		{"a bare repository's branch", "git -C ../b.git branch -D topic", topic + " && git clone -q --bare . ../b.git", committed + " && git branch topic && git clone -q --bare . ../b.git"},
		{"a repository by variable", "GIT_DIR=../o/.git git stash clear", committed + " && git clone -q . ../o && (cd ../o && echo b >> src/a.go && git stash -q)", committed + " && git clone -q . ../o"},
		{"a stash whose content is here", "git stash drop", committed + " && echo only > n.md && git stash -q -u", committed + " && echo only > n.md && git stash -q -u && git stash apply -q"},
		{"a conflict as the merge left it", "git merge --abort", conflict + " && echo hand > src/a.go", conflict},
		{"a branch of a remote's is made", "git checkout topic", committed + " && echo only > topic && git add topic && git commit -qm f && echo more >> topic", remote + " && git push -q origin main:topic && git fetch -q && echo b >> src/a.go"},
		{"every branch is pushed by force", "git push --force --all", remote + " && git push -q origin main:topic && git branch topic && git clone -q -b topic ../r.git ../o && (cd ../o && echo o > o && git add o && git commit -qm o && git push -q) && git fetch -q", remote + " && git branch topic && git push -q origin topic && echo n > n && git add n && git commit -qm n"},
		{"pruned branches", "git fetch -q --prune", gone, remote + " && git push -q origin main:gone && git fetch -q && git -C ../r.git branch -qD gone"},
		{"pruned branches that another keeps", "git remote prune origin", gone, gone + " && git branch mine origin/gone"},
		{"branches of a remote that still has them", "git pull -q -p", gone, remote + " && git push -q origin main:kept && git fetch -q"},
		{"the repository of a clone", "rm -rf sub/.git", remote + " && git clone -q ../r.git sub && (cd sub && echo s > s && git add s && git commit -qm s)", remote + " && git clone -q ../r.git sub"},
		{"the repository of a folder without a remote", "rm -rf sub/.git", committed + " && git init -q sub && (cd sub && echo s > s && git add s && git commit -qm s)", committed + " && git init -q sub && rm -rf sub/.git"},
	}, false)
}

func TestDeletesByNameAndAge(t *testing.T) {
	t.Parallel()
	const two = committed + " && echo only > a.dat && ln a.dat ../other.dat"
	tellApart(t, []sides{
		{"a file with another name", "rm a.dat", committed + " && echo only > a.dat", two},
		{"both names of a file", "rm a.dat b.dat", committed + " && echo only > a.dat && ln a.dat b.dat", two + " && : > b.dat"},
		{"both names in a folder", "rm -rf fresh", committed + " && mkdir fresh && echo only > fresh/a && ln fresh/a fresh/b", committed + " && mkdir fresh && echo only > fresh/a && ln fresh/a ../b"},
		{"both names by two commands", "rm a.dat; find . -name b.dat -delete", committed + " && echo only > a.dat && ln a.dat b.dat", two},
		{"a name that is written to", ": > a.dat", two, committed + " && : > a.dat"},
		{"another name in a temporary folder goes too", "rm a.dat ../../tmp/x", committed + " && echo only > a.dat && mkdir -p ../../tmp && ln a.dat ../../tmp/x", committed},
		{"older than a month", "find data -type f -mtime +30 -delete", committed + " && mkdir data && echo only > data/a && touch -d '90 days ago' data/a", committed + " && mkdir data && echo only > data/a"},
		{"of the last hour", "find data -mmin -60 -type f -exec rm {} +", committed + " && mkdir data && echo only > data/a", committed + " && mkdir data && echo only > data/a && touch -d '3 hours ago' data/a"},
		{"of that day", "find data -type f -mtime 2 -delete", committed + " && mkdir data && echo only > data/a && touch -d '60 hours ago' data/a", committed + " && mkdir data && echo only > data/a && touch -d '9 days ago' data/a"},
		{"not of the last day", "find data -type f ! -mtime -1 -delete", committed + " && mkdir data && echo only > data/a && touch -d '9 days ago' data/a", committed + " && mkdir data"},
		{"old, or of a name", "find data -type f \\( -mtime +30 -o -name '*.b' \\) -delete", committed + " && mkdir data && echo only > data/a.b", committed + " && mkdir data"},
		{"the last checkpoint of a notebook", "rm -rf .ipynb_checkpoints", committed + " && mkdir .ipynb_checkpoints && echo only > .ipynb_checkpoints/w-checkpoint.ipynb", committed + " && mkdir .ipynb_checkpoints && echo built > .ipynb_checkpoints/w-checkpoint.ipynb && echo built > w.ipynb"},
		{"an environment by its mark", "rm -rf tools", committed + " && mkdir -p tools/bin && echo only > tools/bin/x", committed + " && mkdir -p tools/bin && echo built > tools/pyvenv.cfg && echo built > tools/bin/x"},
		{"by hand in an environment", "rm -rf .venv", committed + " && mkdir -p .venv/bin .venv/studies && echo built > .venv/pyvenv.cfg && echo only > .venv/studies/one.py", committed + " && mkdir -p .venv/bin .venv/lib/python3/site-packages && echo built > .venv/pyvenv.cfg && echo built > .venv/bin/python && echo built > .venv/lib/python3/site-packages/x.py"},
		{"newer than another file", "find data -type f -newer src/a.go -delete", committed + " && touch -d '9 days ago' src/a.go && mkdir data && echo only > data/a", committed + " && mkdir data && echo only > data/a && touch -d '9 days ago' data/a"},
		{"not newer than another file", "find data -type f ! -newer src/a.go -exec rm {} +", committed + " && mkdir data && echo only > data/a && touch -d '9 days ago' data/a", committed + " && touch -d '9 days ago' src/a.go && mkdir data && echo only > data/a"},
		{"not newer than a file that is touched", "touch mark && find data -type f ! -newer mark -delete", committed + " && touch -d '9 days ago' mark && mkdir data && echo only > data/a", committed + " && touch -d '9 days ago' mark && mkdir data"},
		{"newer than a day", "find data -type f -newermt 2024-03-01 -delete", committed + " && mkdir data && echo only > data/a", committed + " && mkdir data && echo only > data/a && touch -d '2023-01-01' data/a"},
		{"a script of another folder", "npm --prefix pkg run tidy", committed + " && mkdir -p pkg/notes && echo only > pkg/notes/x && echo '{\"scripts\":{\"tidy\":\"rm -rf notes\"}}' > pkg/package.json", committed + " && mkdir -p pkg notes && echo only > notes/x && echo '{\"scripts\":{\"tidy\":\"rm -rf notes\"}}' > pkg/package.json"},
		{"an archive that is brought up to the disk", "zip -qFS -r site.zip docs", committed + " && mkdir o && echo only > o/n && zip -qr site.zip o && rm -r o", committed + " && zip -qr site.zip docs"},
		{"a member that is dropped", "zip -qd site.zip o/n", committed + " && mkdir o && echo only > o/n && zip -qr site.zip o docs && rm -r o", committed},
		{"a picture made anew in its place", "convert logo.dat -resize 50% logo.dat", committed + " && echo only > logo.dat", committed + " && echo a > logo.dat && git add logo.dat && git commit -qm logo"},
		{"gzip over a file", "gzip -kf data.csv", committed + " && echo d > data.csv && echo only > data.csv.gz", committed + " && echo d > data.csv"},
	}, false)
}

// A line that deletes many branches asks git a bounded number of times, and what is not asked is not called clean.
func TestManyBranches(t *testing.T) {
	t.Parallel()
	l := newLab(t, topic)
	p := l.predict("git branch -D " + strings.Repeat("topic ", 300))
	for _, e := range p.Effects {
		if e.Loses() {
			return
		}
	}
	t.Errorf("told nothing: %d acts", len(p.Acts))
}
