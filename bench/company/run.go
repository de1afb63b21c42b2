package company

import (
	"fmt"
	"slices"
	"time"
)

// Run is one execution of a job.
type Run struct {
	Job Job
	// Number counts the job's runs from 0.
	Number int
	Start  time.Time
	End    time.Time
	Failed bool
	// Inputs are sorted, each once.
	Inputs []Dataset
}

// frequencies are how often jobs run, as a share of the base period, and how many do so.
var frequencies = []struct{ share, periods float64 }{
	{0.02, 1.0 / 24},
	{0.50, 1},
	{0.48, 7},
}

// averagePeriod is the base period, in seconds, that gives the company its runs a day.
func (c *Company) averagePeriod() float64 {
	var runs float64 // of one job in one base period
	for _, f := range frequencies {
		runs += f.share / f.periods
	}
	return runs * float64(c.size.Jobs) / float64(c.size.RunsPerDay) * day.Seconds()
}

// period is how often a job runs.
func (c *Company) period(job int) time.Duration {
	u := c.uniform(purposeFrequency, job)
	for _, f := range frequencies {
		if u -= f.share; u < 0 {
			return time.Duration(c.base*f.periods*1000) * time.Millisecond
		}
	}
	return time.Duration(c.base*frequencies[1].periods*1000) * time.Millisecond
}

// begun is when the job's run number 0 begins: anywhere in its first period.
func (c *Company) begun(job int, period time.Duration) time.Time {
	return Begin.Add(time.Duration(c.uniform(purposePhase, job) * float64(period)).Truncate(time.Millisecond))
}

// failureRate is the share of runs that fail.
const failureRate = 0.03

// longest bounds how long a run takes; it also ends well before the next begins.
const longest = 20 * time.Minute

// run gives a job's run by its number.
func (c *Company) run(job, number int) Run {
	period := c.period(job)
	start := c.begun(job, period).Add(time.Duration(number) * period)
	lasts := time.Duration((0.1 + 0.9*c.uniform(purposeDuration, job, number)) * float64(min(period/2, longest)))
	return Run{
		Job: Job(job), Number: number, Start: start, End: start.Add(lasts.Truncate(time.Millisecond)),
		Failed: c.uniform(purposeFailure, job, number) < failureRate,
		Inputs: c.inputs(job, c.changes(job, start)),
	}
}

// changes is how often the content of a job had changed by a time: once a week, each job at an hour of its own.
func (c *Company) changes(job int, at time.Time) int {
	offset := time.Duration(c.uniform(purposePhase, job, 1) * float64(week))
	return int((at.Sub(Begin) + offset) / week)
}

// firstAfter is the number of the job's first run that begins at a time or later.
func (c *Company) firstAfter(job int, at time.Time) int {
	period := c.period(job)
	since := at.Sub(c.begun(job, period))
	if since <= 0 {
		return 0
	}
	return int((since + period - 1) / period)
}

// Changes reports whether the run is the first to publish its content: what it says differs from what the job's last
// good run before it said.
func (c *Company) Changes(run Run) bool {
	if run.Failed {
		return false
	}
	for number := run.Number - 1; number >= 0; number-- {
		if before := c.run(int(run.Job), number); !before.Failed {
			return !slices.Equal(before.Inputs, run.Inputs)
		}
	}
	return true
}

// RunID is the run's id: a UUID.
func (c *Company) RunID(run Run) string {
	high, low := c.hash(purposeRunID, int(run.Job), run.Number, 0), c.hash(purposeRunID, int(run.Job), run.Number, 1)
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", high>>32, high>>16&0xFFFF, high&0xFFF, low>>52, low&0xFFFFFFFFFFFF)
}
