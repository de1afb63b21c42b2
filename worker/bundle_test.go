package worker_test

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/worker"
)

const (
	patience = 2 * time.Minute // enough for a machine with much else to do
	interval = 20 * time.Millisecond
)

// bundle is a worker's surroundings: real services, each with a piece of its own.
type bundle struct {
	t           *testing.T
	database    *pgxpool.Pool
	log         *eventlog.Log // the gateway's
	projections *projection.Store
	catalogue   *archive.Catalogue
	options     client.Options
	s3          testenv.S3Config
	policies    fs.FS
	lateness    time.Duration
}

func setup(t *testing.T) *bundle {
	t.Helper()
	t.Parallel()
	database := testenv.Database(t)
	hostPort, namespace := testenv.Temporal(t)
	b := &bundle{
		t: t, database: database, s3: testenv.S3(t),
		log:         eventlog.New(database, eventlog.Options{CommitTimeout: patience}),
		projections: projection.NewStore(database),
		catalogue:   archive.NewCatalogue(database),
		options:     client.Options{HostPort: hostPort, Namespace: namespace, Logger: log.NewStructuredLogger(quiet())},
		policies:    policies.Files,
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

// start runs a worker until stop is called or the test ends. It returns the address of health and metrics.
func (b *bundle) start() (address string, stop func()) {
	b.t.Helper()
	engine, err := policy.Load(b.t.Context(), policy.Config{Default: b.policies, Log: quiet()})
	require.NoError(b.t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- worker.Run(ctx, worker.Config{
			Database: b.database, Policies: engine, ArchiveInterval: time.Second, Lateness: b.lateness, Temporal: b.options, Listener: listener,
			OpenArchive: func(ctx context.Context) (*archive.Archive, error) {
				return archive.Open(ctx, archive.Config{
					Endpoint: b.s3.Endpoint, Bucket: b.s3.Bucket, AccessKey: b.s3.AccessKey, SecretKey: b.s3.SecretKey, Logger: quiet(),
				})
			},
			Metrics: prometheus.NewRegistry(), Logger: quiet(),
		})
	}()
	stopped := false
	stop = func() {
		cancel()
		if !stopped {
			stopped = true
			require.NoError(b.t, <-ended)
		}
	}
	b.t.Cleanup(stop)
	return listener.Addr().String(), stop
}

// temporal is a client of the worker's Temporal namespace.
func (b *bundle) temporal() client.Client {
	b.t.Helper()
	c, err := client.DialContext(b.t.Context(), b.options)
	require.NoError(b.t, err)
	b.t.Cleanup(c.Close)
	return c
}

// run names a run of job daily_orders.
func run(id string) lineage.RunKey {
	return lineage.RunKey{Job: lineage.JobID{Namespace: "spark-prod", Name: "daily_orders"}, RunID: id}
}

// send appends an OpenLineage event of a run as the gateway does.
func (b *bundle) send(key lineage.RunKey, eventType lineage.EventType, eventTime time.Time, mode lineage.ProcessingMode) {
	b.t.Helper()
	payload := fmt.Sprintf(`{"eventType":%q,"eventTime":%q,"run":{"runId":%q},
		"job":{"namespace":%q,"name":%q,"facets":{"jobType":{"_producer":"x:y","_schemaURL":"x:y","processingType":%q,"integration":"SPARK"}}},
		"inputs":[{"namespace":"warehouse","name":"raw.orders"}],"outputs":[{"namespace":"warehouse","name":"mart.daily_orders"}],
		"producer":"https://example.com/test"}`,
		eventType, eventTime.Format(time.RFC3339Nano), key.RunID, key.Job.Namespace, key.Job.Name, mode)
	content, err := lineage.ContentHash([]byte(payload))
	require.NoError(b.t, err)
	b.append(eventlog.Record{
		Producer: "spark", EventID: lineage.DerivedEventID(content), Format: lineage.FormatOpenLineage,
		RunKey: key.Hash(), ContentHash: content, Payload: []byte(payload),
	})
}

func (b *bundle) append(records ...eventlog.Record) {
	b.t.Helper()
	results, err := b.log.Append(b.t.Context(), records...)
	require.NoError(b.t, err)
	for _, result := range results {
		require.NoError(b.t, result.Err)
	}
}

var morning = time.Date(2026, 7, 19, 6, 0, 0, 0, time.UTC)

// complete sends the start and the end of a batch run.
func (b *bundle) complete(key lineage.RunKey) {
	b.t.Helper()
	b.send(key, lineage.Start, morning, lineage.Batch)
	b.send(key, lineage.Complete, morning.Add(time.Minute), lineage.Batch)
}

// awaitRun waits until the active projection shows a run as the condition wants it.
func (b *bundle) awaitRun(key lineage.RunKey, reached func(projection.StoredRun) bool) projection.StoredRun {
	b.t.Helper()
	return b.awaitRunWithin(patience, key, reached)
}

func (b *bundle) awaitRunWithin(limit time.Duration, key lineage.RunKey, reached func(projection.StoredRun) bool) projection.StoredRun {
	b.t.Helper()
	var stored projection.StoredRun
	require.Eventually(b.t, func() bool {
		var err error
		stored, err = b.projections.Run(b.t.Context(), key.Hash())
		return err == nil && reached(stored)
	}, limit, interval)
	return stored
}

func published(stored projection.StoredRun) bool {
	return stored.Outputs[0].Publication == lineage.Published
}

// entries reads the whole log.
func (b *bundle) entries() []lineage.Entry {
	b.t.Helper()
	entries, err := b.log.Read(b.t.Context(), 0, 10_000, 1<<30)
	require.NoError(b.t, err)
	return entries
}

// get asks the worker's listener and decodes the answer.
func get(t *testing.T, address, path string) (status int, body map[string]any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+path, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	require.NoError(t, json.UnmarshalRead(response.Body, &body))
	return response.StatusCode, body
}

// scrape reads the worker's metrics.
func scrape(t *testing.T, address string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/metrics", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(text)
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }
