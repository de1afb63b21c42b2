package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/report"
	"github.com/headwater-data/headwater/internal/postgres"
	"github.com/headwater-data/headwater/internal/stack"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/migrations"
	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

// bench is one run of the benchmark, on a PostgreSQL of its own.
type bench struct {
	options
	*report.Report
	dir      string
	postgres *stack.PostgreSQL
	pool     *pgxpool.Pool
	store    *projection.Store
	policies *policy.Engine
	company  *company.Company
	random   *rand.Rand
	probes   report.Probes
	// weekEnds are the offsets at which the weeks of history end.
	weekEnds []lineage.Offset
	// now is the truth at the end of history.
	now *company.Graph

	checked int
	wrong   []error
}

const database = "headwater"

func prepare(ctx context.Context, o options, r *report.Report) (*bench, error) {
	invented, err := company.New(o.seed, o.size)
	if err != nil {
		return nil, err
	}
	b := &bench{options: o, Report: r, company: invented, random: rand.New(rand.NewPCG(o.seed, 1))}
	for _, step := range []func(context.Context) error{b.makeDir, b.writePolicies, b.startPostgreSQL, b.probe} {
		if err := step(ctx); err != nil {
			return nil, errors.Join(err, b.close(o.keep))
		}
	}
	return b, nil
}

func (b *bench) makeDir(context.Context) (err error) {
	if b.dir, err = os.MkdirTemp("", "headwater-traverse-"); err != nil {
		return err
	}
	return os.Chmod(b.dir, 0o755) // PostgreSQL runs as another user when this runs as root
}

// hiddenName is a rule that hides one source table in ten from every caller, so that visibility has something to do.
const hiddenName = "raw.table_*7"

// hides tells whether hiddenName matches a node.
func (b *bench) hides(node company.Node) bool {
	name := b.company.Name(node)
	return !node.Sink && name[:4] == "raw." && name[len(name)-1] == '7'
}

func (b *bench) policyDir() string { return filepath.Join(b.dir, "policies") }

func (b *bench) writePolicies(ctx context.Context) (err error) {
	if err := os.CopyFS(b.policyDir(), policies.Files); err != nil {
		return err
	}
	rule := fmt.Sprintf(`{"headwater": {"hidden": [{"namespace": %q, "name": %q}]}}`, company.DatasetNamespace, hiddenName)
	if err := os.WriteFile(filepath.Join(b.policyDir(), "data.json"), []byte(rule), 0o600); err != nil {
		return err
	}
	b.policies, err = policy.Load(ctx, policy.Config{Dir: b.policyDir(), Log: slog.New(slog.DiscardHandler)})
	return err
}

func (b *bench) startPostgreSQL(ctx context.Context) (err error) {
	if b.postgres, err = stack.StartPostgreSQL(ctx, stack.PostgreSQLConfig{Dir: filepath.Join(b.dir, "postgresql")}); err != nil {
		return err
	}
	if err := b.postgres.CreateDatabase(ctx, database); err != nil {
		return err
	}
	if err := b.connect(ctx); err != nil {
		return err
	}
	_, err = migrations.Up(ctx, b.pool)
	return err
}

// connect opens the pool as the gateway does.
func (b *bench) connect(ctx context.Context) (err error) {
	if b.pool, err = postgres.Open(ctx, b.postgres.URL(database)); err != nil {
		return err
	}
	b.store = projection.NewStore(b.pool)
	return nil
}

func (b *bench) probe(ctx context.Context) error {
	var version, buffers string
	if err := b.pool.QueryRow(ctx, `SELECT version(), current_setting('shared_buffers')`).Scan(&version, &buffers); err != nil {
		return err
	}
	b.Version("postgresql", fmt.Sprintf("%s, shared_buffers %s", version, buffers))
	_, probes, err := b.Probe(ctx, b.dir, b.pool)
	b.probes = probes
	return err
}

// close stops and removes what was started and made.
func (b *bench) close(keep bool) error {
	if b.pool != nil {
		b.pool.Close()
	}
	if b.postgres != nil {
		b.postgres.Stop()
	}
	if keep {
		b.Remark("the database is in %s", b.dir)
		return nil
	}
	return os.RemoveAll(b.dir)
}
