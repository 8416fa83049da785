// Command stepgate is the program people use: it shows and switches the gate, tries calls against it, reads its record
// and installs it into agents. `stepgate judge` is the one part that opens a connection or reads the API key.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/stepgate/stepgate/internal/report"
	"github.com/stepgate/stepgate/internal/setup"
)

// cli is the command line: one field, and one file, a subcommand.
type cli struct {
	Check     checkCmd     `cmd:"" help:"Say what the gate would do about a call, and why."`
	Demo      demoCmd      `cmd:"" help:"Play a few stories through the gate and show what an agent would see."`
	Eval      evalCmd      `cmd:"" help:"Measure the gate on scenarios with known outcomes, or on recorded runs."`
	Doctor    doctorCmd    `cmd:"" help:"Prove that the gate works."`
	Install   installCmd   `cmd:"" help:"Put the hook into an agent's settings."`
	Uninstall uninstallCmd `cmd:"" help:"Take the hook out of an agent's settings."`
	Key       keyCmd       `cmd:"" help:"The API key of the remote judge."`
	Config    configCmd    `cmd:"" help:"Show and change settings."`
	Mode      modeCmd      `cmd:"" help:"Show or switch the mode: audit, enforce, off."`
	Status    statusCmd    `cmd:"" help:"Show the state of the gate here."`
	Log       logCmd       `cmd:"" help:"Show, find or verify the record of a session."`
	Analyze   analyzeCmd   `cmd:"" help:"Say what happened, and what other thresholds would have done."`
	Label     labelCmd     `cmd:"" help:"Say whether a call was harmful, or how a task ended."`
	Review    reviewCmd    `cmd:"" help:"Go through the calls that the judge was least certain about."`
	Tune      tuneCmd      `cmd:"" help:"Propose settings from labelled calls."`
	Export    exportCmd    `cmd:"" help:"Print the recorded calls as samples, without their values."`
	Policy    policyCmd    `cmd:"" help:"Show, check, try and silence policies and rules."`
	Plan      planCmd      `cmd:"" help:"Show or change what the gate takes your request to be."`
	Budget    budgetCmd    `cmd:"" help:"Show or reset how many asks this task has used up."`
	Approve   approveCmd   `cmd:"" help:"Let one refused call run once, for agents that cannot ask."`
	Undo      undoCmd      `cmd:"" help:"Give back what a call removed."`
	Redact    redactCmd    `cmd:"" help:"Mask the secrets in standard input."`
	Judge     judgeEntry   `cmd:"" help:"Ask the remote judge about one request (the hook starts this)."`
	Version   versionCmd   `cmd:"" help:"Print the version."`
}

// app is what a subcommand works with.
type app struct {
	ctx      context.Context
	stdin    io.Reader
	out, err io.Writer
	env      setup.Env
	said     []string // complaints, so that none is made twice
}

// newApp is the program in this process's surroundings.
func newApp(ctx context.Context) *app {
	a := &app{ctx: ctx, stdin: os.Stdin, out: os.Stdout, err: os.Stderr}
	a.env = setup.OS(a.complain)
	return a
}

// complain says on standard error what is wrong, once. A gate that is made anew finds the same again.
func (a *app) complain(err error) {
	if text := err.Error(); !slices.Contains(a.said, text) {
		a.said = append(a.said, text)
		fmt.Fprintln(a.err, "stepgate:", report.Visible(text)) // a file's name may be in it
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(newApp(ctx).run(os.Args[1:]))
}

// run parses a command line, runs the subcommand and gives the exit code.
func (a *app) run(args []string) int {
	if len(args) > 0 && args[0] == "judge" {
		return a.judge(args[1:])
	}
	var c cli
	code := -1
	parser, err := kong.New(&c,
		kong.Name("stepgate"),
		kong.Description("A gate in front of a coding agent's tools."),
		kong.Writers(a.out, a.err),
		kong.Exit(func(n int) { code = n }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 80}),
		kong.Bind(a),
	)
	if err != nil {
		panic(err) // the table above is wrong
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	k, err := parser.Parse(args)
	if code >= 0 {
		return code // --help was printed
	}
	if err != nil {
		fmt.Fprintf(a.err, "stepgate: %v\nhint: %s\n", err, hint(err))
		return exitUsage
	}
	return a.ended(k.Run())
}

// hint names the help of the subcommand in which a command line went wrong, and the words that can stand there.
func hint(err error) string {
	var wrong *kong.ParseError
	if !errors.As(err, &wrong) || wrong.Context == nil {
		return "stepgate --help"
	}
	at := wrong.Context.Selected()
	if at == nil {
		at = wrong.Context.Model.Node
	} else if at.Parent.DefaultCmd == at {
		at = at.Parent // the word that should have named a subcommand went to the one that stands for none
	}
	var words []string
	for _, child := range at.Children {
		words = append(words, child.Name)
	}
	help := at.FullPath() + " --help"
	if len(words) == 0 {
		return help
	}
	return strings.TrimSpace(wrap(help+"; one of "+strings.Join(words, ", "), "      "))
}

// ended says how a subcommand ended and gives the exit code.
func (a *app) ended(err error) int {
	var with *exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &with):
		if with.err != nil {
			a.complain(with.err)
		}
		return with.code
	}
	a.complain(err)
	return exitFailed
}
