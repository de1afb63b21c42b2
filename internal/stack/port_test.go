package stack

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNoPortIsGivenTwiceBeforeAnybodyListensOnIt(t *testing.T) {
	t.Parallel()
	given := map[int]bool{}
	for range 300 {
		port, err := FreePort()
		require.NoError(t, err)
		require.NotContains(t, given, port)
		given[port] = true
	}
}
