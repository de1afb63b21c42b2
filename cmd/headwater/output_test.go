package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// printed runs a command line and gives what it prints. No test that calls it may be parallel: the streams belong to the
// process.
func printed(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	out, read := redirected(t, &os.Stdout)
	errs, readErrs := redirected(t, &os.Stderr)
	defer func() { os.Stdout, os.Stderr = out, errs }()
	err = execute(t, args...)
	return read(), readErrs(), err
}

// redirected makes a stream write into a file. It gives the stream as it was, and what reads the file.
func redirected(t *testing.T, stream **os.File) (before *os.File, read func() string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stream")
	file, err := os.Create(path)
	require.NoError(t, err)
	before, *stream = *stream, file
	return before, func() string {
		require.NoError(t, file.Close())
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(content)
	}
}
