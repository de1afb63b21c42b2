package worker

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	began   = time.Date(2026, 7, 19, 6, 0, 0, 0, time.UTC)
	errGone = errors.New("connection refused")
)

func TestUpkeepIsDueNowAndThenThoughTemporalNeverWasAway(t *testing.T) {
	t.Parallel()
	u := newUpkeep("a", nil, began)
	require.False(t, u.due("a", nil, began.Add(5*time.Minute-time.Second)))
	require.True(t, u.due("a", nil, began.Add(5*time.Minute)))
	u.done("a", began.Add(5*time.Minute))
	require.False(t, u.due("a", nil, began.Add(6*time.Minute)))
	require.True(t, u.due("a", nil, began.Add(10*time.Minute)))
}

func TestUpkeepIsDueWhenTheNamespaceIsAnotherOne(t *testing.T) {
	t.Parallel()
	u := newUpkeep("a", nil, began)
	require.True(t, u.due("b", nil, began.Add(time.Second)), "the store is new, though no probe found Temporal away")
	require.True(t, u.due("b", nil, began.Add(2*time.Second)), "nothing was done about it yet")
	u.done("b", began.Add(2*time.Second))
	require.False(t, u.due("b", nil, began.Add(3*time.Second)))
}

func TestUpkeepIsDueWhenTemporalAnswersAgain(t *testing.T) {
	t.Parallel()
	u := newUpkeep("a", nil, began)
	require.False(t, u.due("", errGone, began.Add(time.Second)), "there is nobody to ask")
	require.False(t, u.due("", errGone, began.Add(2*time.Second)))
	require.True(t, u.due("a", nil, began.Add(3*time.Second)), "its store may have been set back")
	u.done("a", began.Add(3*time.Second))
	require.False(t, u.due("a", nil, began.Add(4*time.Second)))

	require.True(t, newUpkeep("", errGone, began).due("a", nil, began), "the first probe found nobody")
}
