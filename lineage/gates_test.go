package lineage_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// marked is what a marker of orders says, by minutes after ten.
func marked(kind lineage.MarkerKind, minutes int, gate string) lineage.Contribution {
	c := said("", minutes, "", "")
	c.Key = lineage.HashOf(string(kind), gate, c.EventTime.Format(time.TimeOnly))
	c.Markers = []lineage.Marker{{Output: orders, Kind: kind, Gate: gate, EventTime: c.EventTime}}
	return c
}

// wrote is an event of a run that writes orders.
func wrote(eventType lineage.EventType, minutes int) lineage.Contribution {
	c := said(eventType, minutes, "", "")
	c.Outputs = []lineage.DatasetID{orders}
	return c
}

var (
	free         = lineage.Requirement{}
	onQuality    = lineage.Requirement{Gates: []string{"quality"}, Deadline: tenOClock.Add(40 * time.Minute), AtTimeout: lineage.Suspect}
	onCommit     = lineage.Requirement{Gates: []string{lineage.CommitGate}}
	onValidation = lineage.Requirement{Gates: []string{lineage.ValidationGate}}
	onBoth       = lineage.Requirement{Gates: []string{lineage.CommitGate, "quality"}}
)

func TestVerdictsOverEndsMarkersAndGates(t *testing.T) {
	complete, fail := wrote(lineage.Complete, 10), wrote(lineage.Fail, 10)
	for name, test := range map[string]struct {
		said     []lineage.Contribution
		requires lineage.Requirement
		want     lineage.Publication
	}{
		"complete":                                    {[]lineage.Contribution{complete}, free, lineage.Published},
		"fail":                                        {[]lineage.Contribution{fail}, free, lineage.Diagnostic},
		"under way, whatever was marked":              {[]lineage.Contribution{wrote(lineage.Running, 1), marked(lineage.Committed, 2, "")}, onCommit, lineage.Pending},
		"complete without the commit":                 {[]lineage.Contribution{complete}, onCommit, lineage.Pending},
		"complete and committed":                      {[]lineage.Contribution{complete, marked(lineage.Committed, 9, "")}, onCommit, lineage.Published},
		"complete, committed, unchecked":              {[]lineage.Contribution{complete, marked(lineage.Committed, 9, "")}, onBoth, lineage.Pending},
		"complete, committed, checked":                {[]lineage.Contribution{complete, marked(lineage.Committed, 9, ""), marked(lineage.Passed, 12, "quality")}, onBoth, lineage.Published},
		"the gate that is waited for failed":          {[]lineage.Contribution{complete, marked(lineage.Failed, 12, "quality")}, onQuality, lineage.Rejected},
		"it failed before the end":                    {[]lineage.Contribution{complete, marked(lineage.Failed, 3, "quality")}, onQuality, lineage.Rejected},
		"it failed, then passed":                      {[]lineage.Contribution{complete, marked(lineage.Failed, 12, "quality"), marked(lineage.Passed, 14, "quality")}, onQuality, lineage.Published},
		"it passed, then failed":                      {[]lineage.Contribution{complete, marked(lineage.Passed, 12, "quality"), marked(lineage.Failed, 14, "quality")}, onQuality, lineage.Suspect},
		"a gate failed that nobody waits for":         {[]lineage.Contribution{complete, marked(lineage.Failed, 12, "freshness")}, free, lineage.Suspect},
		"it passed at last":                           {[]lineage.Contribution{complete, marked(lineage.Failed, 12, "freshness"), marked(lineage.Passed, 13, "freshness")}, free, lineage.Published},
		"time is up":                                  {[]lineage.Contribution{complete, marked(lineage.TimedOut, 70, "")}, onQuality, lineage.Suspect},
		"the answer came after time was up":           {[]lineage.Contribution{complete, marked(lineage.TimedOut, 70, ""), marked(lineage.Passed, 90, "quality")}, onQuality, lineage.Published},
		"it failed after time was up":                 {[]lineage.Contribution{complete, marked(lineage.TimedOut, 70, ""), marked(lineage.Failed, 90, "quality")}, onQuality, lineage.Rejected},
		"time was up under policies that waited less": {[]lineage.Contribution{complete, marked(lineage.TimedOut, 30, "")}, onQuality, lineage.Pending},
		"time was up, and now it is waited for ever":  {[]lineage.Contribution{complete, marked(lineage.TimedOut, 70, "")}, onCommit, lineage.Pending},
		"failed after its commit":                     {[]lineage.Contribution{fail, marked(lineage.Committed, 5, "")}, onBoth, lineage.Suspect},
		"failed, committed, validated":                {[]lineage.Contribution{fail, marked(lineage.Committed, 5, ""), marked(lineage.Validated, 20, "")}, free, lineage.Published},
		"failed, committed, validated, taken back":    {[]lineage.Contribution{fail, marked(lineage.Committed, 5, ""), marked(lineage.Validated, 20, ""), marked(lineage.Invalidated, 21, "")}, free, lineage.Suspect},
		"failed, committed, rolled back":              {[]lineage.Contribution{fail, marked(lineage.Committed, 5, ""), marked(lineage.RolledBackMarker, 20, "")}, free, lineage.RolledBack},
		"rolled back, then committed again":           {[]lineage.Contribution{complete, marked(lineage.RolledBackMarker, 20, ""), marked(lineage.Committed, 25, "")}, free, lineage.Published},
		"validated in spite of a failed gate":         {[]lineage.Contribution{complete, marked(lineage.Failed, 12, "quality"), marked(lineage.Validated, 20, "")}, onQuality, lineage.Published},
		"validated, then a gate failed":               {[]lineage.Contribution{complete, marked(lineage.Validated, 20, ""), marked(lineage.Failed, 30, "quality")}, onQuality, lineage.Suspect},
		"invalidated":                                 {[]lineage.Contribution{complete, marked(lineage.Invalidated, 20, "")}, free, lineage.Suspect},
		"invalidated where validation is waited for":  {[]lineage.Contribution{complete, marked(lineage.Invalidated, 20, "")}, onValidation, lineage.Rejected},
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				run := folded(rapid.Permutation(test.said).Draw(t, "order")...)
				require.Equal(t, test.want, run.Decide(orders, test.requires).Publication)
			})
		})
	}
}

