// Package company invents the pipelines of a company from a seed: datasets in layers, jobs that read and write them,
// what each run reads and when, and the events that tell of it. It also knows the truth: which edges hold at any time,
// and what lies up- and downstream. It shares no code with the system that it examines, so that a mistake in one does
// not hide the same mistake in the other.
//
// Everything follows from the seed by hashing, so any run of any day is known without the days before it, and a
// company of any age takes a few bytes a job.
package company

import (
	"errors"
	"time"
)

// Size is how large a company is.
type Size struct {
	Datasets int
	Jobs     int
	// RunsPerDay is the number of runs of all jobs in 24 hours, on average.
	RunsPerDay int
	// Weeks is how long its history is. Each week every job reads one dataset in place of another.
	Weeks int
}

// Scenario is the company that the design is for, with a year of history.
func Scenario() Size {
	return Size{Datasets: 30_000, Jobs: 200_000, RunsPerDay: 200_000, Weeks: 52}
}

// minDatasets leaves every layer with a few datasets.
const minDatasets = 2 * layers

func (s Size) check() error {
	switch {
	case s.Datasets < minDatasets || s.Jobs < s.Datasets:
		return errors.New("a company needs 14 datasets or more, and no fewer jobs than datasets")
	case s.RunsPerDay < 1 || s.Weeks < 1:
		return errors.New("a company needs a run a day and a week of history or more")
	default:
		return nil
	}
}

// Begin is when every company's history begins.
var Begin = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// End is when the history of a company ends.
func (c *Company) End() time.Time { return Begin.Add(time.Duration(c.size.Weeks) * week) }

const (
	day  = 24 * time.Hour
	week = 7 * day
)
