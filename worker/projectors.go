package worker

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/projection"
)

// rosterInterval is how often to look which projections follow the log.
const rosterInterval = 500 * time.Millisecond

// projectors keep each projection that follows the log up to date: the active one and those that catch up with it.
type projectors struct {
	database  *pgxpool.Pool
	store     *projection.Store
	projector *projector
	logger    *slog.Logger
}

// run starts and stops projectors as projections begin and cease to follow the log.
func (p *projectors) run(ctx context.Context) error {
	var running sync.WaitGroup
	defer running.Wait()
	following := map[projection.ID]context.CancelFunc{}
	defer func() {
		for _, stop := range following {
			stop()
		}
	}()
	for {
		roster, err := p.store.List(ctx)
		if err != nil {
			return err
		}
		for _, listed := range roster {
			follows := listed.Status == projection.Active || listed.Status == projection.CatchingUp
			stop, started := following[listed.ID]
			switch {
			case follows && !started:
				followed, stop := context.WithCancel(ctx)
				following[listed.ID] = stop
				running.Go(func() { p.keepFollowing(followed, listed) })
			case started && !follows:
				stop()
				delete(following, listed.ID)
			}
		}
		if err := pause(ctx, rosterInterval); err != nil {
			return err
		}
	}
}

func (p *projectors) keepFollowing(ctx context.Context, followed projection.Projection) {
	if followed.Resolver != projection.Resolver {
		p.logger.WarnContext(ctx, "an older or newer resolver built this projection: replay, so that all of it is of one",
			"projection", followed.Name, "built_by", followed.Resolver, "this", projection.Resolver)
	}
	supervise(ctx, p.logger, "projector of "+followed.Name, func(ctx context.Context) error {
		return lead(ctx, p.database.Config().ConnConfig, int32(followed.ID), func(ctx context.Context) error {
			p.logger.InfoContext(ctx, "following the log", "projection", followed.Name, "status", followed.Status)
			defer p.logger.InfoContext(ctx, "no longer following the log", "projection", followed.Name)
			return p.projector.follow(ctx, followed.Name)
		})
	})
}
