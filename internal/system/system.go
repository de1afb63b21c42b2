package system

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/internal/stack"
)

// Config says what a system is made of.
type Config struct {
	// Dir holds data and logs. It must exist, and be open to all users when this process is root, since PostgreSQL runs
	// as another one then.
	Dir string
	// Tools is the directory of the executables headwater, temporal and versitygw.
	Tools string
	// Policies is a policy set. The system works with a copy, which may be edited.
	Policies string
	// Volatile trades PostgreSQL's durability for speed: what is committed may be lost when it is killed.
	Volatile bool
	// Settings are further variables for gateway and worker, such as HEADWATER_ARCHIVE_INTERVAL=2s.
	Settings []string
}

// System is the whole of Headwater with the services that it stands on.
type System struct {
	PostgreSQL, S3, Temporal, Gateway, Worker *Part
	// Spare is a second worker. It is not started with the others.
	Spare *Part

	// Admin may do everything, Reader ask questions, Producer send events of any namespace.
	Admin, Reader, Producer *Caller

	config Config
	// Each is known once its service has started, and stays the same over later starts.
	databaseURL, s3Endpoint, temporalAddress known
}

// ProducerName is in the log as the producer of what [System.Producer] sends.
const ProducerName = "system"

const (
	database  = "headwater"
	bucket    = "archive"
	accessKey = "headwater-system"
	secretKey = "headwater-system-secret" //nolint:gosec // guards nothing but the bucket of this system
)

// Start starts everything and waits until it is ready. What it returns must be stopped, also after an error.
func Start(ctx context.Context, config Config) (*System, error) {
	s := &System{config: config}
	ports := make([]int, 6)
	for i := range ports {
		var err error
		if ports[i], err = stack.FreePort(); err != nil {
			return s, err
		}
	}
	s.PostgreSQL = &Part{name: "PostgreSQL", launch: s.postgreSQL(ports[0])}
	s.S3 = &Part{name: "S3", launch: s.s3(ports[1])}
	s.Temporal = &Part{name: "Temporal", launch: s.temporal(ports[2])}
	s.Gateway = &Part{name: "gateway", launch: s.headwater("gateway", s.LogFile("gateway"), ports[3])}
	s.Worker = &Part{name: "worker", launch: s.headwater("worker", s.LogFile("worker"), ports[4])}
	s.Spare = &Part{name: "spare worker", launch: s.headwater("worker", s.LogFile("spare"), ports[5])}
	for _, step := range []func(context.Context) error{
		s.PostgreSQL.Start, s.S3.Start, s.Temporal.Start, s.copyPolicies, s.migrate, s.register(ports[3]), s.Gateway.Start, s.Worker.Start,
	} {
		if err := step(ctx); err != nil {
			return s, fmt.Errorf("%w (logs are in %s)", err, config.Dir)
		}
	}
	return s, nil
}

// Parts are all parts but the spare, each after those that it stands on.
func (s *System) Parts() []*Part { return []*Part{s.PostgreSQL, s.S3, s.Temporal, s.Gateway, s.Worker} }

// Stop ends every part in order, the last one first. A second call does nothing.
func (s *System) Stop() {
	for _, part := range slices.Backward(append(s.Parts(), s.Spare)) {
		if part != nil {
			part.Stop()
		}
	}
}

// DatabaseURL is the address of the database, with the password of its superuser.
func (s *System) DatabaseURL() string { return s.databaseURL.get() }

// TemporalAddress is the host and port of Temporal's frontend. The namespace is the default one.
func (s *System) TemporalAddress() string { return s.temporalAddress.get() }

// Archive is how to open the archive.
func (s *System) Archive() archive.Config {
	return archive.Config{
		Endpoint: s.s3Endpoint.get(), Bucket: bucket, AccessKey: accessKey, SecretKey: secretKey,
		Logger: slog.New(slog.DiscardHandler), // the worker says what the server lacks
	}
}

// Policies is the directory of the policy set in use.
func (s *System) Policies() string { return s.dir("policies") }

func (s *System) dir(name string) string { return filepath.Join(s.config.Dir, name) }

func (s *System) copyPolicies(context.Context) error {
	return os.CopyFS(s.Policies(), os.DirFS(s.config.Policies))
}

func (s *System) tool(name string) (string, error) {
	path, err := filepath.Abs(filepath.Join(s.config.Tools, name))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%w: run `make build tools` first", err)
	}
	return path, nil
}

// known is an address that parts which start side by side may read while it is set once more.
type known struct{ value atomic.Value }

func (k *known) set(address string) { k.value.Store(address) }

func (k *known) get() string {
	address, _ := k.value.Load().(string)
	return address
}
