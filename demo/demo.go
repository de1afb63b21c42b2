package demo

import (
	"slices"
	"time"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

// MainOutput is the dashboard that everything leads to.
var MainOutput = salesOverview.DatasetID

// MainSource is the table that most of it comes from.
var MainSource = orders.DatasetID

// Depth is how many hops lie between MainOutput and the sources farthest from it.
const Depth = 4

// Event is one event of the demo, as the tool that sends it writes it. Exactly one of the two is set.
type Event struct {
	// At is when what it tells of happened.
	At time.Time
	// OpenLineage is a document for the OpenLineage endpoint.
	OpenLineage []byte
	// Envelope is an event for IngestService.
	Envelope *headwaterv1.Event
}

// Night is when the last night's pipeline was done: a base time for [Events] that holds for a day.
func Night(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour) }

// Events gives the events of the hour before base, in the order in which they happened. The same base gives the same
// events, byte for byte; another one gives other runs of the same jobs.
func Events(base time.Time) []Event {
	n := newNight(base)
	events := slices.Concat(
		n.renaming(),
		n.streaming(),
		n.ingestion(),
		n.transformation(),
		n.scripts(),
		n.dashboard(),
	)
	slices.SortStableFunc(events, func(a, b Event) int { return a.At.Compare(b.At) })
	return events
}

// night is one execution of the whole pipeline.
type night struct{ base time.Time }

func newNight(base time.Time) night { return night{base.UTC().Truncate(time.Second)} }

// before is a moment of the night.
func (n night) before(minutes int) time.Time {
	return n.base.Add(-time.Duration(minutes) * time.Minute)
}

// runID gives the run of a job its id, which looks like the version 8 UUID that it is.
func (n night) runID(job lineage.JobID, attempt string) string {
	hash := lineage.HashOf("demo", n.base.Format(time.RFC3339), job.Namespace, job.Name, attempt)
	hash[6] = hash[6]&0x0f | 0x80
	hash[8] = hash[8]&0x3f | 0x80
	digits := hash.String()
	return digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
}
