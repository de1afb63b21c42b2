package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// printed runs a command line and gives what it prints. No test that calls it may be parallel: the streams belong to the
// process.
func printed(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	stderr = redirected(t, &os.Stderr, func() {
		stdout = redirected(t, &os.Stdout, func() { err = execute(t, args...) })
	})
	return stdout, stderr, err
}

// redirected gives what is written to a stream while do runs.
func redirected(t *testing.T, stream **os.File, do func()) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stream")
	file, err := os.Create(path)
	require.NoError(t, err)
	before := *stream
	*stream = file
	defer func() { *stream = before }()
	do()
	require.NoError(t, file.Close())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(content)
}

func TestReceiptIsGivenToPeopleAndPrograms(t *testing.T) {
	accepted := &headwaterv1.Accepted{Epoch: 1, Offset: 7}
	recorded := func(flag receiptFlag, outcome string) string {
		return redirected(t, &os.Stdout, func() { require.NoError(t, flag.recorded(accepted, outcome)) })
	}
	require.Equal(t, "recorded at offset 7\n", recorded(receiptFlag{}, ""))
	require.Equal(t, "recorded at offset 7; look\n", recorded(receiptFlag{}, "look"))
	require.JSONEq(t, `{"epoch": 1, "offset": "7"}`, recorded(receiptFlag{JSON: true}, "look"))
}

func TestVersionIsACommandAndAFlag(t *testing.T) {
	stdout, _, err := printed(t, "version")
	require.NoError(t, err)
	require.Regexp(t, `^headwater .+ \(.*go1\..+\)\n$`, stdout)
	stdout, _, err = printed(t, "version", "--json")
	require.NoError(t, err)
	require.Contains(t, stdout, `"platform": "`)
}
