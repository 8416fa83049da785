package shell

import "testing"

func TestFish(t *testing.T) {
	check(t, []reading{
		{"plain", `fish -c 'rm x; and ls'`, "rm x via fish -c\nls via fish -c"},
		{"if", `fish -c 'if test -f a; rm a; else if test -d b; rm b; else; rm c; end'`,
			"test -f a via fish -c\nrm a via fish -c\ntest -d b via fish -c\nrm b via fish -c\n: via fish -c\nrm c via fish -c"},
		{"for", `fish -c 'for f in a b; rm $f; end | cat'`, "rm a via fish -c\nrm b via fish -c\ncat via fish -c"},
		{"while", "fish -c 'while true\n  rm x\nend'", "true via fish -c\nrm x via fish -c"},
		{"begin", `fish -c 'begin; rm x; end; ls'`, "rm x via fish -c\nls via fish -c"},
		{"switch", `fish -c 'switch $x; case a; rm a; case "*"; ls; end'`,
			": ${x[@]}? via fish -c\n: a via fish -c\nrm a via fish -c\n: * via fish -c\nls via fish -c"},
		{"substitution", `fish -c 'rm (echo x)'`, "echo x via fish -c\nrm x via fish -c"},
		{"substitution in a string", `fish -c 'echo "a $(rm x)"'`, "rm x via fish -c\necho \"a $(rm x)\"? via fish -c"},
		{"variable", `fish -c 'set c rm; $c -rf x'`, "rm -rf x via fish -c"},
		{"list", `fish -c 'set -l c rm -rf; $c x'`, "rm -rf x via fish -c"},
		{"exported", `fish -c 'set -gx PAGER "rm x"'`, "rm x via fish -c,PAGER\nexport \"PAGER=rm x\" via fish -c"},
		{"function", `fish -c 'function f -a x; rm y; end; f z'`, ": -a x via fish -c,f()\nrm y via fish -c,f()"},
		{"quotes", "fish <<'E'\necho 'it\\'s; rm x'\nE", "echo \"it's; rm x\" via fish"},
		{"backtick is plain", "fish -c 'echo a`rm x`b'", "echo a`rm x`b via fish -c"},
		{"eval", `fish -c 'eval (echo rm x)'`, "echo rm x via fish -c\nrm x via fish -c,eval"},
		{"comment", `fish -c 'ls # rm x'`, "ls via fish -c"},
		{"source from a pipe", `fish -c 'echo rm x | source'`, "echo rm x via fish -c\nrm x via fish -c,source"},
		{"standard input", `fish <<< 'rm (echo x)'`, "echo x via fish\nrm x via fish"},
	}, Read, world)
}
