package main

import (
	"time"

	"github.com/headwater-data/headwater/internal/system"
)

// drill is one way to break a system.
type drill struct {
	name, about string
	fault       fault
	// skews are what producers' clocks are off by.
	skews []time.Duration
	// hurry is how many times as many runs begin as -rate says; 0 for once.
	hurry int
	// fillsDisk tells that the log needs a disk of its own.
	fillsDisk bool
}

const year = 365 * 24 * time.Hour

var drills = []drill{
	{name: "gateway", about: "kill -9 the gateway and start it again, twice", fault: crash(gateway)},
	{name: "worker", about: "kill -9 the worker and start it again, twice", fault: crash(worker)},
	{name: "postgresql", about: "kill -9 PostgreSQL and start it again, twice", fault: crash(postgreSQL)},
	{name: "temporal", about: "kill -9 Temporal and start it again, twice", fault: crash(temporal)},
	{name: "s3", about: "kill -9 the S3 server and start it again, twice", fault: crash(s3)},
	{name: "everything", about: "kill -9 all of them at once and start them again, twice", fault: crash((*system.System).Parts)},
	{name: "disk-full", about: "fill the disk of PostgreSQL, and make room again", fault: fillDisk, fillsDisk: true},
	{name: "s3-away", about: "keep the S3 server away for a while", fault: s3Away},
	{name: "slow-database", about: "let PostgreSQL stand still again and again, once for longer than a commit may take", fault: slowDatabase},
	{name: "stuck-worker", about: "let the worker stand still for a while", fault: stuckWorker},
	{name: "two-leaders", about: "take the locks of a leading worker, so that a second one takes over before the first notices, five times", fault: twoLeaders},
	{name: "clocks", about: "send by clocks that are hours and decades off", fault: nothing, skews: []time.Duration{
		-36 * year, -24 * time.Hour, 0, time.Hour, 73 * year,
	}},
	{name: "killed-workers", about: "kill -9 the worker every few seconds while -runs runs live", fault: killWorkers, hurry: 2},
	{name: "temporal-wiped", about: "delete all that Temporal remembers", fault: wipeTemporal, hurry: 3},
}
