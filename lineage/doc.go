// Package lineage is Headwater's domain: identities, events, the life of a run, flows and the law of time. It is
// pure: no I/O, no clock, nothing but the standard library, so that the live projector, a replay and a workflow
// reach the same result from the same events.
//
// The way through it follows the data: Decode turns accepted bytes into an Event; NewContribution keeps what the
// event says of its run; Run.Add folds contributions in any order; Run.Statements says what the run publishes, and
// DeclaredStatements what an event about no run declares; Timeline.Change turns changed statements into writes to
// open and to close.
package lineage
