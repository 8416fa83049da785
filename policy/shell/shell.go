// Package shell reads a command line and gives the simple commands it would run, with wrappers (sudo, env, xargs, …)
// and nested shells (sh -c, eval, $(…)) opened.
//
// What is only data (a quoted argument, a heredoc that is a document, a comment) is never a command. What cannot be
// known before the line runs is marked Unsure and says why; it is never left out in silence.
package shell

// Word is one word of a command after quotes, escapes and known variables are resolved.
type Word struct {
	// Text is the value; parts that cannot be known stand in it as they were written ($(date), $X), and an unknown
	// ${X:-default} as its default.
	Text string
	// Known is false when some part of the value depends on what the line does when it runs.
	Known bool
	// Glob says that unquoted *, ? or [ stand in it.
	Glob bool
}

// Redirect is a redirection of a command to or from a file.
type Redirect struct {
	Op   string // ">", ">>", "<", ">|", "&>", "<<" (heredoc), "<<<"
	To   Word   // file, or the text of a heredoc or here-string
	Fd   int    // -1 when not given
	Body bool   // To is text, not a file
}

// Command is one simple command that the line would run.
type Command struct {
	// Name is the program's name without its folder, lower case, .exe removed; empty when it cannot be known.
	Name string
	// Path is the program as written when that had a folder in it.
	Path string
	// Args are the words after the name.
	Args []Word
	// Env are the assignments in front of the command, NAME=value.
	Env       []Word
	Redirects []Redirect
	// Via names the wrappers and shells the command was opened from, outermost first: sudo, bash -c, find -exec.
	Via []string
	// Dir is the folder the command runs in as far as cd, pushd and a wrapper's own option (env -C) tell; empty: where
	// the line runs. The program's own -C (git, make) is left to whoever reads its Args.
	Dir string
	// DirUnsure says that Dir may not hold: a cd before it can fail, or its target cannot be known.
	DirUnsure bool
	// Group numbers the pipeline the command stands in; Stage its place there, 0 first.
	Group, Stage int
	// Chain numbers the && list the command stands in: it runs only where all before it under the same number succeeded.
	// 0: none.
	Chain int
	// Missing is a path that nothing stands at when the command runs, for a test before it said so: [ -f x ] || cp y x.
	Missing string
	// Unsure says why the command could not be read whole; empty otherwise.
	Unsure string
	// Background says that it ends in &.
	Background bool
	// Remote says that it runs on another machine or in a container: its paths are not this disk's. Via names how.
	Remote bool
	// Inputs are the commands, by index in Script.Commands, whose output stands in the words, the here-string or the
	// variables of this one: $(…), <(…).
	Inputs []int
	// Over are what a {} among Args stands for when a wrapper fills it in from find's starting points or what xargs
	// reads; unknown input leaves it empty.
	Over []Word
	// Self says that a function calls itself here. In the background or in a pipe that is a fork bomb.
	Self bool
}

// Script is a command line, read.
type Script struct {
	Commands []Command
	// Unsure says what of the line could not be read (a syntax error, a limit); empty otherwise.
	Unsure []string
	// Broken says that some of the line is a syntax error, which a shell would most likely refuse too. The commands of
	// that part are a guess: it was cut at blanks and separators whatever the quotes.
	Broken bool
}

// Options tell the reader about the world the line would run in.
type Options struct {
	// Dir and Home are absolute.
	Dir, Home string
	// Env gives variables the shell would have; nil: HOME, PWD and nothing else.
	Env func(string) (string, bool)
	// Wrappers are further programs that run the rest of their arguments (user setting).
	Wrappers []string
	// IsDir tells whether a folder is there, so that a cd to it may be taken to succeed; nil: not known.
	IsDir func(string) bool
	// Top gives the root of the work tree that a folder lies in, empty where that is not certain; nil: not known.
	Top func(dir string) string
	// Script is the file that the line is the text of; empty: none, or not known.
	Script string
	// Args are the words that Script is run with; nil: not known.
	Args []Word
}

// Limits of the reader. A line past them is Unsure.
const (
	MaxLine  = 256 << 10 // bytes
	MaxDepth = 40        // nested shells, substitutions and wrappers
	MaxCmds  = 2000      // simple commands
)
