package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"
	"connectrpc.com/connect/v2/connectproto"
	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

// fakeGateway answers every GetRun with an error, and keeps the last request.
type fakeGateway struct {
	headwaterv1connect.UnimplementedRunServiceHandler
	err           error
	request       *headwaterv1.GetRunRequest
	authorization string
}

func (g *fakeGateway) GetRun(ctx context.Context, request *headwaterv1.GetRunRequest) (*headwaterv1.GetRunResponse, error) {
	call, _ := connect.CallInfoForServerContext(ctx)
	g.request, g.authorization = request, call.RequestHeader().Get("Authorization")
	return nil, g.err
}

// serve starts a gateway with the services that register adds, and returns its address.
func serve(t *testing.T, register func(*connect.Server)) string {
	t.Helper()
	services := connect.NewServer()
	register(services)
	mux := http.NewServeMux()
	connecthttp.Mount(mux, services)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// serveRuns starts a gateway that answers about runs alone.
func serveRuns(t *testing.T, g headwaterv1connect.RunServiceHandler) string {
	t.Helper()
	return serve(t, func(services *connect.Server) { headwaterv1connect.RegisterRunServiceHandler(services, g) })
}

// execute runs a command line.
func execute(t *testing.T, args ...string) error {
	t.Helper()
	return executeUntil(t, t.Context(), args...)
}

// executeUntil is execute until a context ends.
func executeUntil(t *testing.T, ctx context.Context, args ...string) error { //nolint:revive // t comes first in a test
	t.Helper()
	parser, err := kong.New(&cli{}, options(ctx)...)
	require.NoError(t, err)
	return run(parser, args)
}

func TestJobFlagTakesTwoWords(t *testing.T) {
	t.Parallel()
	g := &fakeGateway{err: connect.NewError(connect.CodeNotFound, "no")}
	server := serveRuns(t, g)
	for _, args := range [][]string{
		{"run", "show", "r1", "--job", "spark", "daily orders", "--server", server},
		{"run", "show", "--job", "spark", "daily orders", "r1", "--server", server},
	} {
		require.ErrorContains(t, execute(t, args...), "there is no run r1 of job spark 'daily orders'")
		require.Equal(t, "r1", g.request.GetRunId())
		require.Equal(t, "spark", g.request.GetJob().GetNamespace())
		require.Equal(t, "daily orders", g.request.GetJob().GetName())
	}
	require.ErrorContains(t, execute(t, "run", "show", "r1", "--job", "spark"), "--job: takes two words")
}

func TestAmbiguousRunListsTheCommandForEachCandidate(t *testing.T) {
	t.Parallel()
	detail, err := connectproto.NewErrorDetail(&headwaterv1.AmbiguousRun{Candidates: []*headwaterv1.RunReference{
		{RunId: "r1", Job: &headwaterv1.Job{Namespace: "spark", Name: "a"}},
		{RunId: "r1", Job: &headwaterv1.Job{Namespace: "spark", Name: "it's b"}},
	}})
	require.NoError(t, err)
	server := serveRuns(t, &fakeGateway{err: connect.NewError(connect.CodeFailedPrecondition, "which").WithDetail(detail)})
	require.EqualError(t, execute(t, "run", "show", "r1", "--server", server),
		"runs of 2 jobs have the id r1; say which one:"+
			"\n  headwater run show r1 --job spark a --server "+server+
			"\n  headwater run show r1 --job spark 'it'\\''s b' --server "+server)
}

func TestErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	require.ErrorContains(t, execute(t, "lineage", "upstream", "warehouse", "orders", "--server", closed.URL), "`make dev` starts everything")

	unauthenticated := serveRuns(t, &fakeGateway{err: connect.NewError(connect.CodeUnauthenticated, "no")})
	require.ErrorContains(t, execute(t, "run", "show", "r1", "--server", unauthenticated), "--token-file")

	require.ErrorContains(t, execute(t, "run", "show", "r1", "--server", "127.0.0.1:8080"), "write it as http://127.0.0.1:8080")
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	require.ErrorContains(t, execute(t, "run", "show", "r1", "--server", other.URL), "--server names another address")

	require.ErrorContains(t, execute(t, "run", "list", "--limit", "0"), "--limit: 0 is not within 1 to 1000")
	require.ErrorContains(t, execute(t, "run", "list", "--parent-job", "airflow", "nightly"), "name that run with --parent")
	require.ErrorContains(t, execute(t, "withdraw", "run", "r1", "--reason", " "), "--reason: say why")
	require.ErrorContains(t, execute(t, "lineage", "upstream", "warehouse", "orders", "--at", "yesterday"), `"yesterday" is no time`)
	require.ErrorContains(t, execute(t, "lineage", "upstream", "warehouse", "orders", "--dot", "--json"), "can't be used together")
}

func TestTokenComesFromFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(file, []byte("hw_secret\n"), 0o600))
	g := &fakeGateway{err: connect.NewError(connect.CodePermissionDenied, "readers may not")}
	require.EqualError(t, execute(t, "run", "show", "r1", "--token-file", file, "--server", serveRuns(t, g)), "readers may not")
	require.Equal(t, "Bearer hw_secret", g.authorization)
}

func TestTokenThatNobodyKnowsIsSaidToBeWrong(t *testing.T) {
	t.Setenv(tokenVariable, "hw_revoked")
	g := &fakeGateway{err: connect.NewError(connect.CodeUnauthenticated, "no")}
	require.ErrorContains(t, execute(t, "run", "show", "r1", "--server", serveRuns(t, g)), "does not know your token")
}

func TestTokenComesFromTheEnvironment(t *testing.T) {
	t.Setenv(tokenVariable, "hw_secret")
	g := &fakeGateway{err: connect.NewError(connect.CodeNotFound, "no")}
	require.Error(t, execute(t, "run", "show", "r1", "--server", serveRuns(t, g)))
	require.Equal(t, "Bearer hw_secret", g.authorization)
}

func TestMomentIsADateOrATime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Time{
		"2026-07-19":                time.Date(2026, 7, 19, 0, 0, 0, 0, time.UTC),
		"2026-07-19T08:00:00+02:00": time.Date(2026, 7, 19, 6, 0, 0, 0, time.UTC),
	} {
		var m moment
		require.NoError(t, m.UnmarshalText([]byte(text)))
		require.True(t, want.Equal(m.Time), text)
	}
}
