// Command testenv runs a command, such as `go test ./...`, with the servers of package testenv up, and exits with its
// status. They are shared by all the test processes that the command starts, and stopped when it ends.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/headwater-data/headwater/internal/testenv"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: testenv COMMAND [ARGUMENT...]")
		os.Exit(2)
	}
	// The command gets a Ctrl-C from the terminal itself, and this process stays to stop the servers. To ignore the
	// signal would not do, since the command would inherit that.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	err := run(ctx, os.Args[1], os.Args[2:]...)
	cancel()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(max(failed.ExitCode(), 1)) // -1 after a signal
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "testenv:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, name string, args ...string) error {
	env, stop, err := testenv.Start(ctx)
	if err != nil {
		return err
	}
	defer stop()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}
