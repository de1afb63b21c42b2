package e2e

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "headwater-e2e-")
	if err != nil {
		return failed(err)
	}
	headwater, err = deploy(dir)
	if headwater != nil {
		defer headwater.Stop()
	}
	if err != nil {
		return failed(err)
	}
	code := m.Run()
	if code != 0 {
		fmt.Fprintf(os.Stderr, "e2e: logs and data are in %s\n", dir)
		return code
	}
	headwater.Stop()
	if err := os.RemoveAll(dir); err != nil {
		return failed(err)
	}
	return 0
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, "e2e:", err)
	return 1
}
