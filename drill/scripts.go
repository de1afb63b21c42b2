package main

import (
	"time"

	"github.com/headwater-data/headwater/drill/oracle"
)

// script is the life of a run: what is said of it, in the order in which it is sent.
type script struct {
	weight    int // how often it is drawn
	streaming bool
	asked     *asked
	steps     []step
}

// step is one thing that is said, of one second of the run.
type step struct {
	word   oracle.Word
	second int
}

// asked is what the policy asks of outputs. A name tells which.
type asked struct {
	prefix string
	gates  []string
	// wait is how long for; zero for ever. atTimeout is what holds then.
	wait      time.Duration
	atTimeout string
}

const qualityGate = "quality"

var (
	free      = &asked{prefix: "mart"}
	quality   = &asked{prefix: "checked", gates: []string{qualityGate}}
	commit    = &asked{prefix: "atomic", gates: []string{"commit"}}
	both      = &asked{prefix: "audited", gates: []string{"commit", qualityGate}}
	inTime    = &asked{prefix: "hurried", gates: []string{qualityGate}, wait: 2 * time.Second, atTimeout: "rejected"}
	gateRules = []*asked{quality, commit, both, inTime}
)

const (
	start      = oracle.Start
	running    = oracle.Running
	complete   = oracle.Complete
	fail       = oracle.Fail
	abort      = oracle.Abort
	other      = oracle.Other
	committed  = oracle.Committed
	rolledBack = oracle.RolledBack
	validated  = oracle.Validated
	passed     = oracle.Passed
	failed     = oracle.Failed
)

var scripts = []script{
	{weight: 8, asked: free, steps: []step{{start, 0}, {running, 1}, {complete, 2}}},
	{weight: 3, asked: free, steps: []step{{start, 0}, {fail, 2}}},
	{weight: 2, asked: free, steps: []step{{start, 0}, {running, 1}, {abort, 2}}},
	{weight: 2, asked: free, steps: []step{{start, 0}, {other, 1}, {complete, 2}}},
	{weight: 2, asked: free, steps: []step{{complete, 2}}},
	{weight: 2, asked: free, steps: []step{{start, 0}, {running, 1}}},
	{weight: 2, asked: free, steps: []step{{complete, 2}, {start, 0}}},             // the start is late
	{weight: 2, asked: free, steps: []step{{start, 0}, {complete, 2}, {fail, 3}}},  // the failure overrules
	{weight: 1, asked: free, steps: []step{{start, 0}, {fail, 3}, {complete, 2}}},  // and does so when it comes first
	{weight: 1, asked: free, steps: []step{{start, 0}, {complete, 2}, {abort, 2}}}, // neither is later
	{weight: 2, asked: free, streaming: true, steps: []step{{start, 0}, {running, 1}, {running, 2}}},
	{weight: 1, asked: free, streaming: true, steps: []step{{running, 1}, {complete, 2}}},

	{weight: 2, asked: free, steps: []step{{start, 0}, {complete, 2}, {failed, 4}, {passed, 6}}}, // nobody waited for that check
	{weight: 1, asked: free, steps: []step{{complete, 2}, {failed, 4}}},
	{weight: 2, asked: free, steps: []step{{start, 0}, {complete, 2}, {rolledBack, 9}}},
	{weight: 1, asked: free, steps: []step{{complete, 2}, {rolledBack, 5}, {committed, 9}}},
	{weight: 1, asked: free, steps: []step{{committed, 1}, {fail, 2}}}, // it failed after a partition was swapped in
	{weight: 1, asked: free, steps: []step{{start, 0}, {fail, 2}, {committed, 1}, {validated, 9}}},

	{weight: 2, asked: quality, steps: []step{{start, 0}, {complete, 2}, {passed, 5}}},
	{weight: 2, asked: quality, steps: []step{{start, 0}, {passed, 1}, {complete, 2}}}, // the answer comes before the end
	{weight: 1, asked: quality, steps: []step{{passed, 1}, {complete, 2}, {failed, 6}}},
	{weight: 1, asked: quality, steps: []step{{complete, 2}, {failed, 4}}},
	{weight: 1, asked: quality, steps: []step{{complete, 2}, {passed, 6}, {failed, 4}}}, // the last by time counts
	{weight: 2, asked: quality, steps: []step{{start, 0}, {complete, 2}}},               // nobody answers
	{weight: 2, asked: commit, steps: []step{{start, 0}, {complete, 2}, {committed, 3}}},
	{weight: 1, asked: commit, steps: []step{{start, 0}, {complete, 2}, {fail, 3}, {committed, 1}}},
	{weight: 1, asked: both, steps: []step{{complete, 2}, {committed, 3}, {passed, 4}}},
	{weight: 1, asked: both, steps: []step{{committed, 1}, {complete, 2}}},
	{weight: 2, asked: inTime, steps: []step{{start, 0}, {complete, 2}}},
	{weight: 1, asked: inTime, steps: []step{{complete, 2}, {passed, 9}}}, // in time or not, it counts
}
