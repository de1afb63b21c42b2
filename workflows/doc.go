// Package workflows holds the decisions that take time: what becomes of a run, when a replayed projection replaces the
// serving one, when the log moves into the archive.
//
// The code is deterministic. It reads no clock and does no I/O; what it wants done, it asks activities to do, which it
// knows by their names in package contract. Every change must replay the histories under testdata.
package workflows