func TestAtOneTimeTheMoreCautiousMarkerHolds(t *testing.T) {
	for minute := range 20 { // each with other keys
		at := func(kind lineage.MarkerKind, gate string) lineage.Contribution { return marked(kind, minute, gate) }
		for _, test := range []struct {
			said     []lineage.Contribution
			requires lineage.Requirement
			want     lineage.Publication
		}{
			{[]lineage.Contribution{at(lineage.Passed, "quality"), at(lineage.Failed, "quality")}, free, lineage.Suspect},
			{[]lineage.Contribution{at(lineage.Passed, "quality"), at(lineage.Failed, "quality")}, onQuality, lineage.Rejected},
			{[]lineage.Contribution{at(lineage.Validated, ""), at(lineage.Invalidated, "")}, free, lineage.Suspect},
			{[]lineage.Contribution{at(lineage.Validated, ""), at(lineage.Invalidated, "")}, onValidation, lineage.Rejected},
			{[]lineage.Contribution{at(lineage.Validated, ""), at(lineage.Failed, "quality")}, free, lineage.Suspect},
			{[]lineage.Contribution{at(lineage.Committed, ""), at(lineage.RolledBackMarker, "")}, free, lineage.RolledBack},
		} {
			require.Equal(t, test.want, folded(append(test.said, wrote(lineage.Complete, 10))...).Decide(orders, test.requires).Publication, "%v", test.said)
		}
		until := folded(wrote(lineage.Complete, -1), at(lineage.Committed, ""), at(lineage.RolledBackMarker, ""), marked(lineage.RolledBackMarker, 30, ""))
		require.Equal(t, tenOClock.Add(time.Duration(minute)*time.Minute), until.Decide(orders, free).Until, "the one beside the commit was the first")
	}
}

