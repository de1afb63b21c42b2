package activities_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"

	"github.com/headwater-data/headwater/activities"
	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

// bundle is what activities work on. There is no worker: a test folds when it wants to.
type bundle struct {
	t           *testing.T
	env         *testsuite.TestActivityEnvironment
	database    *pgxpool.Pool
	log         *eventlog.Log
	projections *projection.Store
	quarantine  *eventlog.Quarantine
	catalogue   *archive.Catalogue
}

func setup(t *testing.T) *bundle {
	t.Helper()
	t.Parallel()
	database := testenv.Database(t)
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(quiet()))
	b := &bundle{
		t: t, env: suite.NewTestActivityEnvironment(), database: database,
		log:         eventlog.New(database, eventlog.Options{CommitTimeout: time.Minute}), // a busy machine is no failure
		projections: projection.NewStore(database),
		quarantine:  eventlog.NewQuarantine(database),
		catalogue:   archive.NewCatalogue(database),
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.log.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-done)
	})
	return b
}

// execute runs an activity as Temporal does.
func execute[Result any](b *bundle, activity any, args ...any) (Result, error) {
	b.t.Helper()
	b.env.RegisterActivity(activity)
	var result Result
	value, err := b.env.ExecuteActivity(activity, args...)
	if err == nil && value.HasValue() {
		require.NoError(b.t, value.Get(&result))
	}
	return result, err
}

// openArchive opens a bucket of the test's own.
func (b *bundle) openArchive() func(context.Context) (*archive.Archive, error) {
	b.t.Helper()
	s3 := testenv.S3(b.t)
	opened, err := archive.Open(b.t.Context(), archive.Config{
		Endpoint: s3.Endpoint, Bucket: s3.Bucket, AccessKey: s3.AccessKey, SecretKey: s3.SecretKey, Logger: quiet(),
	})
	require.NoError(b.t, err)
	return func(context.Context) (*archive.Archive, error) { return opened, nil }
}

// archiving writes into an archive.
func (b *bundle) archiving(opened func(context.Context) (*archive.Archive, error)) *activities.Archiving {
	return &activities.Archiving{Log: b.log, Quarantine: b.quarantine, Catalogue: b.catalogue, Archive: opened}
}

// defaultPolicies are those of the binary.
func defaultPolicies(t *testing.T) *policy.Engine {
	t.Helper()
	engine, err := policy.Load(t.Context(), policy.Config{Default: policies.Files, Log: quiet()})
	require.NoError(t, err)
	return engine
}

// gatedPolicies ask every output for a gate.
func gatedPolicies(t *testing.T, gate string) *policy.Engine {
	t.Helper()
	return publicationPolicies(t, `requirement := {"gates": ["`+gate+`"], "wait": "30m", "at_timeout": "suspect"}`)
}

// publicationPolicies are the default ones but for the rules of publication.
func publicationPolicies(t *testing.T, rules string) *policy.Engine {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{"authz.rego", "visibility.rego", "data.json"} {
		content, err := policies.Files.ReadFile(name)
		require.NoError(t, err)
		files[name] = &fstest.MapFile{Data: content}
	}
	files["publication.rego"] = &fstest.MapFile{Data: []byte("package headwater.publication\n\n" + rules + "\n")}
	engine, err := policy.Load(t.Context(), policy.Config{Default: files, Log: quiet()})
	require.NoError(t, err)
	return engine
}

var dailyOrders = lineage.RunKey{
	Job:   lineage.JobID{Namespace: "spark-prod", Name: "daily_orders"},
	RunID: "53ee3770-86fa-4cb9-8c31-a09072dd88f7",
}

var morning = time.Date(2026, 7, 19, 6, 0, 0, 0, time.UTC)

// send appends an event of a run with outputs mart.0, mart.1, …
func (b *bundle) send(run lineage.RunKey, eventType lineage.EventType, at time.Time, outputs int) {
	b.t.Helper()
	named := make([]string, outputs)
	for i := range outputs {
		named[i] = fmt.Sprintf(`{"namespace":"warehouse","name":"mart.%d"}`, i)
	}
	payload := fmt.Sprintf(`{"eventType":%q,"eventTime":%q,"run":{"runId":%q},"job":{"namespace":%q,"name":%q},
		"inputs":[{"namespace":"warehouse","name":"raw.orders"}],"outputs":[%s],"producer":"https://example.com/test"}`,
		eventType, at.Format(time.RFC3339), run.RunID, run.Job.Namespace, run.Job.Name, strings.Join(named, ","))
	content, err := lineage.ContentHash([]byte(payload))
	require.NoError(b.t, err)
	results, err := b.log.Append(b.t.Context(), eventlog.Record{
		Producer: "spark", EventID: lineage.DerivedEventID(content), Format: lineage.FormatOpenLineage,
		RunKey: run.Hash(), ContentHash: content, Payload: []byte(payload),
	})
	require.NoError(b.t, err)
	require.NoError(b.t, results[0].Err)
}

// fold brings the active projection to the end of the log.
func (b *bundle) fold() {
	b.t.Helper()
	active, err := b.projections.Active(b.t.Context())
	require.NoError(b.t, err)
	entries, err := b.log.Read(b.t.Context(), active.Cursor.Offset, 100_000, 1<<30)
	require.NoError(b.t, err)
	require.NoError(b.t, b.projections.Apply(b.t.Context(), active.ID, entries))
}

// head is the last offset of the log.
func (b *bundle) head() lineage.Offset {
	b.t.Helper()
	head, err := b.log.Head(b.t.Context())
	require.NoError(b.t, err)
	return head.Offset
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }
