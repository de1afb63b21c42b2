package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/headwater-data/headwater/internal/stack"
)

// devBucket holds the archive.
const devBucket = "headwater-archive"

// The S3 server listens on loopback only, where these keys keep out nobody but accidents.
const (
	devAccessKey = "headwater"
	devSecretKey = "headwater-dev" //nolint:gosec // not a secret, see above
)

// devServices are the private servers of `headwater dev`.
type devServices struct {
	databaseURL string
	s3Endpoint  string
	temporal    string // address

	running []*stack.Process // in the order of their start
}

// startServices starts one server after the other and brings the schema up to date. What it returns must be stopped,
// also after an error.
func (c *devCommand) startServices(ctx context.Context) (*devServices, error) {
	s := &devServices{}
	for _, start := range []func(context.Context, *devServices) error{c.startPostgreSQL, c.startS3, c.startTemporal} {
		if err := start(ctx, s); err != nil {
			return s, err
		}
	}
	migrate := migrateCommand{database{s.databaseURL}}
	return s, migrate.Run(ctx)
}

func (c *devCommand) startPostgreSQL(ctx context.Context, s *devServices) error {
	fmt.Println("starting PostgreSQL")
	const database = "headwater"
	pg, err := stack.StartPostgreSQL(ctx, stack.PostgreSQLConfig{Dir: filepath.Join(c.Dir, "postgresql"), Port: c.PostgreSQLPort})
	if err != nil {
		return err
	}
	s.running = append(s.running, pg.Process)
	s.databaseURL = pg.URL(database)
	return pg.CreateDatabase(ctx, database)
}

func (c *devCommand) startS3(ctx context.Context, s *devServices) error {
	fmt.Println("starting the S3 server")
	binary, err := c.tool("versitygw")
	if err != nil {
		return err
	}
	s3, err := stack.StartS3(ctx, stack.S3Config{
		Binary: binary, Dir: filepath.Join(c.Dir, "s3"), Port: c.S3Port,
		AccessKey: devAccessKey, SecretKey: devSecretKey,
	})
	if err != nil {
		return err
	}
	s.running = append(s.running, s3.Process)
	s.s3Endpoint = s3.Endpoint()
	return s3.CreateBucket(ctx, devBucket)
}

func (c *devCommand) startTemporal(ctx context.Context, s *devServices) error {
	fmt.Println("starting Temporal")
	binary, err := c.tool("temporal")
	if err != nil {
		return err
	}
	temporal, err := stack.StartTemporal(ctx, stack.TemporalConfig{
		Binary: binary, Dir: filepath.Join(c.Dir, "temporal"), Port: c.TemporalPort, UIPort: c.TemporalUIPort,
	})
	if err != nil {
		return err
	}
	s.running = append(s.running, temporal.Process)
	s.temporal = temporal.HostPort()
	return nil
}

// environment configures a gateway or a worker for these services.
func (s *devServices) environment() []string {
	return []string{
		"HEADWATER_DATABASE_URL=" + s.databaseURL,
		"HEADWATER_TEMPORAL_ADDRESS=" + s.temporal,
		"HEADWATER_TEMPORAL_NAMESPACE=default",
		"HEADWATER_S3_ENDPOINT=" + s.s3Endpoint,
		"HEADWATER_S3_ACCESS_KEY=" + devAccessKey,
		"HEADWATER_S3_SECRET_KEY=" + devSecretKey,
		"HEADWATER_S3_BUCKET=" + devBucket,
	}
}

// watch fails when one of the services ends by itself.
func (s *devServices) watch(ctx context.Context) error {
	ended := make(chan *stack.Process)
	for _, process := range s.running {
		go func() {
			select {
			case <-process.Done():
				select {
				case ended <- process:
				case <-ctx.Done():
				}
			case <-ctx.Done():
			}
		}()
	}
	select {
	case process := <-ended:
		return fmt.Errorf("%s has ended: %w", process.Name(), process.Err())
	case <-ctx.Done():
		return nil
	}
}

// stop ends what was started, the last one first.
func (s *devServices) stop() {
	for _, process := range slices.Backward(s.running) {
		process.Stop()
	}
}
