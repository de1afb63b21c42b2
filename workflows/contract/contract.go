// Package contract is what those who start workflows and those who host them agree on: task queue, workflow ids,
// inputs and results, signals, updates, queries and search attributes. Changing what is written here changes what
// running workflows have in their histories.
//
// Every workflow that a person may start takes exactly one JSON object, as the form of the Temporal UI wants it.
package contract

// TaskQueue is where the worker waits for workflows and activities.
const TaskQueue = "headwater"

// The types of error that end an activity for good, whatever its retry policy: nothing but a person helps.
const (
	// RefusedInput means that what a person gave cannot be worked with; the message says why.
	RefusedInput = "RefusedInput"
	// UnknownRun means that the log holds nothing of the run.
	UnknownRun = "UnknownRun"
	// ContradictedDecision means that the log holds another decision under the same id: code that should be pure was not.
	ContradictedDecision = "ContradictedDecision"
)
