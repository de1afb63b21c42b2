package lineage_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

func idOf(name string) lineage.DatasetID { return lineage.DatasetID{Namespace: "n", Name: name} }

func minute(n int) time.Time { return tenOClock.Add(time.Duration(n) * time.Minute) }

// claimed says that one name stands for another dataset, said last at a minute and for good.
func claimed(name, of string, at int) lineage.AliasClaim {
	return lineage.AliasClaim{
		Alias: lineage.Alias{Name: idOf(name), Of: idOf(of), Source: lineage.BySymlink}, From: minute(at), To: lineage.Forever,
		Said: lineage.Moment{EffectiveAt: minute(at), Key: lineage.HashOf(name, of)},
	}
}

func TestNameStandsForTheDatasetThatItWasGivenToLast(t *testing.T) {
	first, second := claimed("t", "old location", 1), claimed("t", "new location", 2)
	require.Equal(t, []lineage.AliasClaim{second}, lineage.Holding([]lineage.AliasClaim{first, second}, minute(5)))
	require.Empty(t, lineage.Holding(nil, minute(5)))

	second.To = minute(3)
	require.Empty(t, lineage.Holding([]lineage.AliasClaim{first, second}, minute(5)), "what was replaced does not come back by itself")

	first.Said = lineage.Moment{EffectiveAt: minute(4), Key: lineage.HashOf("again")}
	require.Equal(t, []lineage.AliasClaim{first}, lineage.Holding([]lineage.AliasClaim{first, second}, minute(5)), "it was given back")
}

func TestClaimEndsWhereTheNameIsGivenToAnother(t *testing.T) {
	first, second := claimed("t", "old location", 1), claimed("t", "new location", 5)
	require.Equal(t, minute(5), lineage.Holding([]lineage.AliasClaim{first, second}, minute(2))[0].To, "which is known at minute 2 already")
	require.Equal(t, minute(5), lineage.Dated([]lineage.AliasClaim{second, first})[1].To)
	require.Equal(t, lineage.Forever, lineage.Dated([]lineage.AliasClaim{second, first})[0].To)
}

func TestConflictsAreWhatElseTheNameWasSaidToStandForMeanwhile(t *testing.T) {
	a, b, c := claimed("t", "a", 1), claimed("t", "b", 3), claimed("t", "c", 9)
	a.To = minute(5)
	claims := []lineage.AliasClaim{c, b, a, b}
	require.Equal(t, []lineage.DatasetID{idOf("b")}, lineage.Conflicting(claims, a))
	require.Equal(t, []lineage.DatasetID{idOf("a"), idOf("c")}, lineage.Conflicting(claims, b))
	require.Empty(t, lineage.Conflicting([]lineage.AliasClaim{a, a}, a))
}

func TestOneEventMayNameSeveralDatasets(t *testing.T) {
	a, b := claimed("t", "a", 1), claimed("t", "b", 1)
	b.Said = a.Said
	require.Equal(t, []lineage.AliasClaim{a, b}, lineage.Holding([]lineage.AliasClaim{a, b}, minute(5)))
}

func TestHoldingIsTheSameInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		claims := rapid.SliceOf(rapid.Custom(func(t *rapid.T) lineage.AliasClaim {
			claim := claimed("t", rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "of"), rapid.IntRange(0, 3).Draw(t, "said"))
			claim.To = minute(rapid.IntRange(2, 9).Draw(t, "to"))
			return claim
		})).Draw(t, "claims")
		want := lineage.AliasClasses(lineage.Holding(claims, minute(4)))
		require.Equal(t, want, lineage.AliasClasses(lineage.Holding(rapid.Permutation(claims).Draw(t, "order"), minute(4))))
	})
}

func TestChainsAndCyclesAreOneDataset(t *testing.T) {
	chain := []lineage.AliasClaim{claimed("b", "c", 1), claimed("a", "b", 1)}
	cycle := append(slices.Clone(chain), claimed("c", "a", 1))
	for _, claims := range [][]lineage.AliasClaim{chain, cycle} {
		classes := lineage.AliasClasses(append(claims, claimed("x", "y", 1)))
		require.Len(t, classes, 2)
		require.Equal(t, []lineage.DatasetID{idOf("a"), idOf("b"), idOf("c")}, classes[0].Members)
		require.Len(t, classes[0].Aliases, len(claims))
		require.Equal(t, idOf("x"), classes[1].Canonical)
	}
}

func TestClassShowsUnderTheNameThatAPersonAskedForElseTheSmallest(t *testing.T) {
	claims := []lineage.AliasClaim{claimed("c", "b", 1), claimed("a", "b", 1), claimed("d", "b", 1)}
	require.Equal(t, idOf("a"), lineage.AliasClasses(claims)[0].Canonical)
	claims[2].Canonical = true
	require.Equal(t, idOf("d"), lineage.AliasClasses(claims)[0].Canonical)
	claims[0].Canonical = true
	require.Equal(t, idOf("c"), lineage.AliasClasses(claims)[0].Canonical, "of two that were asked for the smallest")
}

// TestClassesAreTheConnectedNames compares with reachability, walked from each name.
func TestClassesAreTheConnectedNames(t *testing.T) {
	letters := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"})
	rapid.Check(t, func(t *rapid.T) {
		var claims []lineage.AliasClaim
		next := map[lineage.DatasetID][]lineage.DatasetID{}
		for range rapid.IntRange(0, 8).Draw(t, "aliases") {
			claim := claimed(letters.Draw(t, "name"), letters.Draw(t, "of"), 1)
			claims = append(claims, claim)
			next[claim.Name], next[claim.Of] = append(next[claim.Name], claim.Of), append(next[claim.Of], claim.Name)
		}
		count := 0
		for _, class := range lineage.AliasClasses(claims) {
			for _, member := range class.Members {
				reached := map[lineage.DatasetID]bool{member: true}
				for queue := []lineage.DatasetID{member}; len(queue) > 0; queue = queue[1:] {
					for _, other := range next[queue[0]] {
						if !reached[other] {
							reached[other] = true
							queue = append(queue, other)
						}
					}
				}
				require.Len(t, class.Members, len(reached))
				count++
			}
		}
		require.Len(t, next, count, "each name is in one class")
	})
}