func TestVerdictNamesTheGatesThatAreWaitedFor(t *testing.T) {
	run := folded(wrote(lineage.Complete, 10), marked(lineage.Committed, 9, ""))
	require.Equal(t, lineage.Verdict{Publication: lineage.Pending, Awaited: []string{"quality"}}, run.Decide(orders, onBoth))
}

func TestRollBackTellsUntilWhenTheOutputWasVisible(t *testing.T) {
	complete, rolledBack := wrote(lineage.Complete, 10), marked(lineage.RolledBackMarker, 20, "")
	again := marked(lineage.RolledBackMarker, 25, "")
	require.Equal(t, tenOClock.Add(20*time.Minute), folded(complete, again, rolledBack).Decide(orders, free).Until, "the first of several")
	require.Zero(t, folded(complete, rolledBack).Decide(orders, onQuality).Until, "it was never visible")
	require.Zero(t, folded(wrote(lineage.Fail, 10), rolledBack).Decide(orders, free).Until, "it was never visible")
	afterAnother := folded(complete, rolledBack, marked(lineage.Committed, 22, ""), again)
	require.Equal(t, tenOClock.Add(25*time.Minute), afterAnother.Decide(orders, free).Until, "the commit undid the first")
	afterAnother.Add(marked(lineage.RolledBackMarker, 30, ""))
	require.Equal(t, tenOClock.Add(25*time.Minute), afterAnother.Decide(orders, free).Until, "the first since the commit, of three in all")
}

// drawnMarkers draws markers of orders, each with a key of its own.
var drawnMarkers = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) lineage.Contribution {
	kind := rapid.SampledFrom([]lineage.MarkerKind{
		lineage.Committed, lineage.RolledBackMarker, lineage.Validated, lineage.Invalidated, lineage.Passed, lineage.Failed, lineage.TimedOut,
	}).Draw(t, "kind")
	gate := ""
	if kind == lineage.Passed || kind == lineage.Failed {
		gate = rapid.SampledFrom([]string{"quality", "freshness"}).Draw(t, "gate")
	}
	return marked(kind, rapid.IntRange(0, 9).Draw(t, "minute"), gate)
}), 0, 12)

var drawnRequirements = rapid.SampledFrom([]lineage.Requirement{free, onQuality, onCommit, onBoth})

func TestAnyOrderAndRepetitionOfMarkersGivesTheSameVerdict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := append(drawnMarkers.Draw(t, "markers"), wrote(rapid.SampledFrom([]lineage.EventType{lineage.Complete, lineage.Fail}).Draw(t, "end"), 5))
		requires := drawnRequirements.Draw(t, "requires")
		want := folded(events...)
		repeated := slices.Concat(events, rapid.SliceOf(rapid.SampledFrom(events)).Draw(t, "repeated"))
		got := folded(rapid.Permutation(repeated).Draw(t, "order")...)
		requireEqualRuns(t, want, got)
		require.Equal(t, want.Decide(orders, requires), got.Decide(orders, requires))
	})
}

func TestRunKeepsFewMarkersHoweverManyCame(t *testing.T) {
	run := folded(wrote(lineage.Complete, 5))
	for minute := range 100 {
		run.Add(marked(lineage.Passed, minute, "quality"))
		run.Add(marked(lineage.Failed, minute, "quality"))
	}
	require.Len(t, run.Markers, 4)
}

func TestMarkerWithoutItsOutputIsKeptUntilTheRunNamesIt(t *testing.T) {
	run := folded(marked(lineage.Committed, 5, ""))
	require.True(t, run.Unmatches(run.Markers[0]))
	require.Equal(t, lineage.RunUnknown, run.State())
	run.Add(wrote(lineage.Complete, 10))
	require.False(t, run.Unmatches(run.Markers[0]))
	require.Equal(t, lineage.Published, run.Decide(orders, onCommit).Publication)
}
