package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/internal/stack"
)

// devCommand runs the services that Headwater stands on, the gateway and the worker, and sends the demo.
type devCommand struct {
	Dir   string `default:".dev" placeholder:"DIR" help:"Where data and logs live. A second start finds them again."`
	Tools string `placeholder:"DIR" help:"Where temporal and versitygw are. The default is the directory of this binary."`

	Port           int `default:"8080" help:"Port of the gateway."`
	WorkerPort     int `default:"8081" help:"Port of the worker's health and metrics."`
	TemporalPort   int `default:"7233" help:"Port of Temporal."`
	TemporalUIPort int `default:"8233" help:"Port of Temporal's web UI."`
	S3Port         int `name:"s3-port" default:"9000" help:"Port of the S3 server."`
	PostgreSQLPort int `name:"postgresql-port" default:"5433" help:"Port of PostgreSQL."`
}

// Help is shown by --help.
func (*devCommand) Help() string {
	return `Ctrl-C stops everything. "make dev" builds what it needs first. For example, beside another one:

  headwater dev --dir .dev2 --port 8090 --worker-port 8091 --temporal-port 7243 \
    --temporal-ui-port 8243 --s3-port 9010 --postgresql-port 5443`
}

// Run returns nil when it was interrupted; by then every child has ended.
func (c *devCommand) Run(interrupted context.Context) error {
	unlock, err := stack.Lock(c.Dir)
	if errors.Is(err, stack.ErrLocked) {
		return fmt.Errorf("%w: is another `headwater dev` running? Stop it, or choose another directory with --dir", err)
	}
	if err != nil {
		return err
	}
	defer unlock()
	if err := c.checkPorts(); err != nil {
		return err
	}
	err = c.run(interrupted)
	if interrupted.Err() != nil {
		fmt.Println("everything has stopped")
		return nil
	}
	return err
}

func (c *devCommand) run(ctx context.Context) error {
	services, err := c.startServices(ctx)
	defer services.stop()
	if err != nil {
		return err
	}
	parts, err := c.parts(services)
	if err != nil {
		return err
	}
	fmt.Println("starting gateway and worker")
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return services.watch(ctx) })
	for _, part := range parts {
		group.Go(func() error { return part.keepRunning(ctx) })
	}
	group.Go(func() error { return c.welcome(ctx, services, parts) })
	return group.Wait()
}

// checkPorts names every port that is taken and the flag that changes it.
func (c *devCommand) checkPorts() error {
	var errs []error
	for _, listener := range []struct {
		flag string
		port int
	}{
		{"--port", c.Port},
		{"--worker-port", c.WorkerPort},
		{"--temporal-port", c.TemporalPort},
		{"--temporal-ui-port", c.TemporalUIPort},
		{"--s3-port", c.S3Port},
		{"--postgresql-port", c.PostgreSQLPort},
	} {
		if err := stack.CheckPort(listener.port); err != nil {
			errs = append(errs, fmt.Errorf("%w; free it, or choose another with %s", err, listener.flag))
		}
	}
	return errors.Join(errs...)
}

// tool returns the path of a program that `make tools` builds.
func (c *devCommand) tool(name string) (string, error) {
	dir := c.Tools
	if dir == "" {
		self, err := os.Executable()
		if err != nil {
			return "", err
		}
		dir = filepath.Dir(self)
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%w: run `make tools`, or say where it is with --tools", err)
	}
	return path, nil
}

func loopback(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }
