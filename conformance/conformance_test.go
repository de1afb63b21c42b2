package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/headwater-data/headwater/internal/testenv"
)

// fixtures is a small corpus of this package's own, of the same kinds as the large one.
const fixtures corpus = "testdata/corpus"

// testSites makes sites on the servers that tests share.
type testSites struct{ t *testing.T }

func (s testSites) makeSite(context.Context) (site, error) {
	hostPort, namespace := testenv.Temporal(s.t)
	return site{
		databaseURL: testenv.Database(s.t).Config().ConnString(),
		temporal:    client.Options{HostPort: hostPort, Namespace: namespace, Logger: silent{}},
	}, nil
}

func TestFixturesGiveWhatTheyShould(t *testing.T) {
	var out bytes.Buffer
	s := &suite{sites: testSites{t}, documents: fixtures, expectations: os.DirFS("testdata"), report: &report{out: &out, memory: watchMemory()}, patience: patience, shuffles: 3}
	ok, err := s.run(t.Context())
	require.NoError(t, err)
	require.True(t, ok, out.String())
	require.Contains(t, out.String(), "18 hold, 0 hold in part, 0 are for later, 0 failed")
}

func TestACaseThatGivesSomethingElseFails(t *testing.T) {
	for name, expectation := range map[string]string{
		"another answer": "01.json: 400 no_such_code\n02.json: 201\n---\n",
		"another graph":  "01.json: 201\n02.json: 201 duplicate\n---\nnothing",
		"no expectation": "",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(dir, "expect"), 0o700))
			if expectation != "" {
				right, err := os.ReadFile("testdata/expect/sent-twice.txt")
				require.NoError(t, err)
				if _, picture, _ := strings.Cut(string(right), answersEnd); !strings.HasSuffix(expectation, "nothing") {
					expectation += picture
				}
				require.NoError(t, os.WriteFile(filepath.Join(dir, "expect/sent-twice.txt"), []byte(expectation), 0o600))
			}
			s := &suite{sites: testSites{t}, documents: fixtures, expectations: os.DirFS(dir), patience: lookInterval}
			got, err := s.checkCase(t.Context(), "sent-twice")
			require.NoError(t, err)
			require.NotEmpty(t, got.problem)
		})
	}
}

func TestAReadablePasswordFails(t *testing.T) {
	open := &trial{instance: &instance{logs: &logs{}}}
	slog.New(slog.NewTextHandler(open.logs, nil)).Info("connecting to postgres://user:" + password + "@db")
	require.Equal(t, "the log of the server shows a password", open.leakOf(nil))
	require.Equal(t, "an answer shows a password", open.leakOf([]string{"ok", "no route to " + password}))
}

func TestScenariosThatDependOnOrderFail(t *testing.T) {
	same := arrival{picture: picture{edges: []string{"a -> b"}}, digest: "1"}
	require.Empty(t, disagreement([]arrival{same, same}))
	for want, other := range map[string]arrival{
		"refused 3.json: 400 x":              {refused: "3.json: 400 x", picture: same.picture, digest: "1"},
		"in reverse, it shows otherwise":     {picture: picture{edges: []string{"a -> c"}}, digest: "1"},
		"in reverse, the state digest":       {picture: same.picture, digest: "2"},
		"in reverse, something was left to ": {picture: same.picture, digest: "1", restless: true},
	} {
		require.Contains(t, disagreement([]arrival{same, other}), want)
	}
}

func TestAFolderThatMustBeWholeFailsWithARefusal(t *testing.T) {
	var out bytes.Buffer
	r := &report{out: &out, memory: watchMemory()}
	r.heading("folder", "documents", "accepted", "refused", "why")
	r.counted("events/x", counts{documents: 3, accepted: 1, refused: map[string]int{"a": 1, "b": 1}}, true)
	r.counted("invalid/x", counts{documents: 3, accepted: 1, refused: map[string]int{"a": 2}}, false)
	r.counted("invalid/y", counts{documents: 1, odd: []string{"1.json: 500 internal"}}, false)
	r.finish()
	require.Equal(t, 2, r.failed)
	require.Contains(t, out.String(), "1.json: 500 internal")
	require.Contains(t, out.String(), "1 a, 1 b")
}

// Spark's legacy form names every input field for every output field: sixteen megabytes of it are one edge at the
// level of tables and one for each input field, and may not take a multiple of that in memory for each step on the way.
func TestSixteenMegabytesOfColumnLineageAreTakenInBoundedMemory(t *testing.T) {
	const columns = 330
	var fields []string
	for to := range columns {
		var inputs []string
		for from := range columns {
			inputs = append(inputs, fmt.Sprintf(`{"namespace":"postgres://db:5432","name":"big.s.src","field":"c%d",`+
				`"transformations":[{"type":"INDIRECT","subtype":"JOIN","description":"","masking":false}]}`, from))
		}
		fields = append(fields, fmt.Sprintf(`"c%d":{"inputFields":[%s]}`, to, strings.Join(inputs, ",")))
	}
	document := `{"eventType":"COMPLETE","eventTime":"2026-07-19T06:00:00Z","run":{"runId":"21a6d3d3-dee8-5140-872a-a8d27bd63947"},` +
		`"job":{"namespace":"etl","name":"wide"},"inputs":[{"namespace":"postgres://db:5432","name":"big.s.src"}],` +
		`"outputs":[{"namespace":"postgres://db:5432","name":"big.s.dst","facets":{"columnLineage":{"fields":{` + strings.Join(fields, ",") + `}}}}]}`
	require.Greater(t, len(document), 16<<20)

	watched := watchMemory()
	sent, err := try(t.Context(), testSites{t}, nil, []file{{"wide.json", []byte(document)}})
	require.NoError(t, err)
	drawn, err := sent.awaitRest(t.Context(), patience)
	require.NoError(t, err)
	require.NoError(t, sent.close())
	require.Equal(t, []int{http.StatusCreated}, sent.statuses)
	want := []string{"postgres://db:5432 big.s.src -> postgres://db:5432 big.s.dst by etl wide, column lineage"}
	for from := range fieldsOfOne {
		want = append(want, fmt.Sprintf("postgres://db:5432 big.s.src c%d -> postgres://db:5432 big.s.dst by etl wide, column lineage, indirect JOIN", from))
	}
	require.Equal(t, want, drawn.edges)
	peak := watched.stop()
	t.Logf("the heap had %d MiB at most, with a document of %d", peak>>20, len(document)>>20)
	require.Less(t, peak, uint64(memoryLimit))
}
