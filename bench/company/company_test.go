package company_test

import (
	"encoding/json/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/bench/company"
)

func small(t *testing.T, seed uint64) *company.Company {
	t.Helper()
	c, err := company.New(seed, company.Size{Datasets: 60, Jobs: 200, RunsPerDay: 200, Weeks: 4})
	require.NoError(t, err)
	return c
}

func TestSameSeedTellsTheSameStory(t *testing.T) {
	tell := func(seed uint64) (documents []string) {
		c := small(t, seed)
		for event := range c.Events(company.Begin, company.Begin.Add(48*time.Hour)) {
			documents = append(documents, string(c.Document(event, 0)))
		}
		return documents
	}
	require.Equal(t, tell(1), tell(1))
	require.NotEqual(t, tell(1), tell(2))
}

func TestEventsAreInOrderAndWhole(t *testing.T) {
	c, err := company.New(3, company.Size{Datasets: 1_000, Jobs: 9_000, RunsPerDay: 9_000, Weeks: 1})
	require.NoError(t, err)
	var last time.Time
	started, ended := 0, 0
	for event := range c.Events(company.Begin.Add(48*time.Hour), company.Begin.Add(96*time.Hour)) {
		require.False(t, event.At.Before(last))
		last = event.At
		if event.Type == company.Start {
			started++
		} else {
			ended++
		}
	}
	require.InDelta(t, 18_000, started, 2_000, "runs of two days")
	require.InDelta(t, started, ended, 200, "runs under way at either end")
	var split []company.Event
	middle := company.Begin.Add(31 * time.Hour)
	for _, span := range [][2]time.Time{{company.Begin, middle}, {middle, company.Begin.Add(48 * time.Hour)}} {
		split = slices.AppendSeq(split, c.Events(span[0], span[1]))
	}
	require.Equal(t, slices.Collect(c.Events(company.Begin, company.Begin.Add(48*time.Hour))), split,
		"where a span is cut leaves no trace")
}

func TestDocumentsArePadded(t *testing.T) {
	c := small(t, 4)
	for event := range c.Events(company.Begin, company.Begin.Add(6*time.Hour)) {
		padded := c.Document(event, 20_000)
		require.InDelta(t, 20_000, len(padded), 200)
		var document map[string]any
		require.NoError(t, json.Unmarshal(padded, &document))
		require.Equal(t, string(event.Type), document["eventType"])
	}
}

func TestFanOutIsSkewedAndContentChangesWeekly(t *testing.T) {
	c, err := company.New(5, company.Size{Datasets: 1_000, Jobs: 6_000, RunsPerDay: 6_000, Weeks: 8})
	require.NoError(t, err)
	graph := c.GraphAt(c.End(), 0)
	var fanOut []int
	for dataset := range 1_000 {
		fanOut = append(fanOut, len(graph.OutOf(company.Node{Number: int32(dataset)})))
	}
	slices.Sort(fanOut)
	require.Greater(t, fanOut[999], 20*fanOut[500], "the most read dataset against the median one")
	changes := 0
	for job := range 1_000 {
		changes += len(c.Contents(company.Job(job), company.Begin, c.End()))
	}
	require.InDelta(t, 8_000, changes, 1_500, "1,000 jobs in 8 weeks")
}

func TestTooSmallCompanyIsRefused(t *testing.T) {
	_, err := company.New(1, company.Size{Datasets: 3, Jobs: 3, RunsPerDay: 1, Weeks: 1})
	require.ErrorContains(t, err, "14 datasets")
}
