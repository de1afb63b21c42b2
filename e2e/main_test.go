package e2e

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

// system is what all tests talk to.
var system *headwater

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "headwater-e2e-")
	if err != nil {
		return failed(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	system = &headwater{dir: dir}
	defer system.stop()
	if err := system.start(ctx); err != nil {
		return failed(fmt.Errorf("%w (logs are in %s)", err, dir))
	}
	code := m.Run()
	if code != 0 {
		fmt.Fprintf(os.Stderr, "e2e: logs and data are in %s\n", dir)
		return code
	}
	system.stop()
	if err := os.RemoveAll(dir); err != nil {
		return failed(err)
	}
	return 0
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, "e2e:", err)
	return 1
}
