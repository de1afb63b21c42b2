// Command lifecycle measures how runs are decided: how long after its end a run is published at a steady rate, how fast
// the backlog of a burst drains, what Temporal has to do for a run, and what it saves that signals are gathered.
package main
