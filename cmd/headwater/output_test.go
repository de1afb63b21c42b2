package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/kong"
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

func TestUsageGoesToStandardErrorWithTheErrorThatItBelongsTo(t *testing.T) {
	exit := -1
	stderr := redirected(t, &os.Stderr, func() {
		stdout := redirected(t, &os.Stdout, func() {
			parser, err := kong.New(&cli{}, append(options(t.Context()), kong.Exit(func(code int) { exit = code }))...)
			require.NoError(t, err)
			parser.FatalIfErrorf(run(parser, []string{"run", "show"}))
		})
		require.Empty(t, stdout)
	})
	require.Contains(t, stderr, "Usage: headwater run show <run-id>")
	require.Contains(t, stderr, `error: expected "<run-id>"`)
	require.Equal(t, 80, exit)
}

func TestInterruptedCommandSaysSo(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // from then on the server notices that the caller leaves
		interrupt()
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	err := executeUntil(t, ctx, "run", "list", "--server", server.URL)
	require.ErrorIs(t, err, interrupted{})
	require.EqualError(t, err, "interrupted")
}

func TestVersionIsACommandAndAFlag(t *testing.T) {
	stdout, _, err := printed(t, "version")
	require.NoError(t, err)
	require.Regexp(t, `^headwater .+ \(.*go1\..+\)\n$`, stdout)
	stdout, _, err = printed(t, "version", "--json")
	require.NoError(t, err)
	require.Contains(t, stdout, `"platform": "`)
}
