package system

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/headwater-data/headwater/internal/stack"
)

// readyTimeout is how long a gateway or a worker may take to be ready after its start.
const readyTimeout = time.Minute

// headwater launches a part of the real binary.
func (s *System) headwater(command, logFile string, port int) launch {
	return func(ctx context.Context) (*stack.Process, error) {
		binary, err := s.tool("headwater")
		if err != nil {
			return nil, err
		}
		log, err := stack.OpenLog(logFile)
		if err != nil {
			return nil, err
		}
		defer log.Close() // the child has its own
		env := append(s.environment(), "HEADWATER_LISTEN="+address(port))
		process, err := stack.Command{Name: command, Path: binary, Args: []string{command}, Env: env, Log: log}.Start()
		if err != nil {
			return nil, err
		}
		if err := awaitReady(ctx, process, address(port)); err != nil {
			process.Kill()
			return nil, stack.WithLog(err, logFile)
		}
		return process, nil
	}
}

// LogFile is what a part prints that is no service: gateway, worker or spare.
func (s *System) LogFile(part string) string { return s.dir(part + ".log") }

func awaitReady(ctx context.Context, process *stack.Process, address string) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := ready(ctx, address)
		if err == nil {
			return nil
		}
		select {
		case <-process.Done():
			return fmt.Errorf("it has ended: %w", process.Err())
		case <-ctx.Done():
			return fmt.Errorf("it is not ready: %w", err)
		case <-tick.C:
		}
	}
}

func ready(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("/readyz: %s", response.Status)
	}
	return nil
}

func (s *System) migrate(ctx context.Context) error {
	_, err := s.Command(ctx, "migrate")
	return err
}

// register makes one principal of each kind.
func (s *System) register(port int) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, principal := range []struct {
			caller  **Caller
			command []string
		}{
			{&s.Admin, []string{"user", "add", "operator", "--role", "admin"}},
			{&s.Reader, []string{"user", "add", "engineer", "--role", "reader"}},
			{&s.Producer, []string{"producer", "add", ProducerName, "--namespace", "*"}},
		} {
			token, err := s.Command(ctx, principal.command...)
			if err != nil {
				return err
			}
			*principal.caller = NewCaller("http://"+address(port), strings.TrimSpace(token))
		}
		return nil
	}
}

// Command runs the headwater command to its end, as Admin, and returns what it prints.
func (s *System) Command(ctx context.Context, args ...string) (string, error) {
	binary, err := s.tool("headwater")
	if err != nil {
		return "", err
	}
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, binary, args...)
	command.Env = append(os.Environ(), s.environment()...)
	if s.Admin != nil {
		command.Env = append(command.Env, "HEADWATER_SERVER="+s.Admin.URL, "HEADWATER_TOKEN="+s.Admin.Token)
	}
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("headwater %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String(), nil
}

// environment configures every command for this system.
func (s *System) environment() []string {
	return append([]string{
		"HEADWATER_DATABASE_URL=" + s.databaseURL.get(),
		"HEADWATER_TEMPORAL_ADDRESS=" + s.temporalAddress.get(),
		"HEADWATER_S3_ENDPOINT=" + s.s3Endpoint.get(),
		"HEADWATER_S3_ACCESS_KEY=" + accessKey,
		"HEADWATER_S3_SECRET_KEY=" + secretKey,
		"HEADWATER_S3_BUCKET=" + bucket,
		"HEADWATER_POLICIES=" + s.Policies(),
	}, s.config.Settings...)
}

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
