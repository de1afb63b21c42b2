package company

import (
	"iter"
	"slices"
	"time"
)

// EventType is what an event tells of its run.
type EventType string

// The types of event that a run sends.
const (
	Start    EventType = "START"
	Complete EventType = "COMPLETE"
	Fail     EventType = "FAIL"
)

// Event is one event of a run.
type Event struct {
	Run  Run
	Type EventType
	At   time.Time
}

// eventsAtOnce bounds, roughly, how many events are sorted at once.
const eventsAtOnce = 20_000

// Events gives the events of all runs in [from, to), in order of time, in little memory.
func (c *Company) Events(from, to time.Time) iter.Seq[Event] {
	step := time.Duration(float64(day) * min(1, eventsAtOnce/float64(2*c.size.RunsPerDay)))
	return func(yield func(Event) bool) {
		for begin := from; begin.Before(to); begin = begin.Add(step) {
			end := begin.Add(step)
			if end.After(to) {
				end = to
			}
			for _, event := range c.sortedEvents(begin, end) {
				if !yield(event) {
					return
				}
			}
		}
	}
}

// sortedEvents gives the events in [from, to).
func (c *Company) sortedEvents(from, to time.Time) []Event {
	var events []Event
	add := func(event Event) {
		if !event.At.Before(from) && event.At.Before(to) {
			events = append(events, event)
		}
	}
	for job := range c.size.Jobs {
		for number := c.firstAfter(job, from.Add(-longest)); ; number++ {
			if !c.startOf(job, number).Before(to) {
				break
			}
			run := c.run(job, number)
			add(Event{run, Start, run.Start})
			add(Event{run, run.outcome(), run.End})
		}
	}
	slices.SortFunc(events, compareEvents)
	return events
}

func (c *Company) startOf(job, number int) time.Time {
	period := c.period(job)
	return c.begun(job, period).Add(time.Duration(number) * period)
}

func (r Run) outcome() EventType {
	if r.Failed {
		return Fail
	}
	return Complete
}

// compareEvents orders by time; at one time by job and run, so that the order is the same every time.
func compareEvents(a, b Event) int {
	if c := a.At.Compare(b.At); c != 0 {
		return c
	}
	if a.Run.Job != b.Run.Job {
		return int(a.Run.Job) - int(b.Run.Job)
	}
	return a.Run.Number - b.Run.Number
}
