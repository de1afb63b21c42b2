package lineage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

func TestNameBeginsAnewOnceItIsTakenAfterItWasLeft(t *testing.T) {
	minutes := func(numbers []int) (times []time.Time) {
		for _, n := range numbers {
			times = append(times, time.Date(2024, 6, 1, 10, n, 0, 0, time.UTC))
		}
		return times
	}
	for name, c := range map[string]struct {
		left, dropped, created, given []int
		at, began                     int // began is 0 for never
	}{
		"never left":                        {created: []int{1, 5}, given: []int{7}, at: 9},
		"left and not taken":                {left: []int{3}, created: []int{1}, at: 9},
		"created after it was left":         {left: []int{3}, created: []int{1, 5}, at: 9, began: 5},
		"given after it was left":           {left: []int{3}, given: []int{5}, created: []int{6}, at: 9, began: 5},
		"taken after the time in question":  {left: []int{3}, created: []int{5}, at: 4},
		"taken at the time in question":     {left: []int{3}, created: []int{5}, at: 5, began: 5},
		"created over again":                {left: []int{3}, created: []int{5, 6, 7}, at: 9, began: 5},
		"left twice, taken twice":           {left: []int{3, 6}, created: []int{5, 8}, at: 9, began: 8},
		"left twice before it was taken":    {left: []int{3, 4}, created: []int{5}, at: 9, began: 5},
		"left again and not yet taken":      {left: []int{3, 6}, created: []int{5}, at: 9, began: 5},
		"left again, asked of times before": {left: []int{3, 6}, created: []int{5, 8}, at: 7, began: 5},
		"dropped and created":               {dropped: []int{3}, created: []int{5}, at: 9},
		"dropped and given":                 {dropped: []int{3}, given: []int{5}, at: 9, began: 5},
		"dropped, created and given":        {dropped: []int{3}, created: []int{5}, given: []int{7}, at: 9},
	} {
		t.Run(name, func(t *testing.T) {
			changes := lineage.NameChanges{
				Left: minutes(c.left), Dropped: minutes(c.dropped), Created: minutes(c.created), Given: minutes(c.given),
			}
			began := changes.Began(minutes([]int{c.at})[0])
			if c.began == 0 {
				require.Zero(t, began)
				return
			}
			require.Equal(t, minutes([]int{c.began})[0], began)
		})
	}
}

func TestWhenANameBeganDoesNotHangOnWhatComesLater(t *testing.T) {
	times := rapid.SliceOf(rapid.Map(rapid.IntRange(0, 20), func(n int) time.Time { return time.Unix(int64(n), 0).UTC() }))
	rapid.Check(t, func(t *rapid.T) {
		changes := lineage.NameChanges{
			Left: times.Draw(t, "left"), Dropped: times.Draw(t, "dropped"), Created: times.Draw(t, "created"), Given: times.Draw(t, "given"),
		}
		at := time.Unix(int64(rapid.IntRange(0, 20).Draw(t, "at")), 0).UTC()
		began := changes.Began(at)
		require.False(t, began.After(at))
		upTo := func(times []time.Time) (known []time.Time) {
			for _, time := range times {
				if !time.After(at) {
					known = append(known, time)
				}
			}
			return known
		}
		require.Equal(t, began, lineage.NameChanges{
			Left: upTo(changes.Left), Dropped: upTo(changes.Dropped), Created: upTo(changes.Created), Given: upTo(changes.Given),
		}.Began(at))
	})
}
