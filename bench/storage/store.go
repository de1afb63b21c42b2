package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/seed"
	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// batch is how many entries are appended and folded at once, segment how many one object of the archive holds.
const (
	batch   = 500
	segment = 10_000
)

// store takes a span of the company's day through the log into the projection and the archive.
func (b *bench) store(ctx context.Context) (err error) {
	log := eventlog.New(b.pool, eventlog.Options{})
	committing := make(chan error, 1)
	go func() { committing <- log.Run(ctx) }()
	defer func() {
		log.Close()
		err = errors.Join(err, <-committing)
	}()
	projections := projection.NewStore(b.pool)
	active, err := projections.Active(ctx)
	if err != nil {
		return err
	}
	from := company.Begin.Add(3 * 24 * time.Hour)
	var records []eventlog.Record
	flush := func() error {
		after := b.stored.events + b.stored.decisions - int64(len(records))
		if _, err := log.Append(ctx, records...); err != nil {
			return fmt.Errorf("append: %w", err)
		}
		entries, err := log.Read(ctx, lineage.Offset(after), len(records), 1<<30)
		if err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
		records = nil
		return projections.Apply(ctx, active.ID, entries)
	}
	for entry := range seed.Events(b.company, from, from.Add(b.span), b.bytes) {
		b.count(entry)
		records = append(records, recordOf(entry))
		if len(records) == batch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if len(records) > 0 {
		if err := flush(); err != nil {
			return err
		}
	}
	return b.archiveAll(ctx, log)
}

func (b *bench) count(entry lineage.Entry) {
	if entry.Format == lineage.FormatPlatform {
		b.stored.decisions++
		return
	}
	b.stored.events++
	b.stored.payload += int64(len(entry.Payload))
}

func recordOf(entry lineage.Entry) eventlog.Record {
	return eventlog.Record{
		Producer: entry.Producer, EventID: entry.EventID, Format: entry.Format, RunKey: entry.Run,
		ContentHash: entry.Content, Payload: entry.Payload,
	}
}

func (b *bench) archiveAll(ctx context.Context, log *eventlog.Log) error {
	for after := lineage.Offset(0); ; {
		entries, err := log.Read(ctx, after, segment, 1<<30)
		if err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
		if len(entries) == 0 {
			return nil
		}
		written, err := b.archive.WriteSegment(ctx, entries)
		if err != nil {
			return fmt.Errorf("write a segment: %w", err)
		}
		b.archived += written.Bytes
		after = written.LastOffset
	}
}
