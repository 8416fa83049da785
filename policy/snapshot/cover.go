package snapshot

import (
	"slices"

	"github.com/stepgate/stepgate/policy/effect"
)

// Cover gives what a copy must hold so that some acts, which lose something, lose nothing. It is false where a copy
// taken before the line runs cannot promise that: the loss is elsewhere or not known whole, or an earlier part of the
// line may write to what is lost.
func Cover(p effect.Prediction, acts []int, root string) ([]effect.Keep, bool) {
	if root == "" || len(acts) == 0 || len(p.Unsure) > 0 {
		return nil, false
	}
	var keeps []effect.Keep
	for _, i := range acts {
		more, ok := losses(p, i, root)
		if !ok || !calm(p, i, acts, &more) {
			return nil, false
		}
		keeps = append(keeps, more...)
	}
	return keeps, true
}

// losses are the keeps of one act.
func losses(p effect.Prediction, i int, root string) ([]effect.Keep, bool) {
	a := p.Acts[i]
	switch {
	case a.Place != effect.InProject && (a.Place != effect.Nowhere || a.Kind != effect.Rewrite):
		return nil, false
	case a.Tag == effect.GitDir, a.How == "shred": // what is to be destroyed for good gets no copy
		return nil, false
	}
	var keeps []effect.Keep
	for _, e := range p.Effects {
		if e.Act != i || !e.Loses() {
			continue
		}
		if e.Unknown != "" || e.AtLeast || e.Keep.IsZero() || !inProject(e.Keep, root) {
			return nil, false
		}
		keeps = append(keeps, e.Keep)
	}
	return keeps, len(keeps) > 0
}

// inProject: paths lie in the project, and a repository is the project's own or one inside it.
func inProject(k effect.Keep, root string) bool {
	if k.Repo != "" && !within(k.Repo, root) && !within(root, k.Repo) {
		return false
	}
	for _, p := range k.Lost {
		if !within(p, root) && (k.Repo == "" || !within(p, k.Repo)) {
			return false
		}
	}
	return true
}

// calm says that nothing which runs before act i writes to what it loses. The source of a move that replaces a file is
// added to the keeps, as giving back the file means giving back the source.
func calm(p effect.Prediction, i int, acts []int, keeps *[]effect.Keep) bool {
	for _, b := range p.Blind {
		if b <= i {
			return false
		}
	}
	for j := range i {
		a := p.Acts[j]
		switch a.Kind {
		case effect.Read, effect.Secret, effect.Delete:
		case effect.Write, effect.Overwrite, effect.Edit:
			if a.Target == "" || touches(*keeps, a.Target) {
				return false
			}
		case effect.Move:
			if p.Acts[j+1].Kind != effect.Overwrite {
				return false
			}
			*keeps = append(*keeps, effect.Keep{Paths: []string{a.Target}, Lost: []string{a.Target}})
		case effect.Rewrite: // one command can make two acts
			if !slices.Contains(acts, j) && (j != i-1 || !a.NoLoss || a.How != p.Acts[i].How) {
				return false
			}
		default:
			return false
		}
	}
	if i > 0 && p.Acts[i].Kind == effect.Overwrite && p.Acts[i-1].Kind == effect.Read {
		*keeps = append(*keeps, effect.Keep{From: []string{p.Acts[i-1].Target}})
	}
	return true
}

// touches says that a path is, holds or lies in what is to be kept.
func touches(keeps []effect.Keep, path string) bool {
	for _, k := range keeps {
		if k.Repo != "" && within(path, k.Repo) {
			return true
		}
		for _, p := range k.Paths {
			if within(path, p) || within(p, path) {
				return true
			}
		}
	}
	return false
}
