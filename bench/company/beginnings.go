package company

import (
	"iter"
	"time"
)

// stride is a prime, so that stepping by it visits every job of a company that is no multiple of it.
const stride = 104_729

// Beginnings gives the runs that begin a content in one week of history, counted from 0. Their order does not follow
// the jobs' numbers, as it does not in life.
func (c *Company) Beginnings(number int) iter.Seq[Run] {
	from, to := WeekBegin(number), WeekBegin(number+1)
	return func(yield func(Run) bool) {
		for i := range c.size.Jobs {
			job := Job(i * stride % c.size.Jobs)
			for _, content := range c.Contents(job, from, to) {
				if content.Since.After(from) && !yield(content.First) {
					return
				}
			}
		}
	}
}

// WeekBegin is when a week of history begins, counted from 0.
func WeekBegin(number int) time.Time { return Begin.Add(time.Duration(number) * week) }
