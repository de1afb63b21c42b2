package lineage

import (
	"iter"
	"time"
)

// NameChanges is when a name has passed from one dataset to another, each in any order.
type NameChanges struct {
	// Left is when the dataset that had the name was renamed, and Dropped when it was dropped.
	Left, Dropped []time.Time
	// Created is when a dataset was created under the name, and Given when another one was renamed to it.
	Created, Given []time.Time
}

// TakenAfter is when the name was first taken after a time; Forever where it was not.
func (c NameChanges) TakenAfter(at time.Time) time.Time {
	return firstOf(firstAfter(c.Created, at), firstAfter(c.Given, at))
}

// Began is since when the dataset that has the name at a time has had it; zero where no other one is known to have had it
// before. A creation begins nothing where no dataset has left, since producers state it with each run that may create what it
// writes. What was dropped and created is the same dataset, with another life.
func (c NameChanges) Began(at time.Time) time.Time {
	var began time.Time
	for passed := range c.passes(time.Time{}) {
		if !passed.After(at) && passed.After(began) {
			began = passed
		}
	}
	return began
}

// LostAfter is when the dataset that has the name at a time has lost it to another one; Forever where it has not.
func (c NameChanges) LostAfter(at time.Time) time.Time {
	lost := Forever
	for passed := range c.passes(at) {
		lost = firstOf(lost, passed)
	}
	return lost
}

// passes are when another dataset has the name, of all times at which one left it after a time.
func (c NameChanges) passes(after time.Time) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		for _, left := range c.Left {
			if left.After(after) && !yield(c.TakenAfter(left)) {
				return
			}
		}
		for _, dropped := range c.Dropped {
			given := firstAfter(c.Given, dropped)
			if dropped.After(after) && given.Before(firstAfter(c.Created, dropped)) && !yield(given) {
				return
			}
		}
	}
}

// firstAfter is the first of some times after one; Forever where there is none.
func firstAfter(times []time.Time, at time.Time) time.Time {
	first := Forever
	for _, t := range times {
		if t.After(at) {
			first = firstOf(first, t)
		}
	}
	return first
}

func firstOf(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
