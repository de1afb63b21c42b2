package e2e

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

func TestOutputIsRolledBackAndCommittedAgainByTheTimesOfTheMarkers(t *testing.T) {
	t.Parallel()
	g := newGated("rolled back twice", "mart.twice")
	g.tell(t, lineage.Complete, 10, "raw")
	g.becomes(t, lineage.Published)
	g.mark(t, rolledBack, "", 20)
	g.becomes(t, lineage.RolledBack)
	g.mark(t, committed, "", 25)
	g.becomes(t, lineage.Published)
	requireSources(t, g.output, "raw")
	g.mark(t, rolledBack, "", 22) // late: before the commit
	g.mark(t, rolledBack, "", 30)
	g.mark(t, committed, "", 30) // at the same time
	run := g.becomes(t, lineage.RolledBack)
	decisions := run.GetOutputs()[0].GetDecisions()
	require.Equal(t, g.at(30).UnixMicro(), decisions[len(decisions)-1].GetUntil().AsTime().UnixMicro())
	g.mark(t, validated, "", 30)
	within(t, patience, func() error {
		if run := g.becomes(t, lineage.RolledBack); len(run.GetMarkers()) != 6 {
			return fmt.Errorf("it has %d markers", len(run.GetMarkers()))
		}
		return nil
	})
	g.mark(t, validated, "", 31)
	g.becomes(t, lineage.Published)
}

func TestTimeoutCountsForTheEndThatItWasCountedFrom(t *testing.T) {
	g := newGated("timed out", "brief.end")
	g.tell(t, lineage.Start, 0, "raw")
	g.tell(t, lineage.Complete, 10, "raw")
	run := g.becomes(t, lineage.Suspect)
	timeout := run.GetEvents()[len(run.GetEvents())-1]
	_, err := headwater.Command(t.Context(), "withdraw", "event", timeout.GetProducer(), timeout.GetEventId(), "--reason", "no")
	require.ErrorContains(t, err, "answer the gate")

	end := run.GetEvents()[1]
	g.withdraw(t, end)
	run = g.becomes(t, lineage.Pending)
	require.Equal(t, headwaterv1.RunState_RUN_STATE_STARTED, run.GetState())
	g.tell(t, lineage.Complete, 30, "raw")
	within(t, patience, func() error {
		run := g.becomes(t, lineage.Suspect)
		timeouts := 0
		for _, e := range run.GetEvents() {
			if e.GetEventType() == "GateTimedOut" {
				timeouts++
			}
		}
		if timeouts != 2 {
			return fmt.Errorf("%d timeouts", timeouts)
		}
		return nil
	})
}

func TestTimeoutCountsForPoliciesThatWaitNoLonger(t *testing.T) {
	g := newGated("timed out by policy", "brief.policies")
	began := time.Now()
	g.tell(t, lineage.Complete, 10, "raw")
	g.becomes(t, lineage.Suspect)
	g.ended(t)
	restore := hide(t, strings.Replace(gateRules, `"wait": "2s"`, `"wait": "90m"`, 1))
	within(t, patience, func() error {
		reweigh(t, `{"runId": %q}`, g.run)
		if g.is(t) != lineage.Pending {
			return errors.New("its timeout counts still")
		}
		return nil
	})
	decisions := g.becomes(t, lineage.Pending).GetOutputs()[0].GetDecisions()
	require.WithinRange(t, decisions[len(decisions)-1].GetDeadline().AsTime(), began.Add(90*time.Minute), time.Now().Add(90*time.Minute))
	restore()
	within(t, patience, func() error {
		reweigh(t, `{"runId": %q}`, g.run)
		if g.is(t) != lineage.Suspect {
			return errors.New("its timeout does not count")
		}
		return nil
	})
}

func TestRunLosesAndRegainsWhatIsWithdrawn(t *testing.T) {
	t.Parallel()
	g := newGated("withdrawn bit by bit", "checked.withdrawals")
	g.tell(t, lineage.Start, 0, "raw")
	g.tell(t, lineage.Complete, 10, "raw")
	g.mark(t, passed, "quality", 12)
	run := g.becomes(t, lineage.Published)
	find := func(kind string) *headwaterv1.RunEvent {
		i := slices.IndexFunc(run.GetEvents(), func(e *headwaterv1.RunEvent) bool { return e.GetEventType() == kind })
		require.GreaterOrEqual(t, i, 0, kind)
		return run.GetEvents()[i]
	}
	quality, start, end := find("QualityResult"), find("START"), find("COMPLETE")
	g.withdraw(t, quality)
	g.becomes(t, lineage.Pending)
	headwaterSays(t, "withdraw", "event", quality.GetProducer(), quality.GetEventId(), "--undo", "--reason", "it was right")
	g.becomes(t, lineage.Published)
	g.withdraw(t, start)
	within(t, patience, func() error {
		if !g.becomes(t, lineage.Published).GetMissingStart() {
			return errors.New("it has its start")
		}
		return nil
	})
	g.withdraw(t, end)
	g.withdraw(t, quality)
	within(t, patience, func() error {
		run, err := headwater.reader.run(t, g.run)
		if err == nil && (len(run.GetOutputs()) != 0 || run.GetState() != headwaterv1.RunState_RUN_STATE_UNKNOWN) {
			return fmt.Errorf("it is %v with %d outputs", run.GetState(), len(run.GetOutputs()))
		}
		return err
	})
	g.ended(t)
	headwaterSays(t, "withdraw", "event", end.GetProducer(), end.GetEventId(), "--undo", "--reason", "it was right")
	g.becomesDecided(t, lineage.Pending)
	g.mark(t, passed, "quality", 13)
	g.becomes(t, lineage.Published)
}

