package testenv

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/stack"
	"github.com/headwater-data/headwater/migrations"
)

// postgres is a cluster whose superuser may do anything; its address is the URL of any database in it.
var postgres = server{
	variable: "HEADWATER_TEST_DATABASE_URL",
	start: func(ctx context.Context, dir string) (process, string, error) {
		pg, err := stack.StartPostgreSQL(ctx, stack.PostgreSQLConfig{Dir: dir, Volatile: true})
		if err != nil {
			return nil, "", err
		}
		return pg, pg.URL("postgres"), nil
	},
}

// Database returns a pool on a fresh, migrated database, which is dropped when the test ends. It costs about 50 ms: the
// database is a copy of a template. Its URL, for a process that the test starts, is pool.Config().ConnString().
func Database(t testing.TB) *pgxpool.Pool {
	t.Helper()
	ctx := context.Background() // the clean-up needs it too, when t.Context() is over
	serverURL := postgres.require(t)
	require.NoError(t, ensureTemplate(ctx, serverURL))

	name := "test_" + strings.ToLower(rand.Text())
	require.NoError(t, execute(ctx, serverURL, "CREATE DATABASE "+name+" TEMPLATE "+template))
	pool, err := pgxpool.New(ctx, databaseURL(serverURL, name))
	require.NoError(t, err)
	t.Cleanup(func() {
		pool.Close()
		require.NoError(t, execute(ctx, serverURL, "DROP DATABASE "+name+" WITH (FORCE)"))
	})
	return pool
}

// template is the migrated database that others are copied from. It is made under its draft name.
const (
	template      = "headwater_template"
	templateDraft = "headwater_template_draft"
)

var templateMutex sync.Mutex

// ensureTemplate makes the template unless it exists. Processes that share the cluster wait for each other.
func ensureTemplate(ctx context.Context, serverURL string) (err error) {
	templateMutex.Lock()
	defer templateMutex.Unlock()
	conn, err := pgx.Connect(ctx, serverURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtext($1))`, template); err != nil {
		return err
	}
	var exists bool
	const query = `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`
	if err := conn.QueryRow(ctx, query, template).Scan(&exists); err != nil || exists {
		return err
	}
	for _, statement := range []string{
		"DROP DATABASE IF EXISTS " + templateDraft, // of a process that was interrupted here
		"CREATE DATABASE " + templateDraft,
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	if err := migrate(ctx, databaseURL(serverURL, templateDraft)); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, fmt.Sprintf("ALTER DATABASE %s RENAME TO %s", templateDraft, template))
	return err
}

// migrate leaves no connection open: a database with connections can be neither renamed nor copied.
func migrate(ctx context.Context, url string) error {
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = migrations.Up(ctx, pool)
	return err
}

func execute(ctx context.Context, url, statement string) (err error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	_, err = conn.Exec(ctx, statement)
	return err
}

// databaseURL returns the URL of another database on the same server.
func databaseURL(serverURL, name string) string {
	parsed, err := url.Parse(serverURL)
	if err != nil {
		panic(err) // pgx has accepted it before
	}
	parsed.Path = name
	return parsed.String()
}
