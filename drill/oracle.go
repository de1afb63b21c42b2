package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// fate is where a run stands and what became of its output.
type fate struct {
	state       headwaterv1.RunState
	publication headwaterv1.Publication
}

// String names both.
func (f fate) String() string { return fmt.Sprintf("%s and its output %s", f.state, f.publication) }

// clockTolerance is how far ahead of its receipt an event counts, whatever its own clock says.
const clockTolerance = 5 * time.Minute

// implied says what the events of the run imply, by the rules that docs/lineage.md promises and by none of the code that
// is drilled. received tells when each event was received, with a zero time for one that never was.
func (r *run) implied(received func(eventID string) time.Time) fate {
	type ending struct {
		kind kind
		at   time.Time
	}
	var endings []ending
	state := headwaterv1.RunState_RUN_STATE_UNKNOWN
	for _, e := range r.events {
		if received(e.id).IsZero() {
			continue
		}
		switch e.kind {
		case start:
			state = max(state, headwaterv1.RunState_RUN_STATE_STARTED)
		case running:
			state = max(state, headwaterv1.RunState_RUN_STATE_RUNNING)
		case complete, fail, abort:
			at := e.at
			if latest := received(e.id).Add(clockTolerance); at.After(latest) {
				at = latest
			}
			endings = append(endings, ending{e.kind, at})
		case other: // adds evidence and changes nothing
		}
	}
	if len(endings) == 0 {
		if r.streaming {
			return fate{state, headwaterv1.Publication_PUBLICATION_PUBLISHED}
		}
		return fate{state, headwaterv1.Publication_PUBLICATION_PENDING}
	}
	severity := []kind{complete, abort, fail}
	last := slices.MaxFunc(endings, func(a, b ending) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(slices.Index(severity, a.kind), slices.Index(severity, b.kind)))
	})
	switch last.kind {
	case complete:
		return fate{headwaterv1.RunState_RUN_STATE_COMPLETED, headwaterv1.Publication_PUBLICATION_PUBLISHED}
	case fail:
		return fate{headwaterv1.RunState_RUN_STATE_FAILED, headwaterv1.Publication_PUBLICATION_DIAGNOSTIC}
	default:
		return fate{headwaterv1.RunState_RUN_STATE_ABORTED, headwaterv1.Publication_PUBLICATION_DIAGNOSTIC}
	}
}
