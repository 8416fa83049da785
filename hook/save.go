package hook

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/policy/snapshot"
	"github.com/stepgate/stepgate/redact"
)

// whatLimits cut a call to the few words that a person knows it by.
var whatLimits = redact.Limits{Head: 80}

// saves says for whom a copy would be taken; nil where none is.
func (g *Gate) saves(ev agent.Event, file *session.File, root string, mask *redact.Masker) *snapshot.Call {
	if g.Snapshots == nil {
		return nil
	}
	what := ev.Call.Command
	if what == "" {
		what = ev.Call.Tool
		if len(ev.Call.Edits) > 0 {
			what += " " + filepath.Base(ev.Call.Edits[0].Path)
		}
	}
	return &snapshot.Call{
		Project: file.Project(), Root: root, Session: ev.Session, ID: ev.Call.ID, Tool: name(ev.Call.Tool),
		What: mask.String(what).Line().Cut(whatLimits),
	}
}

// save takes a copy instead of asking, where the call is asked about for nothing but what it loses and a copy holds all
// of that. It says in the verdict what was kept, what would have been, or why nothing was; then the ask stays.
func (g *Gate) save(ctx context.Context, s Situation, c policy.Case, v *Verdict) {
	if s.Saves == nil || v.Would != agent.Ask {
		return
	}
	kept := c
	kept.Findings = slices.Clone(c.Findings)
	var acts []int
	for i := range kept.Findings {
		if f := &kept.Findings[i]; policy.Savable(*f) {
			acts = append(acts, f.Acts...)
			f.Action, f.Lifted = agent.Allow, "a copy is kept"
		}
	}
	d := policy.Decide(g.Policy, kept)
	if d.Would != agent.Allow {
		return
	}
	keeps, ok := snapshot.Cover(v.Prediction, acts, s.Root)
	if !ok {
		return
	}
	if s.Mode != policy.Enforce {
		v.Copy = "a copy of what is lost would have been kept"
		return
	}
	id, notice, err := g.copy(ctx, s, keeps)
	if err != nil {
		v.Copy = "no copy was kept: " + err.Error()
		return
	}
	v.Decision, v.Snapshot = d, id
	v.Notice = strings.TrimSpace(v.Notice + " " + notice)
}

// copy takes a copy, and gives its id and what the person is told. Of a file that a tool writes again and again the
// first version is kept, in silence.
func (g *Gate) copy(ctx context.Context, s Situation, keeps []effect.Keep) (id, notice string, err error) {
	path := ""
	if s.Call.Capability == agent.Write && len(keeps) == 1 && len(keeps[0].Paths) == 1 && len(keeps[0].Text) > 0 {
		path = keeps[0].Paths[0]
		if id, ok := g.Snapshots.Wrote(*s.Saves, path, keeps[0].Text[0]); ok {
			return id, "", nil
		}
	}
	snap, err := g.Snapshots.Take(ctx, *s.Saves, keeps)
	if err != nil {
		return "", "", err
	}
	if path != "" {
		return snap.ID, "", g.Snapshots.First(*s.Saves, snap, path)
	}
	return snap.ID, "stepgate kept a copy of " + Contents(snap.Manifest) + " before " + s.Saves.What.String() + ": stepgate undo " + snap.ID, nil
}

// Contents says in a few words what a copy holds.
func Contents(m snapshot.Manifest) string {
	var out []string
	if m.Files > 0 {
		out = append(out, policy.Many(m.Files, "file")+" ("+policy.Size(m.Bytes)+")")
	}
	refs, stashes, staged := 0, 0, 0
	for _, r := range m.Repos {
		refs, stashes, staged = refs+len(r.Refs), stashes+len(r.Stash), staged+len(r.Index)
	}
	if refs > 0 {
		out = append(out, policy.Many(refs, "branch"))
	}
	if stashes > 0 {
		out = append(out, policy.Many(stashes, "stash"))
	}
	if len(out) == 0 {
		out = append(out, policy.Many(staged, "staged change"))
	}
	return strings.Join(out, ", ")
}
