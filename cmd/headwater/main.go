// Command headwater is the whole of Headwater in one binary: the servers, and the commands of the people who use them.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/headwater-data/headwater/internal/buildinfo"
	"github.com/headwater-data/headwater/internal/config"
)

// cli lists the commands. Each stands in a file of its own.
type cli struct {
	ShowVersion kong.VersionFlag `name:"version" help:"Say which build this is, and end."`

	Config kong.ConfigFlag `placeholder:"FILE" help:"YAML file with settings under the names of the flags. A flag beats its environment variable, which beats the file."`

	Dev     devCommand     `cmd:"" help:"Run everything on this machine, with a demo to look at."`
	Gateway gatewayCommand `cmd:"" help:"Serve the doors and the answers."`
	Worker  workerCommand  `cmd:"" help:"Fold the log, decide runs, move the log into the archive."`
	Migrate migrateCommand `cmd:"" help:"Bring the database schema to the version of this binary."`

	Capacity capacityCommand `cmd:"" help:"Measure what comes in, how it grows and which limits to revise."`

	Lineage lineageCommand `cmd:"" help:"Ask where data comes from and what is made of it."`
	Run     runCommand     `cmd:"" help:"Ask about runs."`
	Event   eventCommand   `cmd:"" help:"Look at what was accepted."`

	Quarantine quarantineCommand `cmd:"" help:"Look after what was refused."`

	Node nodeCommand `cmd:"" help:"Ask about one dataset or job."`

	Declare declareCommand `cmd:"" help:"Declare lineage that no run has to report."`

	Publish  publishCommand  `cmd:"" help:"Say that an output of a run became visible in its store."`
	Rollback rollbackCommand `cmd:"" help:"Say that an output of a run was taken back."`
	Validate validateCommand `cmd:"" help:"Say that an output of a run was looked at and is right."`
	Withdraw withdrawCommand `cmd:"" help:"Take wrong evidence out of the answers."`

	Alias      aliasCommand      `cmd:"" help:"Join the names of one dataset, and list them."`
	Namespaces namespacesCommand `cmd:"" help:"Give raw names the names under which datasets are known."`
	Unresolved unresolvedCommand `cmd:"" help:"Judge names that do not have the shape of their namespace."`

	Projection projectionCommand `cmd:"" help:"Look at the projections that answers are read from."`
	Replay     replayCommand     `cmd:"" help:"Rebuild the projection from the log."`

	Producer producerCommand `cmd:"" help:"Manage who may send events."`
	User     userCommand     `cmd:"" help:"Manage who may ask questions."`

	Version    versionCommand    `cmd:"" help:"Say which build this is."`
	Completion completionCommand `cmd:"" help:"Teach a shell the commands and flags."`
	Complete   completeCommand   `cmd:"" hidden:"" help:"Print what may follow on a command line."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	parser := kong.Must(&cli{}, options(ctx)...)
	parser.FatalIfErrorf(run(parser, os.Args[1:]))
}

// run reads a command line and does what it says. Without one it helps.
func run(parser *kong.Kong, args []string) error {
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	if err != nil {
		parser.Stdout = parser.Stderr // what else is printed goes with the error
		return err
	}
	if err = command.Run(); errors.Is(err, context.Canceled) {
		return interrupted{}
	}
	return err
}

// interrupted is what becomes of a command that Ctrl-C ends.
type interrupted struct{}

func (interrupted) Error() string { return "interrupted" }

// ExitCode implements [kong.ExitCoder]: it is that of shells.
func (interrupted) ExitCode() int { return 130 }

// options are how command lines are read.
func options(ctx context.Context) []kong.Option {
	return []kong.Option{
		kong.Name("headwater"),
		kong.Description("Data lineage that says how far it can be trusted.\n\nExit status: 0 when it was done, 1 when it failed, 80 when the command line is wrong, 130 when it was interrupted."),
		kong.ShortUsageOnError(),
		kong.Configuration(config.Load),
		config.Environment("dev", "gateway", "worker", "migrate"),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Vars{"version": buildinfo.Read().String()},
	}
}
