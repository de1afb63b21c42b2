package report

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

// Main is the main function of a benchmark whose flags are defined: it parses them and runs until an interrupt. After an
// error the process ends with 1.
func Main(name string, run func(context.Context) error) {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// InTurn takes one part of a benchmark after the other, until one fails or ctx ends.
func InTurn(ctx context.Context, parts ...func(context.Context) error) error {
	for _, part := range parts {
		if err := part(ctx); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
