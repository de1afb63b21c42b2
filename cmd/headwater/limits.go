package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/headwater-data/headwater/gateway"
	"github.com/headwater-data/headwater/lineage"
)

// limitFlags bound what the gateway takes. Their defaults are those of gateway.DefaultLimits.
type limitFlags struct {
	BodyBytes           int64         `default:"33554432" help:"Bytes of a request's body, as sent and after decompression."`
	BatchEvents         int           `default:"1000" help:"Events in one request."`
	Depth               int           `default:"512" help:"Levels to which an event may nest objects and arrays."`
	NameBytes           int           `default:"8192" help:"Bytes of a namespace or name."`
	RunIDBytes          int           `name:"run-id-bytes" default:"512" help:"Bytes of a run id."`
	Datasets            int           `default:"20000" help:"Inputs of one event, and outputs."`
	IdempotencyKeyBytes int           `default:"512" help:"Bytes of an Idempotency-Key."`
	InFlight            int           `default:"256" help:"Requests that one principal may have under way."`
	InFlightBytes       int64         `default:"134217728" help:"Bytes of bodies that all principals together may have under way, and one principal half of it. At least four times --limit-body-bytes."`
	DatabaseBytes       int64         `default:"0" help:"Bytes of the database at which events are turned away with 503 until there is room; 0 means never. Leave room for PostgreSQL's own log and for decisions."`
	HeaderBytes         int           `default:"65536" help:"Bytes of a request's headers."`
	AppendTime          time.Duration `default:"4s" help:"Time for a commit, after which the caller is asked to send again."`
	ReadTime            time.Duration `default:"60s" help:"Time for reading a request."`
	WriteTime           time.Duration `default:"120s" help:"Time for reading a request and answering it."`
	IdleTime            time.Duration `default:"120s" help:"Time that a connection may idle between requests."`
}

// maxRunIDBytes is what a question may name. A run id that is much longer does not fit into an index of PostgreSQL
// either, and an event with such a one would stop the projector.
const maxRunIDBytes = 512

// limits names every flag that is out of bounds.
func (f limitFlags) limits() (gateway.Limits, error) {
	var errs []error
	for _, flag := range []struct {
		name  string
		value int64
	}{
		{"body-bytes", f.BodyBytes},
		{"batch-events", int64(f.BatchEvents)},
		{"depth", int64(f.Depth)},
		{"name-bytes", int64(f.NameBytes)},
		{"run-id-bytes", int64(f.RunIDBytes)},
		{"datasets", int64(f.Datasets)},
		{"idempotency-key-bytes", int64(f.IdempotencyKeyBytes)},
		{"in-flight", int64(f.InFlight)},
		{"in-flight-bytes", f.InFlightBytes},
		{"header-bytes", int64(f.HeaderBytes)},
		{"append-time", int64(f.AppendTime)},
		{"read-time", int64(f.ReadTime)},
		{"write-time", int64(f.WriteTime)},
		{"idle-time", int64(f.IdleTime)},
	} {
		if flag.value <= 0 {
			errs = append(errs, fmt.Errorf("--limit-%s must be greater than 0", flag.name))
		}
	}
	if f.InFlightBytes > 0 && f.InFlightBytes < 4*f.BodyBytes {
		errs = append(errs, fmt.Errorf("--limit-in-flight-bytes must be %d or more, four times --limit-body-bytes", 4*f.BodyBytes))
	}
	if f.RunIDBytes > maxRunIDBytes {
		errs = append(errs, fmt.Errorf("--limit-run-id-bytes must be %d or less", maxRunIDBytes))
	}
	if f.DatabaseBytes < 0 {
		errs = append(errs, errors.New("--limit-database-bytes must be 0 or more"))
	}
	return gateway.Limits{
		BodyBytes:           f.BodyBytes,
		BatchEvents:         f.BatchEvents,
		IdempotencyKeyBytes: f.IdempotencyKeyBytes,
		InFlight:            f.InFlight,
		InFlightBytes:       f.InFlightBytes,
		HeaderBytes:         f.HeaderBytes,
		AppendTime:          f.AppendTime,
		ReadTime:            f.ReadTime,
		WriteTime:           f.WriteTime,
		IdleTime:            f.IdleTime,
		Event: lineage.Limits{
			Depth:      f.Depth,
			NameBytes:  f.NameBytes,
			RunIDBytes: f.RunIDBytes,
			Datasets:   f.Datasets,
		},
	}, errors.Join(errs...)
}
