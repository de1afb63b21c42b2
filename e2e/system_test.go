package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/headwater-data/headwater/internal/stack"
)

// headwater is the whole of Headwater with the services that it stands on.
type headwater struct {
	dir string

	postgresql *stack.PostgreSQL
	s3         *stack.S3
	temporal   *stack.Temporal
	gateway    *part
	worker     *part

	// policies is the directory of the policy set in use.
	policies string

	admin, reader, producer caller
}

const (
	bucket    = "archive"
	accessKey = "headwater-e2e"
	secretKey = "headwater-e2e-secret" //nolint:gosec // guards nothing but the bucket of this test
	database  = "headwater"
	// producerName is in the log as the producer of what [headwater.producer] sends.
	producerName = "e2e"
)

// repository is where this package's tests run from, seen from their directory.
const repository = ".."

func tool(name string) (string, error) {
	path, err := filepath.Abs(filepath.Join(repository, ".bin", name))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%w: run `make e2e`, which builds it first", err)
	}
	return path, nil
}

// start starts everything; what was started is stopped by stop, also after an error.
func (h *headwater) start(ctx context.Context) error {
	if err := os.Chmod(h.dir, 0o755); err != nil { // PostgreSQL runs as another user when tests run as root
		return err
	}
	for _, start := range []func(context.Context) error{
		h.startPostgreSQL, h.startS3, h.startTemporal, h.copyPolicies, h.migrate, h.register, h.startParts,
	} {
		if err := start(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (h *headwater) startPostgreSQL(ctx context.Context) (err error) {
	h.postgresql, err = stack.StartPostgreSQL(ctx, stack.PostgreSQLConfig{Dir: filepath.Join(h.dir, "postgresql"), Volatile: true})
	if err != nil {
		return err
	}
	return h.postgresql.CreateDatabase(ctx, database)
}

func (h *headwater) startS3(ctx context.Context) error {
	binary, err := tool("versitygw")
	if err != nil {
		return err
	}
	h.s3, err = stack.StartS3(ctx, stack.S3Config{
		Binary: binary, Dir: filepath.Join(h.dir, "s3"), AccessKey: accessKey, SecretKey: secretKey,
	})
	if err != nil {
		return err
	}
	return h.s3.CreateBucket(ctx, bucket)
}

func (h *headwater) startTemporal(ctx context.Context) error {
	binary, err := tool("temporal")
	if err != nil {
		return err
	}
	h.temporal, err = stack.StartTemporal(ctx, stack.TemporalConfig{Binary: binary, Dir: filepath.Join(h.dir, "temporal")})
	return err
}

// copyPolicies gives the system a policy set that a test may edit.
func (h *headwater) copyPolicies(context.Context) error {
	h.policies = filepath.Join(h.dir, "policies")
	return os.CopyFS(h.policies, os.DirFS(filepath.Join(repository, "policies")))
}

func (h *headwater) migrate(ctx context.Context) error {
	_, err := h.command(ctx, "migrate")
	return err
}

// register makes one principal of each kind that the tests act as.
func (h *headwater) register(ctx context.Context) error {
	port, err := stack.FreePort()
	if err != nil {
		return err
	}
	url := fmt.Sprintf("http://127.0.0.1:%d", port)
	for _, principal := range []struct {
		caller  *caller
		command []string
	}{
		{&h.admin, []string{"user", "add", "operator", "--role", "admin"}},
		{&h.reader, []string{"user", "add", "engineer", "--role", "reader"}},
		{&h.producer, []string{"producer", "add", producerName, "--namespace", "*"}},
	} {
		token, err := h.command(ctx, principal.command...)
		if err != nil {
			return err
		}
		*principal.caller = newCaller(url, strings.TrimSpace(token))
	}
	h.gateway = h.part("gateway", port)
	return nil
}

func (h *headwater) startParts(ctx context.Context) error {
	port, err := stack.FreePort()
	if err != nil {
		return err
	}
	h.worker = h.part("worker", port)
	for _, part := range []*part{h.gateway, h.worker} {
		if err := part.start(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (h *headwater) part(name string, port int) *part {
	address := fmt.Sprintf("127.0.0.1:%d", port)
	return &part{
		name: name, address: address, log: filepath.Join(h.dir, name+".log"),
		env: append(h.environment(), "HEADWATER_LISTEN="+address),
	}
}

// environment configures every command for this system, in the way that docs/deploy.md describes.
func (h *headwater) environment() []string {
	return []string{
		"HEADWATER_DATABASE_URL=" + h.postgresql.URL(database),
		"HEADWATER_TEMPORAL_ADDRESS=" + h.temporal.HostPort(),
		"HEADWATER_S3_ENDPOINT=" + h.s3.Endpoint(),
		"HEADWATER_S3_ACCESS_KEY=" + accessKey,
		"HEADWATER_S3_SECRET_KEY=" + secretKey,
		"HEADWATER_S3_BUCKET=" + bucket,
		"HEADWATER_POLICIES=" + h.policies,
	}
}

// command runs the binary to its end and returns what it prints.
func (h *headwater) command(ctx context.Context, args ...string) (string, error) {
	binary, err := tool("headwater")
	if err != nil {
		return "", err
	}
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, binary, args...)
	command.Env = append(os.Environ(), h.environment()...)
	if h.gateway != nil {
		command.Env = append(command.Env, "HEADWATER_SERVER="+h.admin.url, "HEADWATER_TOKEN="+h.admin.token)
	}
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("headwater %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String(), nil
}

// stop ends what was started, the last one first. A second call does nothing.
func (h *headwater) stop() {
	var started []interface{ Stop() }
	if h.postgresql != nil {
		started = append(started, h.postgresql)
	}
	if h.s3 != nil {
		started = append(started, h.s3)
	}
	if h.temporal != nil {
		started = append(started, h.temporal)
	}
	for _, part := range []*part{h.gateway, h.worker} {
		if part != nil && part.process != nil {
			started = append(started, part.process)
		}
	}
	for _, process := range slices.Backward(started) {
		process.Stop()
	}
}
