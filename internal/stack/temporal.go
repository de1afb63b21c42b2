package stack

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"

	"github.com/headwater-data/headwater/workflows/contract"
)

// TemporalConfig says where a private Temporal server lives.
type TemporalConfig struct {
	Binary string // of the temporal command
	Dir    string // its database and log; created when missing
	Port   int    // 0: any free port
	UIPort int    // 0: no web UI
}

// Temporal is a running development server. Its namespace is "default", where the search attributes of Headwater's
// workflows are registered.
type Temporal struct {
	*Process
	port, uiPort int
}

// StartTemporal starts the server on cfg.Dir and waits until it answers and knows the search attributes.
func StartTemporal(ctx context.Context, cfg TemporalConfig) (*Temporal, error) {
	temporal, err := startTemporal(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("Temporal: %w", err)
	}
	return temporal, nil
}

func startTemporal(ctx context.Context, cfg TemporalConfig) (*Temporal, error) {
	if err := os.MkdirAll(cfg.Dir, 0o755); err != nil {
		return nil, err
	}
	port, err := choosePort(cfg.Port)
	if err != nil {
		return nil, err
	}
	if cfg.UIPort != 0 {
		if err := CheckPort(cfg.UIPort); err != nil {
			return nil, err
		}
	}
	logPath := filepath.Join(cfg.Dir, "temporal.log")
	logFile, err := OpenLog(logPath)
	if err != nil {
		return nil, err
	}
	defer logFile.Close() // the child has its own

	process, err := Command{
		Name: "temporal", Path: cfg.Binary, Args: temporalArgs(cfg, port), Log: logFile,
		// Decisions may wait and acknowledgements may not, so on a small machine one processor is for the others. More
		// would not help: one transaction at a time writes to SQLite.
		Env: []string{"GOMAXPROCS=1"},
	}.Start()
	if err != nil {
		return nil, err
	}
	t := &Temporal{Process: process, port: port, uiPort: cfg.UIPort}
	if err := process.awaitReady(ctx, startupTimeout, t.ping); err != nil {
		t.Stop()
		return nil, WithLog(err, logPath)
	}
	return t, nil
}

// HostPort is the address of the gRPC frontend.
func (t *Temporal) HostPort() string { return address(t.port) }

func temporalArgs(cfg TemporalConfig, port int) []string {
	args := []string{
		"server", "start-dev", "--ip", loopback, "--port", strconv.Itoa(port),
		"--db-filename", filepath.Join(cfg.Dir, "temporal.db"), "--log-level", "warn",
		// With SQLite's defaults every step of a workflow rewrites a journal and waits for the disk, which takes three
		// times as much as the rest. Like this a crash of the machine, though not of the server, may lose the last steps;
		// runs are signalled again from the log.
		"--sqlite-pragma", "journal_mode=wal", "--sqlite-pragma", "synchronous=normal",
		// Tasks that are spread over partitions must be forwarded between them; one server has nothing to spread over.
		"--dynamic-config-value", "matching.numTaskqueueReadPartitions=1",
		"--dynamic-config-value", "matching.numTaskqueueWritePartitions=1",
	}
	if cfg.UIPort == 0 {
		args = append(args, "--headless")
	} else {
		args = append(args, "--ui-port", strconv.Itoa(cfg.UIPort))
	}
	return args
}

func (t *Temporal) ping(ctx context.Context) error {
	c, err := client.DialContext(ctx, client.Options{HostPort: t.HostPort(), Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler))})
	if err != nil {
		return err
	}
	defer c.Close()
	if err := registerSearchAttributes(ctx, c.OperatorService()); err != nil {
		return err
	}
	if t.uiPort == 0 {
		return nil
	}
	return get(ctx, "http://"+address(t.uiPort))
}

// registerSearchAttributes registers those that the server lacks, and fails until it knows them all. The server's own flag
// for them does nothing on a database that an earlier version made.
func registerSearchAttributes(ctx context.Context, operator operatorservice.OperatorServiceClient) error {
	known, err := operator.ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: client.DefaultNamespace})
	if err != nil {
		return err
	}
	missing := map[string]enums.IndexedValueType{}
	for _, attribute := range contract.SearchAttributes() {
		if _, isKnown := known.GetCustomAttributes()[attribute.GetName()]; !isKnown {
			missing[attribute.GetName()] = attribute.GetValueType()
		}
	}
	if len(missing) == 0 {
		return nil
	}
	_, err = operator.AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace: client.DefaultNamespace, SearchAttributes: missing,
	})
	return cmp.Or(err, fmt.Errorf("%d search attributes are not registered yet", len(missing)))
}

// get fails unless the URL answers 200.
func get(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s", url, response.Status)
	}
	return nil
}
