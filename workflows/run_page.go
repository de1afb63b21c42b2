package workflows

import (
	"fmt"
	"strings"
	"time"
)

// page is what the Temporal UI shows of the run, in Markdown.
func (r *run) page() string {
	state := r.weighed.State
	if r.weighed.Disputed {
		state += " (disputed: terminal events of different kinds came)"
	}
	page := markdown{}
	page.table("", "")
	page.row("**Job**", code(r.key.Job.Name)+" in "+code(r.key.Job.Namespace))
	page.row("**Run**", code(r.key.RunID))
	page.row("**State**", state)
	page.row("**Outputs**", r.outputs())
	page.row("**Waiting for**", r.waitingFor())
	page.row("**Weighed up to**", fmt.Sprintf("offset %d, epoch %d", r.weighed.Basis.Offset, r.weighed.Basis.Epoch))
	if r.weighed.PolicyRevision != "" {
		page.row("**Policies**", code(r.weighed.PolicyRevision))
	}
	return page.text
}

func (r *run) outputs() string {
	if len(r.weighed.Outputs) == 0 {
		return "none named so far"
	}
	counts := make([]string, len(r.weighed.Outputs))
	for i, count := range r.weighed.Outputs {
		counts[i] = fmt.Sprintf("%d %s", count.Outputs, count.Publication)
	}
	return strings.Join(counts, ", ")
}

// awaitedGates names the gates and until when they are waited for.
func (r *run) awaitedGates() string {
	gates := "the gate " + r.weighed.Gates[0]
	if len(r.weighed.Gates) > 1 {
		gates = "the gates " + strings.Join(r.weighed.Gates, ", ")
	}
	if r.weighed.Deadline.IsZero() {
		return gates
	}
	return gates + " until " + clock(r.weighed.Deadline)
}

func clock(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05 MST") }

func (r *run) waitingFor() string {
	switch {
	case r.weighed.State == "":
		return "the first weighing"
	case r.weighed.Settled && !r.weighed.OpenUntil.IsZero():
		return "late evidence until " + clock(r.weighed.OpenUntil) + ", if any; everything is decided"
	case r.weighed.Settled:
		return "nothing: everything is decided"
	case len(r.weighed.Gates) > 0:
		return r.awaitedGates()
	case r.weighed.Continuous:
		return "more evidence: the job has no natural end"
	default:
		return "the end of the run"
	}
}
