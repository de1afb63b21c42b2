package projection_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

var agreementNames = map[projection.Agreement]string{
	projection.Agrees: "agrees", projection.Differs: "differs", projection.OnlyDeclared: "declared", projection.OnlyObserved: "observed",
}

// compared writes each output of a page as "output: agreement, input by the numbers of those who declare, observe and state it".
func compared(comparison projection.Comparison) []string {
	var list []string
	for _, output := range comparison.Outputs {
		text := output.Output.Name + ": " + agreementNames[output.Agreement]
		for _, input := range output.Inputs {
			counts := map[lineage.Origin]int{}
			for _, claim := range input.Claims {
				counts[claim.Origin]++
			}
			text += fmt.Sprintf(", %s %d/%d/%d", input.Input.Name, counts[lineage.Declared], counts[lineage.Observed], counts[lineage.Manual])
		}
		list = append(list, text)
	}
	return list
}

func (b *bundle) compare(change ...func(*projection.CompareRequest)) projection.Comparison {
	b.t.Helper()
	request := projection.CompareRequest{ValidAt: at(24 * 60), Lookback: 7 * 24 * time.Hour, Limit: 100, Show: everything}
	for _, apply := range change {
		apply(&request)
	}
	comparison, err := b.store.CompareDeclared(b.ctx, request)
	require.NoError(b.t, err)
	return comparison
}

// tellBoth declares and observes what agrees, what differs and what only one of the two says.
func tellBoth(t *testing.T) *bundle {
	t.Helper()
	b := setup(t)
	b.declare(0, snapshotOf("prod",
		model{"daily", []string{"orders"}}, model{"weekly", []string{"daily", "calendar"}}, model{"planned", []string{"orders"}}))
	b.complete(story{run: "1", job: "shop.daily", minute: 5, inputs: []string{"orders"}, outputs: []string{"daily"}})
	b.complete(story{run: "2", job: "shop.weekly", minute: 6, inputs: []string{"daily", "rates"}, outputs: []string{"weekly"}})
	b.complete(story{run: "3", job: "adhoc", minute: 7, inputs: []string{"orders"}, outputs: []string{"scratch"}})
	b.complete(story{run: "4", job: "silent", minute: 8, outputs: []string{"quiet"}})
	b.stateEdge(9, lineage.ManualEdge{From: lineage.DatasetID{Namespace: "warehouse", Name: "fx"}, To: lineage.DatasetID{Namespace: "warehouse", Name: "weekly"}})
	b.fold(b.active, 3)
	return b
}

func TestComparisonTellsWhereDeclaredAndObservedAgree(t *testing.T) {
	b := tellBoth(t)
	require.Equal(t, []string{
		"daily: agrees, orders 1/1/0",
		"planned: declared, orders 1/0/0",
		"scratch: observed, orders 0/1/0",
		"weekly: differs, calendar 1/0/0, daily 1/1/0, fx 0/0/1, rates 0/1/0",
	}, compared(b.compare()))
	only := b.compare(func(r *projection.CompareRequest) { r.Agreements = []projection.Agreement{projection.Differs} })
	require.Equal(t, []string{"weekly: differs, calendar 1/0/0, daily 1/1/0, fx 0/0/1, rates 0/1/0"}, compared(only))
	require.Len(t, b.compare(func(r *projection.CompareRequest) { r.Namespace, r.Name = "warehouse", "daily" }).Outputs, 1)
	require.Empty(t, b.compare(func(r *projection.CompareRequest) { r.Namespace = "elsewhere" }).Outputs)
}

func TestComparisonGoesPageByPage(t *testing.T) {
	b := tellBoth(t)
	var pages []string
	request := func(r *projection.CompareRequest) { r.Limit = 1 }
	for {
		page := b.compare(request)
		pages = append(pages, compared(page)...)
		if !page.More {
			break
		}
		last := page.Outputs[0].Output
		request = func(r *projection.CompareRequest) { r.Limit, r.After = 1, last }
	}
	require.Equal(t, compared(b.compare()), pages)
}

func TestComparisonIsThatOfTheGraphWithoutHiddenNodes(t *testing.T) {
	b := tellBoth(t)
	hidden := b.compare(func(r *projection.CompareRequest) { r.Show = hiding("calendar", "rates", "fx", "planned") })
	require.Equal(t, []string{
		"daily: agrees, orders 1/1/0", "scratch: observed, orders 0/1/0", "weekly: agrees, daily 1/1/0",
	}, compared(hidden))
}

func TestNamesOfOneDatasetAreComparedAsOne(t *testing.T) {
	b := tellBoth(t)
	b.registerAlias("daily_v2", "daily")
	b.complete(story{run: "5", job: "shop.daily", minute: 15, inputs: []string{"orders"}, outputs: []string{"daily_v2"}})
	b.fold(b.active, 3)
	require.Equal(t, []string{"daily: agrees, orders 1/1/0"},
		compared(b.compare(func(r *projection.CompareRequest) { r.Namespace, r.Name = "warehouse", "daily_v2" })))
	require.Len(t, b.compare().Outputs, 4)
}

// registerAlias logs that a name has always stood for a dataset.
func (b *bundle) registerAlias(alias, of string) {
	b.t.Helper()
	payload, err := lineage.EncodeFact(lineage.AliasRegistration{
		Alias: lineage.DatasetID{Namespace: "warehouse", Name: alias}, Of: lineage.DatasetID{Namespace: "warehouse", Name: of},
	}, lineage.Attribution{EventTime: at(0), By: "ines", Reason: "test"})
	require.NoError(b.t, err)
	b.logged(lineage.FormatPlatform, payload)
}