func TestStreamThatIsCheckedAndCommittedWithoutPauseIsPublished(t *testing.T) {
	t.Parallel()
	g := newGated("checked stream", "live.clicks")
	headwater.producer.send(t, event{
		kind: lineage.Running, at: g.at(0), run: g.run, namespace: gatedNamespace, job: g.job,
		inputs: []string{"raw"}, outputs: []string{g.output}, streaming: true,
	})
	g.becomes(t, lineage.Pending)
	within(t, patience, func() error {
		for range 5 {
			g.began = g.began.Add(time.Second)
			g.mark(t, passed, "quality", 0)
			g.mark(t, committed, "", 1)
		}
		if got := g.is(t); got != lineage.Published {
			return fmt.Errorf("it is %s", got)
		}
		return nil
	})
}

func TestOutputsOfOneRunWaitEachForItsOwnGates(t *testing.T) {
	t.Parallel()
	g := newGated("two gates", "checked.two")
	other := *g
	other.output = "brief.two"
	third := *g
	third.output = "mart.two"
	g.reports(t, "COMPLETE", g.time(10), `{"namespace": "e2e-gates", "name": "raw"}`, g.dataset(`"facets": {}`)+","+other.dataset(`"facets": {}`))
	of := func(want ...string) *headwaterv1.Run {
		var run *headwaterv1.Run
		within(t, patience, func() error {
			var err error
			if run, err = headwater.reader.run(t, g.run); err != nil {
				return err
			}
			var got []string
			for _, o := range run.GetOutputs() {
				got = append(got, o.GetDataset().GetName()+" "+lineage.Publication(o.GetPublication()).String())
			}
			if !slices.Equal(got, want) {
				return fmt.Errorf("%v", got)
			}
			return nil
		})
		return run
	}
	of("brief.two suspect", "checked.two pending")
	g.reports(t, "START", g.time(0), "", third.dataset(`"facets": {}`)) // a late START names one more
	of("brief.two suspect", "checked.two pending", "mart.two published")
	g.mark(t, failedGate, "quality", 20)
	of("brief.two suspect", "checked.two rejected", "mart.two published")
	g.mark(t, passed, "quality", 30)
	of("brief.two suspect", "checked.two published", "mart.two published")
	g.tell(t, lineage.Abort, 40, "")
	run := of("brief.two diagnostic", "checked.two diagnostic", "mart.two diagnostic")
	require.True(t, run.GetDisputed())
	third.mark(t, committed, "", 41)
	of("brief.two diagnostic", "checked.two diagnostic", "mart.two suspect")
}

func TestMarkersBeforeTheStartAndFromSeveralPeople(t *testing.T) {
	t.Parallel()
	g := newGated("early markers", "checked.markers")
	g.mark(t, failedGate, "quality", 5)
	g.mark(t, passed, "quality", 6)
	nobody := *g
	nobody.output = "checked.never"
	nobody.mark(t, passed, "quality", 7)
	within(t, patience, func() error {
		run, err := headwater.reader.run(t, g.run)
		if err != nil {
			return err
		}
		if len(run.GetWarnings()) != 3 {
			return fmt.Errorf("warnings: %v", run.GetWarnings())
		}
		return nil
	})
	g.tell(t, lineage.Start, 0, "raw")
	g.tell(t, lineage.Complete, 10, "raw")
	run := g.becomes(t, lineage.Published)
	require.Len(t, run.GetWarnings(), 1)
	g.mark(t, failedGate, "quality", 20)
	g.becomes(t, lineage.Suspect)
	headwaterSays(t, "validate", g.run, gatedNamespace, g.output, "--reason", "looked at it")
	g.becomes(t, lineage.Published)
	headwaterSays(t, "validate", g.run, gatedNamespace, g.output, "--invalid", "--reason", "looked again")
	g.becomes(t, lineage.Suspect)
	_, err := headwater.reader.Ingest.SubmitMarkers(t.Context(), &headwaterv1.SubmitMarkersRequest{Markers: []*headwaterv1.Marker{{
		RunId: g.run, Job: &headwaterv1.Job{Namespace: gatedNamespace, Name: g.job},
		Output: &headwaterv1.Dataset{Namespace: gatedNamespace, Name: g.output}, Kind: validated,
	}}})
	require.Error(t, err)
}
