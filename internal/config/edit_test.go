package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEdit(t *testing.T) {
	tests := []struct{ name, file, key, text, want, err string }{
		{"new file", "", "mode", "enforce", "mode = \"enforce\"\n", ""},
		{"comment on the line stays", "# mine\nmode = \"audit\"  # for now\n\ntau = 3\n", "mode", "Enforce", "# mine\nmode = \"enforce\"  # for now\n\ntau = 3\n", ""},
		{"spacing of the key stays", "tau=3\n  mode   = 'audit'\n", "mode", "off", "tau=3\n  mode   = \"off\"\n", ""},
		{"added at the end", "tau = 3", "mode", "off", "tau = 3\nmode = \"off\"\n", ""},
		{"added before the first table", "tau = 3\n\n  [later] # t\nmode = \"x\"\n", "mode", "off", "tau = 3\n\nmode = \"off\"\n  [later] # t\nmode = \"x\"\n", ""},
		{"a file of tables", "[a]\nb = 1\n", "tau", "4", "tau = 4\n[a]\nb = 1\n", ""},
		{"a list over lines", "skip_tools = [\n  \"Read\", # r\n  \"Glob\",\n] # end\ntau = 3\n", "skip_tools", "Read, Grep", "skip_tools = [\"Read\", \"Grep\"] # end\ntau = 3\n", ""},
		{"quoted key", "\"mode\" = \"audit\"\n", "mode", "off", "\"mode\" = \"off\"\n", ""},
		{"lines end as they did", "tau = 3\r\nmode = \"audit\"\r\n", "mode", "off", "tau = 3\r\nmode = \"off\"\r\n", ""},
		{"added with that line end", "tau = 3\r\n", "mode", "off", "tau = 3\r\nmode = \"off\"\r\n", ""},
		{"number", "", "deny_above", "0.80", "deny_above = 0.8\n", ""},
		{"boolean", "", "snapshot", "no", "snapshot = false\n", ""},
		{"none", "", "skip_tools", "none", "skip_tools = []\n", ""},
		{"characters that need an escape", "", "model", `a"b\c`, "model = \"a\\\"b\\\\c\"\n", ""},
		{"taken out", "tau = 3\nmode = \"off\" # x\nsnapshot = true\n", "mode", "", "tau = 3\nsnapshot = true\n", ""},
		{"taken out of the end", "tau = 3\nmode = \"off\"", "mode", " ", "tau = 3\n", ""},
		{"taken out though it is not there", "tau = 3\n", "mode", "", "tau = 3\n", ""},
		{"bad value", "tau = 3\n", "mode", "enfroce", "", `mode = "enfroce" is not one of off, audit, enforce`},
		{"unknown key", "", "denyAbove", "1", "", "did you mean deny_above?"},
		{"unknown key unlike any", "", "x", "1", "", "stepgate config show"},
		{"broken file", "tau = = 3\n", "mode", "off", "", "line 1 is not TOML"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := edit([]byte(tt.file), tt.key, tt.text)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil || string(got) != tt.want {
				t.Errorf("got %q, %v\nwant %q", got, err, tt.want)
			}
		})
	}
}

func TestSetUser(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.home, UserFile)
	for _, set := range [][2]string{{"mode", "enforce"}, {"tau", "4"}, {"mode", ""}} {
		if err := SetUser(w.home, set[0], set[1]); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "tau = 4\n" {
		t.Errorf("%q, %v", b, err)
	}
	if err := SetUser(w.home, "tau", "x"); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	t.Run("through a link", func(t *testing.T) {
		real := filepath.Join(t.TempDir(), "real.toml")
		w.write(real, "tau = 5\n")
		_ = os.Remove(path)
		if err := os.Symlink(real, path); err != nil {
			t.Skip("no links here:", err)
		}
		if err := SetUser(w.home, "tau", "6"); err != nil {
			t.Fatal(err)
		}
		if b, _ := os.ReadFile(real); string(b) != "tau = 6\n" {
			t.Errorf("the file linked to holds %q", b)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode().IsRegular() {
			t.Error("the link is gone")
		}
	})
}

func FuzzEdit(f *testing.F) {
	f.Add("a = 1\nmode = 'x' # c\n[t]\nmode = 2\n", "enforce")
	f.Add("mode = [1,\n2] #\r\n", "off")
	f.Add("mode.x = 1\n", "off")
	f.Add("\"m\\u006fde\" = \"\"\"\nx\"\"\"\n", "")
	f.Fuzz(func(t *testing.T, file, text string) {
		got, err := edit([]byte(file), "mode", text)
		if err != nil {
			if strings.Contains(err.Error(), "internal error") && !strings.Contains(file, ".") {
				t.Errorf("%v\nfile %q", err, file)
			}
			return
		}
		again, err := edit(got, "mode", text)
		if err != nil || string(again) != string(got) {
			t.Errorf("a second edit changes %q to %q (%v)", got, again, err)
		}
	})
}
