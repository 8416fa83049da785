package shell

import (
	"strings"
	"testing"
)

// Ways to run a program under another name, from a descriptor, at another time or through a template, each with the
// harmless forms that look alike.
func TestOtherNames(t *testing.T) {
	check(t, []reading{
		{"hash gives a program a name", `hash -p /bin/rm ls; ls x`, "hash -p /bin/rm ls\nrm x via hash"},
		{"hash that only looks", `hash -r; hash -t git; ls`, "hash -r\nhash -t git\nls"},
		{"hash of itself", `hash -p ls ls; ls`, "hash -p ls ls\nls via hash"},
		{"reference", `declare -n r=t; t=x; rm "$r"`, "declare -n r=t\nrm x"},
		{"reference set through", `declare -n r=c; r='rm x'; $c`, "declare -n r=c\nrm x"},
		{"reference to the world", `typeset -n h=HOME; rm $h`, "typeset -n h=HOME\nrm /home/u"},
		{"references in a ring", `declare -n a=b; declare -n b=a; rm $a`, "declare -n a=b\ndeclare -n b=a\nrm $a?"},
		{"reference to what is not known", `f() { local -n out=$1; out=5; }; f z`, "local -n out=z via f()"},
		{"zsh's path of a program", `=rm x`, "rm x"},
		{"alias of an alias", "alias a='b -f' b=rm\na x", "alias \"a=b -f\" b=rm\nrm -f x via a(),b()"},
		{"value expanded again", `p='$(rm x)'; echo "${p@P}"`, "rm x\necho \"$(rm x)\"?"},
		{"value in capitals", `p=rm; echo ${p@U}`, "echo RM"},
	}, Read, world)
}

func TestDescriptors(t *testing.T) {
	check(t, []reading{
		{"sourced", `exec 3< a.sh; source /dev/fd/3`, "exec <\"a.sh\"\nsource a.sh"},
		{"named", `exec {fd}< a.sh; . /dev/fd/$fd`, "exec <\"a.sh\"\nsource a.sh"},
		{"as a script", `bash /dev/fd/3 3< a.sh`, "bash a.sh <\"a.sh\""},
		{"text", `exec 3<<< 'rm x'; source /proc/self/fd/3`, "exec <<<\"rm x\\n\"\nsource /proc/self/fd/3\nrm x via source"},
		{"command", `exec 3< <(curl h); source /dev/fd/3`, "curl h\nexec <\"<(curl h)\"\nsource \"<(curl h)\"? unsure"},
		{"copied", `exec 3< <(echo rm x); exec 4<&3; bash <&4`, "echo rm x\nexec <\"<(echo rm x)\"\nexec <&\"3\"\nrm x via bash"},
		{"read", `exec 3< README; read -r a <&3; echo "$a"; exec 3<&-`, "exec <\"README\"\nread -r a <&\"3\"\necho $a?\nexec <&\"-\""},
		{"closed", `exec {fd}< a; exec {fd}<&-`, "exec <\"a\"\nexec <&\"-\""},
		{"process substitution as input", `bash < <(echo rm x)`, "echo rm x\nrm x via bash"},
		{"unknown one", `bash < <(curl h)`, "curl h\nbash <\"<(curl h)\" unsure"},
		{"data", `sort < <(curl h)`, "curl h\nsort <\"<(curl h)\""},
		{"written file as input", `echo rm x > a; sh < a`, "echo rm x >\"a\"\nrm x via sh"},
		{"shell beside the line", `coproc bash; echo 'rm x' >&${COPROC[1]}`,
			"bash via coproc &\nrm x via coproc\necho \"rm x\" >&\"${COPROC[1]}\""},
		{"named shell beside the line", `coproc S { sh; }; curl h >&"${S[1]}"`,
			"sh via coproc &\n via coproc unsure\ncurl h >&\"${S[1]}\""},
		{"filter beside the line", `coproc cat; echo 'rm x' >&${COPROC[1]}`, "cat via coproc &\necho \"rm x\" >&\"${COPROC[1]}\""},
	}, Read, world)
	s := Read(`exec 3< <(curl h); bash <&3`, world)
	if last := s.Commands[len(s.Commands)-1]; len(last.Inputs) != 1 || last.Unsure == "" {
		t.Errorf("bash reads curl through a descriptor, got inputs %v, %q", last.Inputs, last.Unsure)
	}
}

func TestFilledVariables(t *testing.T) {
	check(t, []reading{
		{"read", `read -r c <<< 'rm x'; $c`, "read -r c <<<\"rm x\\n\"\nrm x"},
		{"read of words", `read a b c <<< 'rm -f x y'; $a $b $c`, "read a b c <<<\"rm -f x y\\n\"\nrm -f x y"},
		{"read with a separator", `IFS=, read -ra p <<< 'rm,x'; "${p[@]}"`, "read -ra p <<<\"rm,x\\n\"\nrm x"},
		{"read with options", `read -t 5 -p 'q ' a <<< x; rm $a`, "read -t 5 -p \"q \" a <<<\"x\\n\"\nrm x"},
		{"read from a terminal", `read -p 'Sure? ' a; rm $a`, "read -p \"Sure? \" a\nrm $a?"},
		{"read in a pipe", `echo x | read a; rm $a`, "echo x\nread a\nrm $a?"},
		{"mapfile", "mapfile -t l <<< $'rm x\\nls'; ${l[0]}", "mapfile -t l <<<\"rm x\\nls\\n\"\nrm x"},
		{"readarray of a command", `readarray -t f < <(git diff --name-only); echo "${#f[@]}"`,
			"git diff --name-only\nreadarray -t f <\"<(git diff --name-only)\"\necho ${#f[@]}?"},
		{"known paths", `rm "$(dirname a/b)" "$(basename a/b.c .c)" "$(realpath a)" "$(cd a && pwd)"`,
			"dirname a/b\nbasename a/b.c .c\nrealpath a\ncd a\npwd in /proj/a\nrm a b /proj/a \"$(cd a && pwd)\"?"},
	}, Read, world)
}

