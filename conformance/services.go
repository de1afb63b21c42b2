package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/headwater-data/headwater/internal/stack"
	"github.com/headwater-data/headwater/migrations"
)

// siteMaker gives each case a site of its own.
type siteMaker interface {
	makeSite(ctx context.Context) (site, error)
}

// site is where a system can be built: an empty, migrated database and a Temporal namespace.
type site struct {
	databaseURL string
	temporal    client.Options
}

// services are the servers of a run of this command. What is on them ends with it.
type services struct {
	dir      string
	postgres *stack.PostgreSQL
	temporal *stack.Temporal
}

// template is the migrated database that others are copied from.
const template = "conformance"

// startServices starts PostgreSQL and Temporal, the executable of which is in toolsDir.
func startServices(ctx context.Context, toolsDir string) (*services, error) {
	dir, err := os.MkdirTemp("", "headwater-conformance-")
	if err != nil {
		return nil, err
	}
	s := &services{dir: dir}
	if err := s.start(ctx, toolsDir); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

func (s *services) start(ctx context.Context, toolsDir string) error {
	if err := os.Chmod(s.dir, 0o755); err != nil { // PostgreSQL runs as another user when this process is root
		return err
	}
	binary, err := filepath.Abs(filepath.Join(toolsDir, "temporal"))
	if err != nil {
		return err
	}
	if s.postgres, err = stack.StartPostgreSQL(ctx, stack.PostgreSQLConfig{Dir: filepath.Join(s.dir, "postgresql"), Volatile: true}); err != nil {
		return err
	}
	if s.temporal, err = stack.StartTemporal(ctx, stack.TemporalConfig{Binary: binary, Dir: filepath.Join(s.dir, "temporal")}); err != nil {
		return err
	}
	if err := s.postgres.CreateDatabase(ctx, template); err != nil {
		return err
	}
	pool, err := pgxpool.New(ctx, s.postgres.URL(template))
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = migrations.Up(ctx, pool)
	return err
}

func (s *services) stop() {
	if s.temporal != nil {
		s.temporal.Stop()
	}
	if s.postgres != nil {
		s.postgres.Stop()
	}
	_ = os.RemoveAll(s.dir) // a leftover of a temporary directory is the system's to remove
}

// makeSite implements siteMaker.
func (s *services) makeSite(ctx context.Context) (site, error) {
	name := "case_" + strings.ToLower(rand.Text())
	database, err := s.copyTemplate(ctx, name)
	if err != nil {
		return site{}, fmt.Errorf("make a database: %w", err)
	}
	options := client.Options{HostPort: s.temporal.HostPort(), Namespace: name, Logger: silent{}}
	namespaces, err := client.NewNamespaceClient(options)
	if err != nil {
		return site{}, err
	}
	defer namespaces.Close()
	err = namespaces.Register(ctx, &workflowservice.RegisterNamespaceRequest{
		Namespace: name, WorkflowExecutionRetentionPeriod: durationpb.New(24 * time.Hour),
	})
	if err != nil {
		return site{}, fmt.Errorf("make a Temporal namespace: %w", err)
	}
	return site{database, options}, nil
}

func (s *services) copyTemplate(ctx context.Context, name string) (string, error) {
	connection, err := pgx.Connect(ctx, s.postgres.URL("postgres"))
	if err != nil {
		return "", err
	}
	defer connection.Close(ctx) //nolint:errcheck // nothing is under way on it
	if _, err := connection.Exec(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template); err != nil {
		return "", err
	}
	address, err := url.Parse(s.postgres.URL(template))
	if err != nil {
		return "", err
	}
	address.Path = name
	return address.String(), nil
}

// silent keeps the Temporal SDK quiet: what matters comes back as an error.
type silent struct{}

func (silent) Debug(string, ...any) {}
func (silent) Info(string, ...any)  {}
func (silent) Warn(string, ...any)  {}
func (silent) Error(string, ...any) {}
