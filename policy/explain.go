package policy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/policy/shell"
)

// Ground is one act that a finding was drawn from, and the words of the call that make the act. Its texts are not masked.
type Ground struct {
	// Act in plain words: "deletes out and all below it".
	Act string `json:"act"`
	// Words are the command as it was read: variables filled in, wrappers in front. Empty for a file tool.
	Words string `json:"words,omitempty"`
}

// maxGrounds bounds the acts that are told for one finding.
const maxGrounds = 4

// Grounds gives what a finding about p was drawn from, at most four acts. It is empty for a finding that no rule of the
// table made, such as a judge's answer.
func Grounds(f Finding, p effect.Prediction) []Ground {
	for i := range rules {
		if r := &rules[i]; r.id == f.Rule {
			return grounds(r.hits(p, losers(p)), p)
		}
	}
	return nil
}

func grounds(hit []int, p effect.Prediction) []Ground {
	var out []Ground
	for _, i := range hit {
		g := Ground{Act: phrase(p.Acts[i]), Words: wordsOf(p.Acts[i], p.Script)}
		if len(out) < maxGrounds && !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out
}

// Deeds says in plain words what a call would do, one text an act, equal ones once. Looks at files are left out.
func Deeds(p effect.Prediction) []string {
	var out []string
	for _, a := range p.Acts {
		if a.Kind == effect.Read {
			continue
		}
		if text := phrase(a); !contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// wordsOf is the command an act comes from, as one line.
func wordsOf(a effect.Act, s shell.Script) string {
	if a.Command < 0 || a.Command >= len(s.Commands) {
		return ""
	}
	c := s.Commands[a.Command]
	words := make([]string, 0, len(c.Env)+len(c.Args)+1)
	for _, w := range c.Env {
		words = append(words, w.Text)
	}
	words = append(words, cmp.Or(c.Name, "(a program that is not known)"))
	for _, w := range c.Args {
		words = append(words, shown(w.Text))
	}
	line := strings.Join(words, " ")
	if len(c.Via) > 0 {
		line = strings.Join(c.Via, " > ") + " > " + line
	}
	return quote(line)
}

// shown puts a word with blanks or nothing in it into quotes, so that it stays one word to the eye.
func shown(word string) string {
	if word == "" || strings.ContainsAny(word, " \t\n") {
		return "'" + word + "'"
	}
	return word
}

// actWords puts each kind of act into words; {} stands for the target.
var actWords = [...]struct {
	kind effect.ActKind
	text string
}{
	{effect.Read, "reads {}"},
	{effect.Write, "writes {}"},
	{effect.Overwrite, "replaces the content of {}"},
	{effect.Edit, "changes a part of {}"},
	{effect.Delete, "deletes {}"},
	{effect.Move, "moves {}"},
	{effect.Execute, "runs {}"},
	{effect.Spawn, "opens a shell or an interpreter: {}"},
	{effect.Send, "sends to {}"},
	{effect.Receive, "fetches from {}"},
	{effect.Privilege, "uses or gives rights: {}"},
	{effect.Persist, "leaves something that runs by itself later: {}"},
	{effect.Kill, "ends the process {}"},
	{effect.Install, "installs {}"},
	{effect.Rewrite, "changes what version control holds: {}"},
	{effect.Publish, "publishes {}"},
	{effect.Database, "changes the database {}"},
	{effect.Infra, "changes infrastructure: {}"},
	{effect.Secret, "reads a secret, {}"},
	{effect.Guard, "touches the gate itself: {}"},
	{effect.Commit, "commits {}"},
	{effect.Test, "tests or builds"},
	{effect.Opaque, "does something that cannot be read beforehand"},
}

// phrase puts an act into plain words.
func phrase(a effect.Act) string {
	text := string(a.Kind) + " {}"
	for _, p := range actWords {
		if p.kind == a.Kind {
			text = p.text
			break
		}
	}
	target := quote(a.Target)
	if target == "" {
		target = quote(a.Program)
	}
	if target == "" {
		text, _, _ = strings.Cut(text, ":")
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, "{}", target))
	if a.Recursive {
		text += " and all below it"
	}
	if a.How != "" {
		text += ", by " + quote(a.How)
	}
	if a.NoLoss {
		text += " (nothing is lost)"
	}
	if a.Unsure != "" {
		text += " (not known: " + quote(a.Unsure) + ")"
	}
	return text
}
