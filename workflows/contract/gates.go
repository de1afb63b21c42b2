package contract

import (
	"errors"
	"fmt"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// AnswerGateUpdate answers a gate by hand. It takes a GateAnswer and gives a MarkedOutput.
const AnswerGateUpdate = "answer_gate"

// GateAnswer is what a person says of one output and gate.
type GateAnswer struct {
	// Output is named as the run names it.
	Output lineage.DatasetID `json:"output"`
	// Gate is one that the run waits for, or "validation", which may be given at any time.
	Gate   string `json:"gate"`
	Passed bool   `json:"passed"`
	// By says who answers, and Reason why; both are kept in the log.
	By     string `json:"by"`
	Reason string `json:"reason"`
}

// Validate says what is wrong with the answer by itself, if anything.
func (a GateAnswer) Validate() error {
	switch {
	case a.By == "" || a.Reason == "":
		return errors.New(`the answer does not say who gives it and why; send "by" and "reason"`)
	case a.Output.Namespace == "" || a.Output.Name == "":
		return errors.New(`the answer names no output; send "output": {"namespace": "…", "name": "…"}`)
	case a.Gate == "":
		return errors.New(`the answer names no gate; send "gate"`)
	case a.Gate == lineage.CommitGate && !a.Passed:
		return errors.New("a commit that did not happen is no answer; roll the output back instead")
	default:
		return nil
	}
}

// Marker is what the answer says, at a time.
func (a GateAnswer) Marker(at time.Time) lineage.Marker {
	marker := lineage.Marker{Output: a.Output, EventTime: at.UTC(), By: a.By, Reason: a.Reason}
	switch {
	case a.Gate == lineage.CommitGate:
		marker.Kind = lineage.Committed
	case a.Gate == lineage.ValidationGate && a.Passed:
		marker.Kind = lineage.Validated
	case a.Gate == lineage.ValidationGate:
		marker.Kind = lineage.Invalidated
	case a.Passed:
		marker.Kind, marker.Gate = lineage.Passed, a.Gate
	default:
		marker.Kind, marker.Gate = lineage.Failed, a.Gate
	}
	return marker
}

// MarkOutputActivity appends a marker to the log. It takes a Marking and gives a MarkedOutput. Repeating it appends
// nothing twice.
const MarkOutputActivity = "MarkOutput"

// Marking is a marker of one of a run's outputs.
type Marking struct {
	Run    lineage.RunKey `json:"run"`
	Marker lineage.Marker `json:"marker"`
}

// MarkedOutput tells where a marker stands in the log.
type MarkedOutput struct {
	Offset lineage.Offset `json:"offset"`
}

// TimeOutGatesActivity appends a GateTimedOut for each output that has waited long enough. It takes a GateTimeout and
// gives the MarkedOutput of the latest; of offset zero where none has. Repeating it appends nothing twice.
const TimeOutGatesActivity = "TimeOutGates"

// GateTimeout names the deadline that has passed.
type GateTimeout struct {
	Run      lineage.RunKey `json:"run"`
	Deadline time.Time      `json:"deadline"`
}

// UnknownOutput is the type of error for an output that the run does not name.
const UnknownOutput = "UnknownOutput"

// String is for the summary of an activity.
func (m Marking) String() string { return fmt.Sprintf("%s: %s", m.Marker.Output.Name, m.Marker.Kind) }
