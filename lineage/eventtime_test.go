package lineage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestEventTimeIsReadInAllFormsOfTheField(t *testing.T) {
	for text, fraction := range map[string]time.Duration{
		"2024-06-01T10:00Z":                                  0,
		"2024-06-01T10:00:00Z":                               0,
		"2024-06-01T10:00:00z":                               0,
		"2024-06-01t10:00:00Z":                               0,
		"2024-06-01 10:00:00+00:00":                          0,
		"2024-06-01 10:00:00 Z":                              0,
		"2024-06-01T10:00:00.1Z":                             100 * time.Millisecond,
		"2024-06-01T10:00:00,5Z":                             500 * time.Millisecond,
		"2024-06-01T10:00:00.123456789Z":                     123456 * time.Microsecond,
		"2024-06-01T10:00:00.999999999999Z":                  999999 * time.Microsecond,
		"2024-06-01T10:00:00.12345678901234567890123456789Z": 123456 * time.Microsecond,
		"2024-06-01T09:59:60Z":                               0,
		"2024-06-01T15:29:60.5+05:30":                        500 * time.Millisecond,
		"2024-06-01T15:30:00+05:30":                          0,
		"2024-06-01T15:30:00+0530":                           0,
		"2024-06-01T05:00:00-05":                             0,
		"2024-06-01T10:00:00.000000-00:00":                   0,
		"2024-06-01T10:00:00.000Z[UTC]":                      0,
		"2024-06-01T12:00:00+02:00[Europe/Berlin]":           0,
		"2024-06-01T10:00:00.404037+00:00Z":                  404037 * time.Microsecond,
	} {
		at, zoned, err := lineage.ParseEventTime(text)
		require.NoError(t, err, text)
		require.True(t, zoned, text)
		require.Equal(t, tenOClock.Add(fraction), at, text)
	}
}

func TestEventTimeWithoutZoneIsUTCWithAWarning(t *testing.T) {
	at, zoned, err := lineage.ParseEventTime("2024-06-01T10:00:00")
	require.NoError(t, err)
	require.False(t, zoned)
	require.Equal(t, tenOClock, at)

	event := decode(t, edited(t, completeRun, "2024-06-01T10:00:00Z", " 2024-06-01 10:00\\n"))
	require.Equal(t, tenOClock, event.EventTime)
	require.Equal(t, []string{"event_time_without_zone eventTime"}, warningCodes(event.Warnings))
}

func TestWhatIsNoTimeIsRefused(t *testing.T) {
	for _, text := range []string{
		"", "now", "2024-06-01", "1717236000", "2024-13-01T10:00:00Z", "2024-02-30T10:00:00Z", "2024-06-01T25:00:00Z",
		"2024-06-01T10:00:00+99:00", "2024-06-01T10:00.5Z", "2024-06-01T10:00:00.Z", "0000-01-01T00:00:00Z",
		"2024-06-01T10:00:61Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.0000009Z", "9999-12-31T23:59:60Z",
		"0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "2024-06-01T10:00:00Z\n", "٢٠٢٤-06-01T10:00:00Z",
	} {
		_, _, err := lineage.ParseEventTime(text)
		require.Error(t, err, text)
		require.Less(t, len(err.Error()), 500)
	}
}

func TestEffectiveTimeIsCappedAtReceiptPlusTolerance(t *testing.T) {
	berlin := time.FixedZone("CEST", 2*60*60)
	receivedAt := tenOClock.Add(1500 * time.Nanosecond).In(berlin)
	require.Equal(t, tenOClock, lineage.EffectiveAt(tenOClock, receivedAt))
	latest := tenOClock.Add(time.Microsecond + lineage.ClockTolerance)
	require.Equal(t, latest, lineage.EffectiveAt(latest, receivedAt))
	require.Equal(t, latest, lineage.EffectiveAt(time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC), receivedAt), "capped, in UTC and microseconds")
}
