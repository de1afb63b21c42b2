package lineage

import "slices"

// KeptDecisions is how many decisions on one output a run keeps, the latest, beside those that may rule again. A stream whose
// checks pass and fail by turns is decided for ever; the log has all of it.
const KeptDecisions = 100

// Kept are those of the decisions on a run, in the order of the log, that it keeps. Whatever end the run comes to have, the same
// rules as among all; and what is kept of some and of those that follow is what is kept of all.
func Kept(decisions []RecordedDecision) []RecordedDecision {
	type class struct {
		output DatasetID
		end    EventType
	}
	rules := map[class]RecordedDecision{}
	for _, decision := range decisions {
		of := class{decision.Output, decision.EndType}
		if standing, known := rules[of]; !decision.Overtaken && (!known || decision.overrules(standing)) {
			rules[of] = decision
		}
	}
	var kept []RecordedDecision
	since := map[DatasetID]int{}
	for _, decision := range slices.Backward(decisions) {
		since[decision.Output]++
		if since[decision.Output] <= KeptDecisions || rules[class{decision.Output, decision.EndType}].Recorded == decision.Recorded {
			kept = append(kept, decision)
		}
	}
	slices.Reverse(kept)
	return kept
}
