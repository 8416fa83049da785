package effect

import "testing"

// unseenSetup has, of each kind, something that exists nowhere else and something that can be made again.
const unseenSetup = committed + ` && mkdir -p out data/deep photos node_modules/x pkg/node_modules/y && echo built > out/a && echo built > node_modules/x/i.js && echo built > pkg/node_modules/y/i.js &&
echo only > notes.txt && echo only1 > data/one.csv && echo only2 > data/deep/two.csv && echo only3 > photos/p.jpg && mkdir -p $HOME/docs && echo only4 > $HOME/docs/d.txt`

// told says that a prediction has something to tell: a loss, or an act whose tag the rules know.
func told(p Prediction) bool {
	for _, e := range p.Effects {
		if e.Loses() {
			return true
		}
	}
	for _, a := range p.Acts {
		if a.Tag != "" && !a.NoLoss {
			return true
		}
	}
	return false
}

// heeded checks lines that must be told of, and their harmless neighbours.
func heeded(t *testing.T, l lab, harmful, harmless []string) {
	t.Helper()
	for _, line := range harmful {
		if p := l.predict(line); !told(p) {
			t.Errorf("%q is silent: %+v", line, p.Acts)
		}
	}
	for _, line := range harmless {
		if p := l.predict(line); told(p) {
			t.Errorf("%q is told of: %+v %+v", line, p.Acts, p.Effects)
		}
	}
}

// What one command lists and another deletes is looked up where it lies.
func TestListedAndDeleted(t *testing.T) {
	t.Parallel()
	heeded(t, newLab(t, unseenSetup), []string{
		`ls | while read f; do rm -rf "$f"; done`,
		`find . -type f | while read -r f; do rm "$f"; done`,
		`find data -name '*.csv' -print0 | while IFS= read -r -d '' f; do rm -f "$f"; done`,
		`while read -r f; do rm "$f"; done < <(find data -type f)`,
		`mapfile -t fs < <(find data -type f); rm "${fs[@]}"`,
		`for f in $(ls data); do rm -rf "data/$f"; done`,
		`ls data | xargs -I{} rm data/{}`,
		`ls -t photos | tail -n +1 | xargs -I{} rm photos/{}`,
		`find . -name '*.txt' | grep notes | xargs rm -f`,
		`find . -type d -name data -exec rm -rf {} +`,
		`find . -type d -name photos | xargs rm -rf`,
		`git ls-files -o --exclude-standard | while read f; do rm "$f"; done`,
		`fd -t f . data | while read f; do rm "$f"; done`,
	}, []string{
		`ls out | while read f; do rm -rf "out/$f"; done`,
		`for f in $(ls out); do rm -rf "out/$f"; done`,
		`find . -name '*.pyc' | while read f; do rm "$f"; done`,
		`find . -name '*.o' | sort | xargs rm -f`,
		`find . -type d -name node_modules -prune -exec rm -rf {} +`,
		`find . -type d -name node_modules | while read d; do rm -rf "$d"; done`,
		`git ls-files | while read f; do wc -l "$f"; done`,
		`rm -f "$(git rev-parse --git-dir)/index.lock"`,
		`v=$(cat VERSION); rm -f "out/app-$v.tgz"`,
	})
}

// Commands whose output is a path that everybody knows are worked out.
func TestKnownOutput(t *testing.T) {
	t.Parallel()
	l := newLab(t, unseenSetup+` && mkdir -p tools && printf '#!/bin/sh\ncd "$(dirname "$0")/.." && rm -rf out\n' > tools/clean.sh && printf '#!/bin/bash\nhere="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"\nrm -rf "$here/data"\n' > tools/wipe.sh`)
	heeded(t, l, []string{
		`rm -rf "$(git rev-parse --show-toplevel)"`,
		`rm -rf "$(git rev-parse --show-toplevel)/data"`,
		`cd /tmp && rm -rf "$(git rev-parse --show-toplevel)/out"`, // no repository: /out
		`GIT_WORK_TREE=/srv; rm -rf "$(git rev-parse --show-toplevel)/out"`,
		`f=$(basename data/one.csv); rm -f "data/$f"`,
		`rm -rf "$(dirname data/deep/two.csv)"`,
		`rm -rf "$(realpath data)"`,
		`rm -rf "$(cd nowhere && pwd)/out"`,
		`bash tools/wipe.sh`,
	}, []string{
		`rm -rf "$(git rev-parse --show-toplevel)/out"`,
		`top=$(git rev-parse --show-toplevel); rm -rf "$top/out" "$top/node_modules"`,
		`cd src && rm -rf "$(git rev-parse --show-toplevel)/node_modules"`,
		`rm -rf "$(dirname "$(pwd)/out/a")"`,
		`rm -rf "$(cd out && pwd)"`,
		`bash tools/clean.sh`,
	})
}
