package load

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/headwater-data/headwater/bench/report"
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

// Run asks for a run as a reader does.
func (r *Rig) Run(ctx context.Context, run int) (*headwaterv1.GetRunResponse, error) {
	job := r.Corpus.jobOf(run)
	return r.System.Reader.Runs.GetRun(ctx, &headwaterv1.GetRunRequest{
		RunId: r.Corpus.runID(run), Job: &headwaterv1.Job{Namespace: job.Namespace, Name: job.Name},
	})
}

// sighting is how far GetRun saw at a moment. What an answer says of its position holds for every run.
type sighting struct {
	at     time.Time
	offset lineage.Offset
}

const watchInterval = 20 * time.Millisecond

// Watch sees how far GetRun sees, again and again, until the returned function is called. That gives how long after its
// acknowledgement each of some events was first seen, and how many were not.
func (r *Rig) Watch(ctx context.Context) (stop func([]Acknowledgement) (latencies report.Latencies, unseen int)) {
	var sightings []sighting
	look := func() {
		if answered, err := r.Run(ctx, r.canary); err == nil {
			sightings = append(sightings, sighting{time.Now(), lineage.Offset(answered.GetProjection().GetPosition().GetOffset())})
		}
	}
	watched, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		for watched.Err() == nil {
			look()
			wait(watched, watchInterval)
		}
	})
	return func(acknowledged []Acknowledgement) (report.Latencies, int) {
		cancel()
		watching.Wait()
		look()
		return visibility(acknowledged, sightings)
	}
}

func visibility(acknowledged []Acknowledgement, sightings []sighting) (latencies report.Latencies, unseen int) {
	for _, a := range acknowledged {
		first, _ := slices.BinarySearchFunc(sightings, a.Offset, func(s sighting, offset lineage.Offset) int { return int(s.offset - offset) })
		if first == len(sightings) {
			unseen++
			continue
		}
		latencies = append(latencies, max(sightings[first].at.Sub(a.at), 0))
	}
	return latencies, unseen
}

// awaitSeen waits until GetRun sees as far as the offset.
func (r *Rig) awaitSeen(ctx context.Context, run int, offset lineage.Offset, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var last error
	for ctx.Err() == nil {
		answered, err := r.Run(ctx, run)
		seen := lineage.Offset(answered.GetProjection().GetPosition().GetOffset())
		if err == nil && seen >= offset {
			return nil
		}
		last = fmt.Errorf("the projection stands at offset %d of %d (%w)", seen, offset, err)
		wait(ctx, watchInterval)
	}
	return last
}

const publishedInterval = 25 * time.Millisecond

// awaitPublished waits until the run's output is published, and tells when that was seen.
func (r *Rig) awaitPublished(ctx context.Context, run int, limit time.Duration) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for ctx.Err() == nil {
		answered, err := r.Run(ctx, run)
		outputs := answered.GetRun().GetOutputs()
		if err == nil && len(outputs) == 1 && outputs[0].GetPublication() == headwaterv1.Publication_PUBLICATION_PUBLISHED {
			return time.Now(), nil
		}
		wait(ctx, publishedInterval)
	}
	return time.Time{}, fmt.Errorf("run %s is not published within %v", r.Corpus.runID(run), limit)
}
