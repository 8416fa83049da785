// Command stepgate-otlp sends session files to an OpenTelemetry collector. People start it by "stepgate export --otlp",
// which says which files.
//
// It is a program of its own because the OpenTelemetry SDK makes a program start later, and stepgate is what the hook waits
// for when a remote judge is asked.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/stepgate/stepgate/internal/otlp"
	"github.com/stepgate/stepgate/internal/proc"
	"github.com/stepgate/stepgate/internal/version"
)

// Exit codes, as those of stepgate.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

const usage = `usage: stepgate-otlp --state DIR [--all] [--insecure] [--json] ENDPOINT

Sends the session files named on standard input, each name ended by a zero byte.
It is started by "stepgate export --otlp ENDPOINT".
`

// maxNames bounds the list of files, in bytes.
const maxNames = 64 << 20

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if why := proc.UnderAgent(os.Getenv); why != "" {
		fmt.Fprintf(os.Stderr, "stepgate-otlp: this is for a person, and it runs under an agent (%s); nothing was sent\n", why)
		os.Exit(exitFailed)
	}
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o := otlp.Options{Version: version.String()}
	var insecure, asJSON bool
	f := flag.NewFlagSet("stepgate-otlp", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.Dir, "state", "", "")
	f.BoolVar(&o.All, "all", false, "")
	f.BoolVar(&insecure, "insecure", false, "")
	f.BoolVar(&asJSON, "json", false, "")
	if err := f.Parse(args); err != nil || f.NArg() != 1 || o.Dir == "" {
		fmt.Fprint(stderr, usage)
		if errors.Is(err, flag.ErrHelp) {
			return exitOK
		}
		return exitUsage
	}
	var err error
	if o.Endpoint, err = otlp.Parse(f.Arg(0), insecure); err != nil {
		fmt.Fprintln(stderr, "stepgate: --otlp:", err)
		return exitUsage
	}
	files, err := names(stdin)
	var sum otlp.Summary
	if err == nil {
		sum, err = otlp.Ship(ctx, o, files)
	}
	if sum.Endpoint != "" { // something was tried; what arrived is told even when the rest did not
		err = errors.Join(show(stdout, stderr, sum, asJSON), err)
	}
	if err != nil {
		fmt.Fprintln(stderr, "stepgate:", err)
		return exitFailed
	}
	return exitOK
}

// names reads the files' names.
func names(r io.Reader) ([]string, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxNames+1))
	if err != nil {
		return nil, fmt.Errorf("list of files: %w", err)
	}
	if len(b) > maxNames {
		return nil, fmt.Errorf("list of files: longer than %d bytes", maxNames)
	}
	return strings.FieldsFunc(string(b), func(r rune) bool { return r == 0 }), nil
}

func show(stdout, stderr io.Writer, sum otlp.Summary, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(stdout).Encode(sum)
	}
	_, err := fmt.Fprintf(stdout, "%d records of %d files sent to %s\n", sum.Sent, sum.Files, sum.Endpoint)
	if sum.Rejected > 0 {
		fmt.Fprintf(stderr, "stepgate: it took %d of them for unfit: %s\n", sum.Rejected, cmp.Or(sum.Answer, "no reason given"))
	}
	if sum.Unreadable > 0 {
		fmt.Fprintf(stderr, "stepgate: %d lines cannot be read\n", sum.Unreadable)
	}
	return err
}
