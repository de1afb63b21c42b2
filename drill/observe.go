package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/klauspost/compress/zstd"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/drill/oracle"
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/system"
	"github.com/headwater-data/headwater/lineage"
)

// observer looks at what a system holds, past the code that wrote it where it can: at the log and the projection in
// SQL, at runs as people see them.
type observer struct {
	system   *system.System
	database *pgxpool.Pool
}

const (
	headSQL = `SELECT last_offset FROM log_head`

	logSQL = `SELECT log_offset, received_at, payload, payload_bytes FROM event_log WHERE log_offset > $1 ORDER BY log_offset`

	// A run's event stands in the projection as a row of its run.
	projectionSQL = `SELECT log_offset, received_at FROM run_event JOIN projection USING (projection_id)
		WHERE status = 'active' AND log_offset > $1`

	archivedSQL = `SELECT coalesce(max(last_offset), 0) FROM archive_segment`

	// What the live projection and the workflows have still to do. Runs that await 1 are undecided, those that await 2 were
	// decided to wait for gates.
	backlogSQL = `SELECT last_offset - cursor_offset, cursor_offset - dispatch_offset,
		(SELECT count(*) FROM run WHERE run.projection_id = projection.projection_id AND awaits = 1)
		FROM projection, log_head, dispatch_cursor WHERE status = 'active'`

	waitingSQL = `SELECT count(*) FILTER (WHERE awaits = 1), count(*) FILTER (WHERE awaits = 2)
		FROM run JOIN projection USING (projection_id), dispatch_cursor
		WHERE status = 'active' AND awaits > 0 AND last_offset <= dispatch_offset AND job_namespace = $1`
)

// head is the last offset of the log.
func (o *observer) head(ctx context.Context) (offset int64, err error) {
	err = o.database.QueryRow(ctx, headSQL).Scan(&offset)
	return offset, err
}

// log returns the events of drills behind an offset, as one moment has them. Where offsets are missing it fails, and
// returns what there is.
func (o *observer) log(ctx context.Context, after int64) (map[string][]sighting, error) {
	events := map[string][]sighting{}
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, o.database, options, func(tx pgx.Tx) error {
		var head int64
		if err := tx.QueryRow(ctx, headSQL).Scan(&head); err != nil {
			return err
		}
		rows, _ := tx.Query(ctx, logSQL, after) // readLog reports the error
		last, err := readLog(rows, after, events)
		if err == nil && last != head {
			err = fmt.Errorf("it ends at offset %d, its head says %d", last, head)
		}
		return err
	})
	if err != nil {
		return events, fmt.Errorf("read the log: %w", err)
	}
	return events, nil
}

// readLog adds the events of drills to events and returns the last offset. It fails when one does not follow the other.
func readLog(rows pgx.Rows, last int64, events map[string][]sighting) (int64, error) {
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		return last, err
	}
	defer decoder.Close()
	var (
		s          sighting
		compressed []byte
		size       int
		gaps       error
	)
	_, err = pgx.ForEachRow(rows, []any{&s.offset, &s.received, &compressed, &size}, func() error {
		if s.offset != last+1 {
			gaps = errors.Join(gaps, fmt.Errorf("offset %d follows offset %d", s.offset, last))
		}
		last = s.offset
		payload, err := decoder.DecodeAll(compressed, make([]byte, 0, size))
		if err != nil {
			return fmt.Errorf("payload at offset %d: %w", s.offset, err)
		}
		if id := idOf(payload); id != "" {
			events[id] = append(events[id], s)
		}
		return nil
	})
	return last, errors.Join(gaps, err)
}

// archive returns the events of drills behind an offset, from the bucket alone.
func (o *observer) archive(ctx context.Context, after int64) (map[string][]sighting, error) {
	opened, err := archive.Open(ctx, o.system.Archive())
	if err != nil {
		return nil, err
	}
	events := map[string][]sighting{}
	for entry, err := range opened.Entries(ctx, lineage.Offset(after)) {
		if err != nil {
			return nil, fmt.Errorf("read the archive: %w", err)
		}
		if id := idOf(entry.Payload); id != "" {
			events[id] = append(events[id], sighting{int64(entry.Offset), entry.ReceivedAt})
		}
	}
	return events, nil
}

// projection returns the events that the active projection has of the runs of a drill, by the place that each has in
// the log.
func (o *observer) projection(ctx context.Context, after int64, log map[string][]sighting) (map[string][]sighting, error) {
	idAt := map[int64]string{}
	for id, copies := range log {
		for _, s := range copies {
			idAt[s.offset] = id
		}
	}
	events := map[string][]sighting{}
	rows, _ := o.database.Query(ctx, projectionSQL, after) // ForEachRow reports the error
	var s sighting
	_, err := pgx.ForEachRow(rows, []any{&s.offset, &s.received}, func() error {
		events[idAt[s.offset]] = append(events[idAt[s.offset]], s)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the projection: %w", err)
	}
	return events, nil
}

// fate is what people are told of a run.
func (o *observer) fate(ctx context.Context, r *run) (oracle.Fate, error) {
	response, err := o.system.Reader.Runs.GetRun(ctx, &headwaterv1.GetRunRequest{RunId: r.id})
	if err != nil {
		return oracle.Fate{}, err
	}
	got := oracle.Fate{
		State:    strings.TrimPrefix(response.GetRun().GetState().String(), "RUN_STATE_"),
		Disputed: response.GetRun().GetDisputed(),
	}
	if outputs := response.GetRun().GetOutputs(); len(outputs) == 1 && outputs[0].GetDataset().GetName() == r.output {
		got.Publication = strings.ToLower(strings.TrimPrefix(outputs[0].GetPublication().String(), "PUBLICATION_"))
	}
	return got, nil
}

// backlog is what the system has still to do.
type backlog struct {
	unfolded, undispatched, undecided int64
}

func (o *observer) backlog(ctx context.Context) (b backlog, err error) {
	err = o.database.QueryRow(ctx, backlogSQL).Scan(&b.unfolded, &b.undispatched, &b.undecided)
	return b, err
}

// waiting counts the ended runs of a drill whose workflow was told of all that came: those that it has not decided, and
// those that it has wait for gates.
func (o *observer) waiting(ctx context.Context, namespace string) (undecided, gated int, err error) {
	err = o.database.QueryRow(ctx, waitingSQL, namespace).Scan(&undecided, &gated)
	return undecided, gated, err
}

// archived is the offset up to which the log is archived.
func (o *observer) archived(ctx context.Context) (offset int64, err error) {
	err = o.database.QueryRow(ctx, archivedSQL).Scan(&offset)
	return offset, err
}
