package worker

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// lockClass tells Headwater's advisory locks from those of others in the same database.
	lockClass int32 = 0x48574154
	// dispatcherLock is the lock of the dispatcher. That of a projector is the id of its projection, which is positive.
	dispatcherLock int32 = 0

	tryLock = `SELECT pg_try_advisory_lock($1, $2)`
)

const (
	// leadInterval is how often one who does not lead asks again, and one who leads makes sure that it still does.
	leadInterval = time.Second
	// lockTimeout bounds how long the database may take to answer on the connection that holds the lock.
	lockTimeout = 5 * time.Second
)

// lead does the work while it holds a lock that one worker at a time can hold; until then it waits. The lock goes with
// a connection of its own, and the work's context with the lock. This spares two workers the same work; that nothing
// is done twice is guaranteed by the cursors.
func lead(ctx context.Context, database *pgx.ConnConfig, lock int32, work func(context.Context) error) error {
	conn, err := pgx.ConnectConfig(ctx, database.Copy())
	if err != nil {
		return fmt.Errorf("connect for the lock: %w", err)
	}
	defer closeConn(ctx, conn)
	if err := awaitLock(ctx, conn, lock); err != nil {
		return err
	}
	working, stop := context.WithCancel(ctx)
	watched := make(chan error, 1)
	go func() {
		watched <- watchConn(working, conn)
		stop()
	}()
	err = work(working)
	stop()
	return cmp.Or(<-watched, err)
}

func awaitLock(ctx context.Context, conn *pgx.Conn, lock int32) error {
	for {
		var held bool
		if err := conn.QueryRow(ctx, tryLock, lockClass, lock).Scan(&held); err != nil {
			return fmt.Errorf("ask for the lock: %w", err)
		}
		if held {
			return nil
		}
		if err := pause(ctx, leadInterval); err != nil {
			return err
		}
	}
}

// watchConn returns nil when ctx ends, and an error when the connection is gone and the lock with it.
func watchConn(ctx context.Context, conn *pgx.Conn) error {
	for pause(ctx, leadInterval) == nil {
		ping, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockTimeout)
		err := conn.Ping(ping)
		cancel()
		if err != nil {
			return fmt.Errorf("the connection that held the lock is lost, another worker may lead now: %w", err)
		}
	}
	return nil
}

// closeConn gives the lock back.
func closeConn(ctx context.Context, conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockTimeout)
	defer cancel()
	_ = conn.Close(ctx) // the lock goes with the connection, however that ends
}
