package install

import (
	"encoding/json"
	"fmt"
)

// group is what we add to an event: our entry in a group of its own, so that no matcher of others applies to it.
type group struct {
	Matcher string  `json:"matcher,omitempty"`
	Hooks   []entry `json:"hooks"`
}

// entry is one hook as the agents read it. The order of the fields is the order they are written in: Codex asks for
// trust again when a byte of it changes.
type entry struct {
	Type      string   `json:"type"`
	Command   string   `json:"command"`
	Args      []string `json:"args,omitempty"`
	Timeout   int      `json:"timeout"` // seconds
	Async     bool     `json:"async,omitempty"`
	OnFailure string   `json:"onFailure,omitempty"`
}

// wanted is the group that an event is to have.
type wanted struct {
	event string
	group group
}

// found is one entry of ours in a settings file.
type found struct {
	event         string
	group, at     int // index of the group in the event, and of the entry in the group
	alone         bool
	groupNode     *node
	entry         entry
	matcher, text string
}

// walk calls visit for each hook entry of a settings file, and says what is not laid out as the agents want it.
func walk(text string, root *node, visit func(f found)) error {
	hooks, err := root.get("hooks")
	if err != nil || hooks == nil {
		return err
	}
	if hooks.kind != '{' {
		return fmt.Errorf("hooks is not an object")
	}
	for _, m := range hooks.members {
		if _, err := hooks.get(m.name); err != nil {
			return fmt.Errorf("hooks: %w", err)
		}
		if m.val.kind != '[' {
			return fmt.Errorf("hooks.%s is not a list", m.name)
		}
		for g, n := range m.val.elems {
			if n.kind != '{' {
				return fmt.Errorf("hooks.%s[%d] is not an object", m.name, g)
			}
			list, err := n.get("hooks")
			if err != nil || list == nil || list.kind != '[' {
				continue // not a group an agent would run; not ours to judge
			}
			var head struct{ Matcher json.RawMessage }
			_ = json.Unmarshal([]byte(text[n.from:n.to]), &head) // known to be JSON
			for i, e := range list.elems {
				f := found{event: m.name, group: g, at: i, alone: len(list.elems) == 1, groupNode: n, text: text[e.from:e.to]}
				// A field of another type than ours is left out, and the entry is still looked at.
				_ = json.Unmarshal(head.Matcher, &f.matcher)
				_ = json.Unmarshal([]byte(f.text), &f.entry)
				visit(f)
			}
		}
	}
	return nil
}

// own lists the entries that start our hook for an agent.
func own(text, agent string) ([]found, error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	var list []found
	err = walk(text, root, func(f found) {
		if f.entry.starts(agent) {
			list = append(list, f)
		}
	})
	if len(list) > maxOwn {
		return nil, fmt.Errorf("hooks: %d entries start %s", len(list), program)
	}
	return list, err
}

// maxOwn entries of ours at most are put in order; each costs a pass over the file.
const maxOwn = 200

// put gives the text with exactly the wanted groups of ours in it. All else stays as it is, to the byte.
func put(text, agent string, want []wanted) (string, error) {
	s := styleOf(text)
	kept := map[string]bool{}
	// One change at a time, and all places are found anew after it: the files are small. Each change takes an entry
	// away, corrects it for good or keeps it, so the number of entries bounds the number of rounds.
	for {
		changed, done, err := tidy(text, agent, want, kept, s)
		if err != nil {
			return "", err
		}
		if done {
			break
		}
		text = changed
	}
	for _, w := range want {
		if kept[w.event] {
			continue
		}
		var err error
		if text, err = addGroup(text, w, s); err != nil {
			return "", err
		}
	}
	return text, nil
}

// tidy makes the first change that our entries need; done means that none does.
func tidy(text, agent string, want []wanted, kept map[string]bool, s style) (changed string, done bool, err error) {
	list, err := own(text, agent)
	if err != nil {
		return "", false, err
	}
	clear(kept)
	for _, f := range list {
		w, ok := wantedFor(want, f.event)
		switch {
		case !ok || kept[f.event] || !f.alone:
			changed, err = drop(text, f)
			return changed, false, err
		case !sameGroup(text, f, w):
			changed = s.replace(text, f.groupNode, w)
			return changed, false, nil
		}
		kept[f.event] = true
	}
	return text, true, nil
}

func wantedFor(want []wanted, event string) (group, bool) {
	for _, w := range want {
		if w.event == event {
			return w.group, true
		}
	}
	return group{}, false
}

// sameGroup compares by meaning: people may lay the entry out as they like.
func sameGroup(text string, f found, w group) bool {
	b, err := json.Marshal(w)
	return err == nil && canonical(text[f.groupNode.from:f.groupNode.to]) == canonical(string(b))
}

func canonical(text string) string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	b, _ := json.Marshal(v) // of what was just read
	return string(b)
}

// drop takes one entry out, and with it the group, the event and the hooks object that are empty without it.
func drop(text string, f found) (string, error) {
	root, err := parse(text)
	if err != nil {
		return "", err
	}
	hooks, err := root.get("hooks")
	if err != nil {
		return "", err
	}
	event, err := hooks.get(f.event)
	if err != nil {
		return "", err
	}
	list, err := event.elems[f.group].get("hooks")
	switch {
	case err != nil:
		return "", err
	case len(list.elems) > 1:
		return remove(text, list, f.at), nil
	case len(event.elems) > 1:
		return remove(text, event, f.group), nil
	case len(hooks.members) > 1:
		return removeMember(text, hooks, f.event), nil
	}
	return removeMember(text, root, "hooks"), nil
}

func removeMember(text string, in *node, name string) string {
	for i, m := range in.members {
		if m.name == name {
			return remove(text, in, i)
		}
	}
	return text
}

// addGroup adds a group to an event, and what is missing above it.
func addGroup(text string, w wanted, s style) (string, error) {
	root, err := parse(text)
	if err != nil {
		return "", err
	}
	hooks, err := root.get("hooks")
	if err != nil {
		return "", err
	}
	if hooks == nil {
		return s.add(text, root, "hooks", map[string][]group{w.event: {w.group}}), nil
	}
	event, err := hooks.get(w.event)
	if err != nil {
		return "", err
	}
	if event == nil {
		return s.add(text, hooks, w.event, []group{w.group}), nil
	}
	return s.add(text, event, "", w.group), nil
}

// take gives the text without any entry of ours.
func take(text, agent string) (string, error) {
	return put(text, agent, nil)
}
