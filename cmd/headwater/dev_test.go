package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/stack"
)

func TestDevNamesEachTakenPortAndItsFlag(t *testing.T) {
	command := devCommand{Port: takenPort(t), S3Port: takenPort(t)} // the others are 0, which is any free port
	err := command.checkPorts()
	require.ErrorContains(t, err, loopback(command.Port))
	require.ErrorContains(t, err, "with --port")
	require.ErrorContains(t, err, loopback(command.S3Port))
	require.ErrorContains(t, err, "with --s3-port")
	require.NotContains(t, err.Error(), "--temporal-port")
}

func TestDevRefusesADirectoryInUse(t *testing.T) {
	dir := t.TempDir()
	unlock, err := stack.Lock(dir)
	require.NoError(t, err)
	defer unlock()

	err = (&devCommand{Dir: dir}).Run(t.Context())
	require.ErrorContains(t, err, "choose another directory with --dir")
}

func TestPartIsStartedAgainWheneverItEnds(t *testing.T) {
	dir := t.TempDir()
	starts := filepath.Join(dir, "starts")
	script := filepath.Join(dir, "script")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\necho \"$1\" >>"+starts+"\nkill -9 $$\n"), 0o700))
	part := devPart{binary: script, command: "gateway", log: filepath.Join(dir, "log")}

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- part.keepRunning(ctx) }()
	require.Eventually(t, func() bool {
		content, _ := os.ReadFile(starts)
		return strings.HasPrefix(string(content), "gateway\ngateway\n")
	}, time.Minute, 10*time.Millisecond)

	cancel()
	require.NoError(t, <-ended)
}

func takenPort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", loopback(0))
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	return listener.Addr().(*net.TCPAddr).Port
}
