package gateway_test

import (
	"bytes"
	"context"
	"encoding/json/v2"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/gateway"
	"github.com/headwater-data/headwater/gateway/principal"
	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

// bundle is a gateway on a database of its own.
type bundle struct {
	pool        *pgxpool.Pool
	log         *eventlog.Log
	quarantine  *eventlog.Quarantine
	principals  *principal.Store
	projections *projection.Store
	url         string
	// stop begins the shutdown of the gateway.
	stop func()
	// http2 speaks HTTP/2 without TLS, which gRPC needs.
	http2 *http.Client
}

// patience is how long a test waits for what has to come: enough for a machine with much else to do.
const patience = time.Minute

// defaultPolicies are shared: to load a set takes a second, since its own tests run.
var defaultPolicies = sync.OnceValues(func() (*policy.Engine, error) {
	return policy.Load(context.Background(), policy.Config{Default: policies.Files, Log: slog.New(slog.DiscardHandler)})
})

// setup serves a gateway, in dev mode and with the default limits unless the test changes its configuration. Commits alone
// have more time than by default, so that no test fails because the machine stood still.
func setup(t testing.TB, change ...func(*gateway.Config)) *bundle {
	t.Helper()
	pool := testenv.Database(t)
	rules, err := defaultPolicies()
	require.NoError(t, err)
	config := gateway.Config{
		Log:         eventlog.New(pool, eventlog.Options{CommitTimeout: patience}),
		Quarantine:  eventlog.NewQuarantine(pool),
		Policy:      rules,
		Projections: projection.NewStore(pool),
		Principals:  principal.NewStore(pool),
		Limits:      gateway.DefaultLimits(),
		IDKey:       []byte("a key that only this test knows."),
		Logger:      slog.New(slog.DiscardHandler),
		Metrics:     prometheus.NewRegistry(),
		Dev:         true,
	}
	config.Limits.AppendTime = patience
	for _, apply := range change {
		apply(&config)
	}
	committing := make(chan error, 1)
	go func() { committing <- config.Log.Run(context.Background()) }()
	t.Cleanup(func() {
		config.Log.Close()
		require.NoError(t, <-committing)
	})
	server, err := gateway.New(config)
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	serving := make(chan error, 1)
	go func() { serving <- server.Run(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-serving)
	})
	return &bundle{
		pool:        pool,
		log:         config.Log,
		quarantine:  config.Quarantine,
		principals:  config.Principals,
		projections: config.Projections,
		url:         "http://" + listener.Addr().String(),
		stop:        stop,
		http2:       &http.Client{Transport: &http.Transport{Protocols: h2c()}},
	}
}

func h2c() *http.Protocols {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	return protocols
}

// holdLog keeps commits to the log waiting, and nothing else, until the transaction ends.
func (b *bundle) holdLog(t *testing.T) pgx.Tx {
	t.Helper()
	lock, err := b.pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = lock.Exec(t.Context(), "LOCK TABLE log_head IN EXCLUSIVE MODE")
	require.NoError(t, err)
	return lock
}

// sharing puts another gateway on this one's database.
func (b *bundle) sharing(config *gateway.Config) {
	config.Log = eventlog.New(b.pool, eventlog.Options{CommitTimeout: patience})
	config.Quarantine = b.quarantine
	config.Principals = b.principals
}

// hiding puts a rule of data.headwater.hidden into the policies.
func hiding(t *testing.T, rule string) func(*gateway.Config) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "policies")
	require.NoError(t, os.CopyFS(dir, policies.Files))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "data.json"), []byte(`{"headwater": {"hidden": [`+rule+`]}}`), 0o600))
	rules, err := policy.Load(t.Context(), policy.Config{Dir: dir, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	return func(config *gateway.Config) { config.Policy = rules }
}

// reply is an HTTP answer with its JSON body.
type reply struct {
	Status int
	Header http.Header
	Body   map[string]any
}

// post sends a body with headers given as name, value, name, value, …
func (b *bundle) post(t *testing.T, path string, body []byte, headers ...string) reply {
	t.Helper()
	return b.send(t, http.MethodPost, path, bytes.NewReader(body), headers...)
}

// send sends a body; one whose length net/http cannot tell goes out in chunks.
func (b *bundle) send(t *testing.T, method, path string, body io.Reader, headers ...string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, b.url+path, body)
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	answered, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	r := reply{Status: resp.StatusCode, Header: resp.Header}
	if len(answered) > 0 && answered[0] == '{' {
		require.NoError(t, json.Unmarshal(answered, &r.Body), string(answered))
	}
	return r
}

// entries reads the whole log.
func (b *bundle) entries(t *testing.T) []lineage.Entry {
	t.Helper()
	entries, err := b.log.Read(t.Context(), 0, 10_000, 1<<30)
	require.NoError(t, err)
	return entries
}

// refused reads the whole quarantine, latest first.
func (b *bundle) refused(t *testing.T) []eventlog.Quarantined {
	t.Helper()
	documents, err := b.quarantine.List(t.Context(), "", 0, 10_000)
	require.NoError(t, err)
	return documents
}

// token registers a producer for namespaces and returns the value of its Authorization header.
func (b *bundle) token(t testing.TB, name string, namespaces ...string) string {
	t.Helper()
	token, err := b.principals.Add(t.Context(), policy.Principal{Name: name, Kind: policy.Producer, Namespaces: namespaces})
	require.NoError(t, err)
	return "Bearer " + token.Reveal()
}

// runEvent is an OpenLineage event of a run of spark-prod's daily_orders.
func runEvent(eventType string) []byte {
	return []byte(`{"eventType":"` + eventType + `","eventTime":"2026-07-19T00:00:00.000Z",` +
		`"run":{"runId":"53ee3770-86fa-4cb9-8c31-a09072dd88f7"},"job":{"namespace":"spark-prod","name":"daily_orders"},` +
		`"inputs":[{"namespace":"warehouse","name":"raw.orders"}],"outputs":[{"namespace":"warehouse","name":"mart.daily_orders"}],` +
		`"producer":"https://example.com/spark","schemaURL":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"}`)
}

// payloadOf is what quarantine keeps under an id.
func (b *bundle) payloadOf(t *testing.T, id int64) []byte {
	t.Helper()
	document, err := b.quarantine.Get(t.Context(), eventlog.QuarantineID(id))
	require.NoError(t, err)
	return document.Payload
}
