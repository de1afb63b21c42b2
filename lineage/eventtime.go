package lineage

import (
	"fmt"
	"regexp"
	"time"
)

// ClockTolerance is how far a producer's clock may run ahead before its event times are capped.
const ClockTolerance = 5 * time.Minute

// EffectiveAt caps an event time at the time of receipt plus ClockTolerance, so that an event from the far future
// blocks nothing. Like every time of the domain it is in UTC and whole microseconds.
func EffectiveAt(eventTime, receivedAt time.Time) time.Time {
	if latest := receivedAt.Add(ClockTolerance); eventTime.After(latest) {
		return latest.UTC().Truncate(time.Microsecond)
	}
	return eventTime
}

// eventTimeForm is ISO 8601 as clients in the field write it: a space for the T, seconds left out, any number of
// fractional digits, a zone in any of its forms or none, a bracketed zone name, a stray Z after an offset, or a leap second.
var eventTimeForm = regexp.MustCompile(
	`^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?:(:\d{2})(?:[.,](\d+))?)?\s?([Zz]|[+-]\d{2}:?\d{2}[Zz]?|[+-]\d{2})?(?:\[[^\]]{1,64}\])?$`)

// ParseEventTime reads an event time leniently, in UTC and to the microsecond, which is what PostgreSQL keeps.
// zoned is false where the text names no zone: it is then taken as UTC.
func ParseEventTime(text string) (at time.Time, zoned bool, err error) {
	parts := eventTimeForm.FindStringSubmatch(text)
	if parts == nil {
		return time.Time{}, false, fmt.Errorf("%q is no ISO 8601 time; send for example 2026-07-19T00:00:00.000Z", excerpt(text))
	}
	date, clock, seconds, fraction, zone := parts[1], parts[2], parts[3], parts[4], parts[5]
	var leap time.Duration
	switch seconds {
	case "":
		seconds = ":00"
	case ":60": // as a clock that knows no leap seconds has it: the first second of the next minute
		seconds, leap = ":59", time.Second
	}
	if len(fraction) > 6 {
		fraction = fraction[:6]
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	at, err = time.Parse("2006-01-02T15:04:05Z07:00", date+"T"+clock+seconds+fraction+normalZone(zone))
	if err != nil {
		return time.Time{}, false, fmt.Errorf("%q is no time that exists; send for example 2026-07-19T00:00:00.000Z", excerpt(text))
	}
	at = at.Add(leap).UTC()
	switch {
	case at.Year() < 1 || at.Year() > 9999:
		return time.Time{}, false, fmt.Errorf("%q lies outside the years 1 to 9999", excerpt(text))
	case at.IsZero():
		return time.Time{}, false, fmt.Errorf("%q is what clients send that set no time; send when it happened", excerpt(text))
	}
	return at, zone != "", nil
}

// normalZone turns "", "z", "+0530", "+05" and "+05:30Z" into what RFC 3339 knows.
func normalZone(zone string) string {
	switch {
	case zone == "" || zone == "Z" || zone == "z":
		return "Z"
	case len(zone) == 3:
		return zone + ":00"
	case zone[3] != ':':
		return zone[:3] + ":" + zone[3:5]
	default:
		return zone[:6]
	}
}
