package main

import (
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/gateway"
)

func TestFlagsHaveTheDefaultLimits(t *testing.T) {
	t.Parallel()
	var flags limitFlags
	parser, err := kong.New(&flags)
	require.NoError(t, err)
	_, err = parser.Parse(nil)
	require.NoError(t, err)
	limits, err := flags.limits()
	require.NoError(t, err)
	require.Equal(t, gateway.DefaultLimits(), limits)
}

func TestEveryLimitThatIsWrongIsNamed(t *testing.T) {
	t.Parallel()
	_, err := limitFlags{Depth: 1}.limits()
	require.ErrorContains(t, err, "--limit-body-bytes")
	require.ErrorContains(t, err, "--limit-idle-time")
	require.NotContains(t, err.Error(), "--limit-depth")
}

func TestNoRunIDIsTakenThatNobodyCouldAskFor(t *testing.T) {
	t.Parallel()
	_, err := limitFlags{RunIDBytes: maxRunIDBytes + 1}.limits()
	require.ErrorContains(t, err, "--limit-run-id-bytes must be 512 or less")
}

func TestTheLargestCompressedBodyFindsRoom(t *testing.T) {
	t.Parallel()
	flags := limitFlags{BodyBytes: 100, InFlightBytes: 399, DatabaseBytes: -1}
	_, err := flags.limits()
	require.ErrorContains(t, err, "--limit-in-flight-bytes must be 400 or more")
	require.ErrorContains(t, err, "--limit-database-bytes")
	flags.InFlightBytes = 400
	_, err = flags.limits()
	require.NotContains(t, err.Error(), "--limit-in-flight-bytes")
}
