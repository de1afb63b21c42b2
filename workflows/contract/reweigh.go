package contract

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// ReweighWorkflow has runs weighed again under the policies of now, each by its own workflow. A person starts it, under
// whatever id, and it gives a Reweighed.
const ReweighWorkflow = "Reweigh"

// Reweigh is the input of ReweighWorkflow: one run, or all runs for which everything holds that is given.
type Reweigh struct {
	// RunID names a run. Its Job is needed only where runs of several jobs have that id.
	RunID string        `json:"runId,omitzero"`
	Job   lineage.JobID `json:"job,omitzero"`
	// Publications are those of which at least one output must have one, such as "pending".
	Publications []string `json:"publications,omitempty"`
	// Since and Until are when the runs began: at Since or later, and before Until.
	Since time.Time `json:"since,omitzero"`
	Until time.Time `json:"until,omitzero"`
}

// Validate says what is wrong with the input, if anything.
func (r Reweigh) Validate() error {
	switch {
	case r.RunID == "" && r.Job == (lineage.JobID{}) && len(r.Publications) == 0:
		return errors.New(`the input names no runs; send {"runId": "…"}, or what runs have in common: ` +
			`{"job": {"namespace": "…", "name": "…"}, "publications": ["pending"], "since": "2026-07-19T00:00:00Z"}`)
	case r.RunID != "" && (len(r.Publications) > 0 || !r.Since.IsZero() || !r.Until.IsZero()):
		return errors.New(`"runId" names one run, so leave out "publications", "since" and "until"`)
	case (r.Job.Namespace == "") != (r.Job.Name == ""):
		return errors.New(`"job" needs both "namespace" and "name"`)
	}
	for _, name := range r.Publications {
		if _, known := lineage.ParsePublication(name); !known {
			return fmt.Errorf(`%q is no publication; send any of pending, published, diagnostic, suspect, rejected, rolled_back`, name)
		}
	}
	return nil
}

// String is for the summary of an activity.
func (r Reweigh) String() string {
	if r.RunID != "" {
		return "run " + r.RunID
	}
	text := strings.TrimSpace(strings.Join(r.Publications, " or ") + " runs")
	if r.Job.Name != "" {
		text += " of job " + r.Job.Name
	}
	return text
}

// TellRunsActivity asks the workflows of runs to weigh them again, and starts those that have ended. It takes a Reweigh and
// gives a Reweighed. Repeating it has the runs weighed once more, which changes nothing.
const TellRunsActivity = "TellRuns"

// Reweighed tells how many runs are weighed again.
type Reweighed struct {
	Runs int `json:"runs"`
}
