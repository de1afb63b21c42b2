package system

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/headwater-data/headwater/internal/stack"
)

func (s *System) postgreSQL(port int) launch {
	return func(ctx context.Context) (*stack.Process, error) {
		pg, err := stack.StartPostgreSQL(ctx, stack.PostgreSQLConfig{
			Dir: s.dir("postgresql"), Port: port, Volatile: s.config.Volatile,
		})
		if err != nil {
			return nil, err
		}
		s.databaseURL.set(pg.URL(database))
		return pg.Process, orStop(pg.Process, pg.CreateDatabase(ctx, database))
	}
}

func (s *System) s3(port int) launch {
	return func(ctx context.Context) (*stack.Process, error) {
		binary, err := s.tool("versitygw")
		if err != nil {
			return nil, err
		}
		s3, err := stack.StartS3(ctx, stack.S3Config{
			Binary: binary, Dir: s.dir("s3"), Port: port, AccessKey: accessKey, SecretKey: secretKey,
		})
		if err != nil {
			return nil, err
		}
		s.s3Endpoint.set(s3.Endpoint())
		return s3.Process, orStop(s3.Process, s3.CreateBucket(ctx, bucket))
	}
}

func (s *System) temporal(port int) launch {
	return func(ctx context.Context) (*stack.Process, error) {
		binary, err := s.tool("temporal")
		if err != nil {
			return nil, err
		}
		temporal, err := stack.StartTemporal(ctx, stack.TemporalConfig{Binary: binary, Dir: s.dir("temporal"), Port: port})
		if err != nil {
			return nil, err
		}
		s.temporalAddress.set(temporal.HostPort())
		return temporal.Process, nil
	}
}

// WipeTemporal deletes all that Temporal remembers. Temporal must not be running.
func (s *System) WipeTemporal() error {
	files, err := filepath.Glob(filepath.Join(s.dir("temporal"), "temporal.db*"))
	for _, file := range files {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// orStop stops a process that cannot be used.
func orStop(process *stack.Process, err error) error {
	if err != nil {
		process.Stop()
	}
	return err
}