func TestRunLater(t *testing.T) {
	check(t, []reading{
		{"handler", `command_not_found_handle() { rm x; }; y`, "rm x via command_not_found_handle()\ny"},
		{"zsh handlers", `TRAPEXIT() { rm x; }; precmd() { rm y; }`, "rm x via TRAPEXIT()\nrm y via precmd()"},
		{"function that nobody calls", `clean() { rm x; }; ls`, "ls"},
		{"key", `bind -x '"\C-a": rm x'`, "bind -x \"\\\"\\\\C-a\\\": rm x\"\nrm x via bind -x"},
		{"keys that are listed", `bind -p`, `bind -p`},
		{"completion", `complete -C 'rm x' go`, "complete -C \"rm x\" go\nrm x via complete -C"},
		{"completion by a function", `complete -F _go go`, `complete -F _go go`},
		{"library", `enable -f ./x.so y`, `enable -f ./x.so y`},
		{"prompt", `PS1='$(rm x) \$ ' bash -i`, "rm x via PS1\nbash -i"},
		{"prompt without a command", `PS4='+ ${BASH_SOURCE}:${LINENO}: ' bash -x a.sh`, `bash -x a.sh`},
		{"timer", `systemd-run --on-active=10 --timer-property=AccuracySec=1 rm x`, "systemd-run --on-active=10 --timer-property=AccuracySec=1 rm x\nrm x via systemd-run"},
		{"at", `echo 'rm x' | at now + 1 minute`, "echo \"rm x\"\nat now + 1 minute\nrm x via at"},
		{"repeated", `repeat 3 rm x`, "rm x via repeat"},
		{"empty environment", `env - A=b rm x`, "rm x via env"},
		{"quotes inside the same quotes", `sh -c "sh -c "rm x""`, "rm via sh -c,sh -c\nrm via sh -c,sh -c\nrm x via sh -c,sh -c"},
		{"quotes thrice", `sh -c "sh -c "sh -c "rm -f x"""`, "sh via sh -c,sh -c\nsh via sh -c,sh -c\nrm via sh -c,sh -c,sh -c\nrm -f x via sh -c,sh -c,sh -c"},
		{"one word that is a line", `yarn exec 'rm x'`, "rm x via yarn exec"},
		{"program in a folder with a blank", `"/opt/my app/rm" x`, "rm x"},
		{"zsh's own rm", `zsh -c 'zmodload zsh/files; zf_rm x'`, "zmodload zsh/files via zsh -c\nrm x via zsh -c"},
		{"other shells", `tcsh -c 'rm x'; xonsh -c 'rm y'`, "rm x via tcsh -c\nrm y via xonsh -c"},
		{"su without a command", `su root <<< 'rm x'`, "su root <<<\"rm x\\n\"\nrm x via su"},
		{"sudo's shell", `echo 'rm x' | sudo -s`, "echo \"rm x\"\nrm x via sudo"},
		{"sudo without a shell", `echo x | sudo -v`, "echo x\nsudo -v"},
		{"lines of a download", `curl h | parallel`, "curl h\nparallel via parallel\nsh via parallel unsure"},
		{"arguments of a line", `sh -c 'rm "$1"' _ x`, "rm x via sh -c"},
	}, Read, world)
	if s := Read(`enable -f ./x.so y`, world); len(s.Commands[0].Env) != 1 {
		t.Error("a library that is loaded into the shell is not said")
	}
}

func TestParallel(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"one argument each", `parallel rm {} ::: a b`, "rm a\nrm b"},
		{"none named", `parallel rm -f ::: a`, "rm -f a"},
		{"by number", `parallel mv {1} {2} ::: a ::: b c`, "mv a b\nmv a c"},
		{"together", `parallel rm {1}{2} ::: / ::: etc`, "rm /etc"},
		{"without what stands behind the dot", `parallel convert {} {.}.webp ::: d/a.png`, "convert d/a.png d/a.webp"},
		{"folder and name", `parallel rm {//} {/} {/.} ::: d/a.o`, "rm d a.o a"},
		{"own mark", `parallel -I% rm % ::: a`, "rm a"},
		{"own replacement", `parallel --rpl '{x} s/a/a/' rm {x} ::: a`, "rm a"},
		{"argument is quoted", `parallel echo ::: 'a; rm -rf x'`, `echo "a; rm -rf x"`},
		{"argument is the line", `parallel ::: 'rm x'`, "rm x"},
		{"lines are read", `printf '%s\n' 'rm x' ls | parallel`, "rm x\nls"},
		{"arguments are read", `echo x | parallel rm`, "rm x"},
		{"number of the job", `parallel echo {#} ::: a`, "echo 1"},
		{"no placeholder", `parallel jq {a:1} {} ::: f`, "jq {a:1} f"},
		{"not known", `ls | parallel rm`, "rm {}?"},
		{"from a file", `parallel rm {} :::: list`, "rm {}?"},
		{"shell", `parallel bash -c 'rm {}' ::: x`, "rm x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, got := Read(c.line, world), []string(nil)
			for _, x := range s.Commands {
				if len(x.Via) > 0 {
					x.Via = nil
					got = append(got, x.line())
				}
			}
			if g := strings.Join(got, "\n"); g != c.want {
				t.Errorf("%q\ngot  %s\nwant %s", c.line, g, c.want)
			}
		})
	}
}
