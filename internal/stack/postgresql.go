package stack

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// PostgreSQLConfig says where a private PostgreSQL cluster lives.
type PostgreSQLConfig struct {
	Dir  string // its data, password and log; created when missing
	Port int    // 0: any free port
	// Volatile trades durability for speed: a crash of the machine may lose everything. For tests only.
	Volatile bool
}

// PostgreSQL is a running private cluster. Its superuser is named headwater.
type PostgreSQL struct {
	*Process
	port     int
	password string
}

const (
	superuser       = "headwater"
	startupTimeout  = 60 * time.Second
	maintenanceName = "postgres" // the database that initdb makes
)

// StartPostgreSQL starts the cluster in cfg.Dir and waits until it answers; it initialises the cluster the first time.
// The binaries are those on PATH, else the newest under /usr/lib/postgresql.
func StartPostgreSQL(ctx context.Context, cfg PostgreSQLConfig) (*PostgreSQL, error) {
	pg, err := startPostgreSQL(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL: %w", err)
	}
	return pg, nil
}

func startPostgreSQL(ctx context.Context, cfg PostgreSQLConfig) (*PostgreSQL, error) {
	bin, err := findPostgreSQL()
	if err != nil {
		return nil, err
	}
	c, err := prepareCluster(ctx, bin, cfg.Dir)
	if err != nil {
		return nil, err
	}
	wasKilled, err := c.releaseLock(ctx)
	if err != nil {
		return nil, err
	}
	port, err := choosePort(cfg.Port)
	if err != nil {
		return nil, err
	}
	server := Command{
		Name: "postgres", Path: filepath.Join(bin, "postgres"), Args: c.serverArgs(port, cfg.Volatile),
		// Both end open sessions instead of waiting for them. An orphan does not even write a checkpoint: the next
		// start recovers from the write-ahead log.
		StopSignal: syscall.SIGINT, OrphanSignal: syscall.SIGQUIT,
		account: c.account,
	}
	pg := &PostgreSQL{port: port, password: c.password}
	begun := time.Now()
	for {
		err := pg.launch(ctx, server, filepath.Join(c.dir, "postgresql.log"))
		// A killed server's workers take a moment to notice, and until then a new server refuses to start.
		if wasKilled && errors.Is(err, errEnded) && time.Since(begun) < stopTimeout {
			continue
		}
		return pg, err
	}
}

// launch starts the server and waits until it answers.
func (pg *PostgreSQL) launch(ctx context.Context, server Command, logPath string) error {
	log, err := OpenLog(logPath)
	if err != nil {
		return err
	}
	defer log.Close() // the child has its own
	server.Log = log
	if pg.Process, err = server.Start(); err != nil {
		return err
	}
	if err := pg.awaitReady(ctx, startupTimeout, pg.ping); err != nil {
		pg.Stop()
		return WithLog(err, logPath)
	}
	return nil
}

// URL returns the connection URL of a database of the cluster. It holds the password.
func (pg *PostgreSQL) URL(database string) string {
	return (&url.URL{
		Scheme: "postgres",
		User:   url.UserPassword(superuser, pg.password),
		Host:   address(pg.port),
		Path:   database,
	}).String()
}

// CreateDatabase creates an empty database unless it exists.
func (pg *PostgreSQL) CreateDatabase(ctx context.Context, name string) (err error) {
	conn, err := pgx.Connect(ctx, pg.URL(maintenanceName))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	var exists bool
	const query = `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`
	if err := conn.QueryRow(ctx, query, name).Scan(&exists); err != nil || exists {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize())
	return err
}

func (pg *PostgreSQL) ping(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, pg.URL(maintenanceName))
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}
