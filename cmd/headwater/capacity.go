package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/projection"
)

// capacityCommand measures what a running system takes in, and how long its disk lasts.
type capacityCommand struct {
	database
	Sample int64 `default:"100000" help:"Latest events that are measured; ${default} unless set."`
	Disk   int64 `placeholder:"BYTES" help:"Bytes that the database may take. The default is --limit-database-bytes."`
	JSON   bool  `help:"Print JSON."`

	BodyBytes     int64 `name:"limit-body-bytes" default:"33554432" help:"As the gateway has it."`
	DatabaseBytes int64 `name:"limit-database-bytes" default:"0" help:"As the gateway has it."`
}

// Help is shown by --help.
func (*capacityCommand) Help() string {
	return `For example, with 500 GB for the database:

  headwater capacity --disk 500000000000
  headwater capacity --json`
}

// Validate implements kong's check of a command line.
func (c *capacityCommand) Validate() error {
	if c.Sample < 1 {
		return errors.New("--sample must be greater than 0")
	}
	return nil
}

// capacity is what the command finds. Sizes are in bytes.
type capacity struct {
	Events         int64       `json:"events"`
	EventsPerDay   float64     `json:"eventsPerDay"`
	Payload        spread      `json:"payloadBytes"`
	Compression    float64     `json:"compression"` // stored bytes for each byte accepted
	EventsPerRun   spread      `json:"eventsPerRun"`
	Database       sizeOfParts `json:"databaseBytes"`
	BytesPerEvent  float64     `json:"bytesPerEvent,omitzero"` // on disk, with indexes and projections
	GrowthPerDay   float64     `json:"growthBytesPerDay,omitzero"`
	Disk           int64       `json:"diskBytes,omitzero"`
	DaysUntilFull  float64     `json:"daysUntilFull,omitzero"`
	LimitsToRevise []string    `json:"limitsToRevise"`
}

// spread is how a size is distributed in a sample.
type spread struct {
	Sampled   int64             `json:"sampled"`
	P50       int64             `json:"p50"`
	P95       int64             `json:"p95"`
	P99       int64             `json:"p99"`
	Largest   int64             `json:"largest"`
	Histogram []eventlog.Bucket `json:"histogram"`
}

type sizeOfParts struct {
	All  int64 `json:"all"`
	Log  int64 `json:"log"`
	Keys int64 `json:"keys"`
}

// Run measures, and prints figures, histograms and what to do.
func (c *capacityCommand) Run(ctx context.Context) error {
	pool, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer pool.Close()
	events, err := eventlog.New(pool, eventlog.Options{}).Sizes(ctx, c.Sample)
	if err != nil {
		return err
	}
	runs, err := projection.NewStore(pool).RunSizes(ctx, c.Sample)
	if err != nil {
		return err
	}
	found := c.weigh(events, runs)
	if c.JSON {
		return printJSON(found)
	}
	return found.print(os.Stdout)
}

// weigh derives growth and advice from what was measured.
func (c *capacityCommand) weigh(events eventlog.Sizes, runs projection.RunSizes) capacity {
	found := capacity{
		Events: events.Events, EventsPerDay: events.PerDay,
		Payload: spread{events.Sampled, events.P50, events.P95, events.P99, events.Largest, events.Histogram},
		EventsPerRun: spread{
			runs.Runs, runs.P50, runs.P95, runs.P99, runs.Largest, nil,
		},
		Database: sizeOfParts{events.DatabaseBytes, events.LogBytes, events.KeyBytes},
		Disk:     c.Disk,
	}
	for _, bucket := range runs.Histogram {
		found.EventsPerRun.Histogram = append(found.EventsPerRun.Histogram, eventlog.Bucket(bucket))
	}
	if events.Mean > 0 {
		found.Compression = events.CompressedMean / events.Mean
	}
	if events.Events >= enoughEvents {
		found.BytesPerEvent = float64(events.DatabaseBytes) / float64(events.Events)
	}
	found.GrowthPerDay = found.BytesPerEvent * events.PerDay
	if found.Disk == 0 {
		found.Disk = c.DatabaseBytes
	}
	if found.Disk > 0 && found.GrowthPerDay > 0 {
		found.DaysUntilFull = max(float64(found.Disk-events.DatabaseBytes), 0) / found.GrowthPerDay
	}
	found.LimitsToRevise = c.advise(found)
	return found
}

// enoughEvents are so many that the tables hold little beside them. Fewer do not tell what one takes.
const enoughEvents = 10_000

// What the scenario of docs/capacity.md and the workflows are made for.
const (
	scenarioEventsPerDay = 800_000
	longRunEvents        = 2000
	fullSoonDays         = 30
)

// advise names each limit that the figures come near, and what to do about it.
func (c *capacityCommand) advise(found capacity) []string {
	advice := []string{}
	add := func(when bool, format string, args ...any) {
		if when {
			advice = append(advice, fmt.Sprintf(format, args...))
		}
	}
	add(c.DatabaseBytes == 0,
		"--limit-database-bytes is not set, so events are taken until PostgreSQL itself finds its disk full: set it to four fifths of the disk or less")
	add(c.DatabaseBytes > 0 && c.Disk > 0 && float64(c.DatabaseBytes) > 0.9*float64(c.Disk),
		"--limit-database-bytes leaves less than 10%% of the disk for PostgreSQL's own log and for decisions: lower it")
	add(found.Payload.Largest > c.BodyBytes/2,
		"the largest event takes more than half of --limit-body-bytes: raise it, and --limit-in-flight-bytes to four times as much")
	add(found.EventsPerRun.Largest > longRunEvents,
		"a run has more than %d events, so its workflow begins anew now and then: see whether its producer reports progress more often than anybody reads it", longRunEvents)
	add(found.EventsPerDay > scenarioEventsPerDay,
		"more than %d events a day come: measure with `make bench-ingest FLAGS=\"-rate …\"` what the machine holds at your peak", scenarioEventsPerDay)
	add(found.DaysUntilFull > 0 && found.DaysUntilFull < fullSoonDays,
		"the disk is full in less than %d days: enlarge it", fullSoonDays)
	return advice
}
