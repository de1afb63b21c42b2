package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/bench/report"
	"github.com/headwater-data/headwater/internal/system"
	"github.com/headwater-data/headwater/lineage"
)

// Rig is a whole system under measurement.
type Rig struct {
	Dir    string
	System *system.System
	Pool   *pgxpool.Pool
	Corpus *Corpus
	Report *report.Report
	// Acknowledged are the events of all loads.
	Acknowledged []Acknowledgement

	sender  *sender
	serials serials
	probes  Probes
	// canary is a run that is there from the beginning.
	canary int
}

// start starts the whole system in a directory of its own, on a PostgreSQL that keeps what it commits, and has it fold a
// first event. What it returns must be stopped, also after an error.
func start(ctx context.Context, o Options, r *report.Report) (*Rig, error) {
	rig := &Rig{Report: r, Corpus: newCorpus(o.Seed, o.Size)}
	var err error
	if rig.Dir, err = os.MkdirTemp("", "headwater-bench-"); err != nil {
		return rig, err
	}
	if err := os.Chmod(rig.Dir, 0o755); err != nil { // PostgreSQL runs as another user when this runs as root
		return rig, err
	}
	rig.System, err = system.Start(ctx, system.Config{Dir: rig.Dir, Tools: o.Tools, Policies: o.Policies})
	if err != nil {
		return rig, err
	}
	if rig.Pool, err = pgxpool.New(ctx, rig.System.DatabaseURL()); err != nil {
		return rig, err
	}
	if rig.sender, err = newSender(ctx, rig.System, rig.Corpus); err != nil {
		return rig, err
	}
	if err := rig.describe(ctx); err != nil {
		return rig, err
	}
	first := newLedger()
	rig.canary = rig.Corpus.Event(0).Run
	rig.sender.sendInto(ctx, first, rig.serials.take(), time.Now())
	rig.Acknowledged = first.Acknowledged
	return rig, rig.CaughtUp(ctx, time.Minute)
}

func (r *Rig) describe(ctx context.Context) error {
	var version string
	if err := r.Pool.QueryRow(ctx, `SHOW server_version`).Scan(&version); err != nil {
		return err
	}
	r.Report.Version("PostgreSQL", version)
	r.Report.Size("bytes of an event", int64(len(r.Corpus.Event(0).Document)))
	r.Report.Size("producers", producers)
	r.Report.Size("jobs", jobs)
	r.Report.Size("events of a run", int64(EventsOfARun))
	return nil
}

// stop ends the system. Its data and logs are removed unless they are to be kept.
func (r *Rig) stop(keep bool) error {
	if r.Pool != nil {
		r.Pool.Close()
	}
	if r.System != nil {
		r.System.Stop()
	}
	if keep {
		fmt.Fprintln(os.Stderr, "logs and data are in", r.Dir)
		return nil
	}
	return os.RemoveAll(r.Dir)
}

// CaughtUp waits until the projection has folded everything that was acknowledged.
func (r *Rig) CaughtUp(ctx context.Context, limit time.Duration) error {
	var last lineage.Offset
	for _, a := range r.Acknowledged {
		last = max(last, a.Offset)
	}
	if last == 0 {
		return errors.New("nothing was acknowledged")
	}
	return r.awaitSeen(ctx, r.canary, last, limit)
}

// Outcome reports what was not acknowledged of a load, and keeps the rest for the ground truth.
func (r *Rig) Outcome(section report.Section, l *Ledger) {
	r.Acknowledged = append(r.Acknowledged, l.Acknowledged...)
	section.Note("turned away", float64(l.turnedAway()), "events")
	section.Note("without an answer", float64(l.failed), "events")
	for code, count := range l.refused {
		r.Report.Remark("%d turned away with %s", count, code)
	}
}

// wait returns after d, or when ctx ends.
func wait(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
