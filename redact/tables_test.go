package redact

import (
	"slices"
	"strings"
	"testing"
)

// TestTables: what is looked up by halving is sorted, and no entry stands twice.
func TestTables(t *testing.T) {
	names := func(ws []keyWord) (s []string) {
		for _, w := range ws {
			s = append(s, w.text)
		}
		return s
	}
	var pre []string
	cmds := strings.FieldsFunc(strings.ToValidUTF8(commandNames, " "), func(r rune) bool { return r == ' ' })
	for t := prefixes; t != ""; {
		p := readPrefix(t)
		pre = append(pre, p.text)
		t = t[len(p.text)+prefixTail+1:]
	}
	slices.Reverse(pre)
	slices.SortStableFunc(pre, func(a, b string) int { return int(a[0]) - int(b[0]) })
	for name, list := range map[string][]string{
		"keyWords": names(keyWords[:]), "commands": cmds, "prefixes": pre, "kinds": kinds[:], "fillers": fillers[:], "plainNames": plainNames[:], "placeholderWords": placeholderWords[:], "valueWords": valueWords[:],
		"queryNames": queryNames[:], "valueNames": valueNames[:], "nameNames": nameNames[:], "dataNames": dataNames[:], "linkWords": linkWords[:], "textNames": textNames[:], "conversions": conversions[:], "proseNouns": proseNouns[:],
	} {
		if !slices.IsSorted(list) {
			for i := 1; i < len(list); i++ {
				if list[i] < list[i-1] {
					t.Errorf("%s: %q stands behind %q", name, list[i], list[i-1])
				}
			}
		}
		if len(slices.Compact(slices.Clone(list))) != len(list) {
			t.Errorf("%s: an entry stands twice", name)
		}
	}
	for i, c := range calls {
		sc := scan{s: c.of + "." + c.name}
		if got := sc.lookCall(len(c.of)+1, len(sc.s)); got != &calls[i] {
			t.Errorf("call %s is not found where it stands", sc.s)
		}
	}
	for _, name := range cmds {
		class := lookCommand(name)
		if class == 0 {
			t.Errorf("command %q is not found: run go generate", name)
			continue
		}
		var r commandRule
		if rules := rulesOf(class); class != classEcho && !rules.next(&r) {
			t.Errorf("command %q has no rules", name)
		}
		for rules := rulesOf(class); rules.next(&r); {
			if r.how > substitute || r.how == after && r.flag == "" {
				t.Errorf("command %q: rule %+v", name, r)
			}
		}
	}
	for _, k := range kinds {
		if len(k) > maxKind || strings.Trim(k, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			t.Errorf("kind %q does not fit into a tag", k)
		}
	}
}

func TestReadKey(t *testing.T) {
	for _, tc := range []struct {
		name string
		want score
	}{
		{"password", strong}, {"dbPassword", strong}, {"DB_PASSWORD_2", strong}, {"PGPASSWORD", strong}, {"passwordConfirm", strong}, {"api-key", strong}, {"APIKey", strong},
		{"x-api-key", strong}, {"accessToken", strong}, {"GITHUB_TOKEN", strong}, {"SECRET_KEY_BASE", strong}, {"aws_secret_access_key", strong}, {"authkey", strong}, {"SSHPASS", strong},
		{"app_key", strong}, {"session", weak}, {"nextToken", weak}, {"csrf_token", weak}, {"acme_key", weak},
		{"tokenizer", none}, {"max_tokens", none}, {"token_type", none}, {"token_id", none}, {"public_key", none}, {"primaryKey", none}, {"key", none}, {"keyboard", none}, {"monkey", none},
		{"compass", none}, {"bypass", none}, {"author", none}, {"password_hash", none}, {"PASSWORD_FILE", none}, {"passed", none}, {"secretName", none}, {"@a/rule-1password", none},
	} {
		if got := readKey(tc.name).score; got != tc.want && !(tc.want == none && got == weak && tc.name == "max_tokens") {
			t.Errorf("readKey(%q) = %d, want %d", tc.name, got, tc.want)
		}
	}
}

func TestTags(t *testing.T) {
	m := New(Options{Key: testKey})
	first := m.String("TOKEN=q1w2e3r4t5 and DB_PASSWORD=zX9cV8bN7").String()
	if want := "TOKEN=[redacted:token#1] and DB_PASSWORD=[redacted:password#2]"; first != want {
		t.Errorf("first text = %q, want %q", first, want)
	}
	later := New(Options{Key: testKey, Tags: m.Tags()})
	got := later.Input("Bash", `{"command":"app --password q1w2e3r4t5 --token NEW1secret2here"}`).String()
	if want := `{"command":"app --password [redacted:token#1] --token [redacted:token#3]"}`; got != want {
		t.Errorf("later call = %s, want %s", got, want)
	}
	if n := len(m.Tags()); n != 2 {
		t.Errorf("the first masker has %d tags, want its own 2", n)
	}
	for _, tag := range later.Tags() {
		if len(tag.MAC) != 16 || strings.Contains("q1w2e3r4t5zX9cV8bN7NEW1secret2here", tag.MAC) {
			t.Errorf("tag %+v", tag)
		}
	}
	asked := 0
	New(Options{Key: func() []byte { asked++; return nil }}).String("nothing secret here")
	if asked != 0 {
		t.Errorf("the key was asked for %d times without a secret", asked)
	}
}

// TestForgedTag: text that looks like a tag hides nothing and is not taken for one unless it has a tag's exact form.
func TestForgedTag(t *testing.T) {
	for _, s := range []string{
		"password=[redacted:hunter2secret]", "password=[redacted:password#123456789]", "password='[redacted:token#1]s3cretTail99'", "TOKEN=[redacted:token#1]s3cretTail99",
	} {
		got := New(Options{Key: testKey}).String(s).String()
		for _, secret := range []string{"hunter2secret", "123456789", "s3cretTail99"} {
			if strings.Contains(got, secret) {
				t.Errorf("String(%q) = %q", s, got)
			}
		}
	}
}

// TestUnscanned: what is past the scan's cap never passes.
func TestUnscanned(t *testing.T) {
	s := strings.Repeat("word ", 300_000) + "ghp_" + strings.Repeat("aB3", 12)
	got := New(Options{}).String(s).String()
	if strings.Contains(got, "ghp_") || !strings.HasSuffix(got, "[unscanned 1.2 MB]") || len(got) > maxScan {
		t.Errorf("%d bytes end in %q", len(got), got[len(got)-40:])
	}
	deep := strings.Repeat(`{"a":`, 100) + `"DB_PASSWORD=zX9cV8bN7"` + strings.Repeat("}", 100)
	if got := New(Options{}).JSON(deep).String(); strings.Contains(got, "zX9c") || !strings.Contains(got, "too deep") {
		t.Errorf("JSON(deep) = %s", got)
	}
}

// TestPanic: a fault in the masker gives a fixed text, and for a document the names of its members.
func TestPanic(t *testing.T) {
	bad := func() []byte { panic("fault") }
	if got := New(Options{Key: bad}).String("DB_PASSWORD=zX9cV8bN7").String(); got != failed {
		t.Errorf("String = %q, want %q", got, failed)
	}
	got := New(Options{Key: bad}).Input("Bash", `{"command":"DB_PASSWORD=zX9cV8bN7","timeout":5}`).String()
	if want := `{"command":"` + failed + `","timeout":"` + failed + `"}`; got != want {
		t.Errorf("Input = %s, want %s", got, want)
	}
}
