package contract

import (
	"errors"
	"net/url"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// RunLifecycleWorkflow follows one run and decides which of its outputs are published. It ends when nothing is left
// to decide, and later evidence starts it again under the same id. A person may start it too, to have a run weighed again
// under the policies of now.
const RunLifecycleWorkflow = "RunLifecycle"

// maxRunIDBytes bounds what of a run id stands in the id of its workflow, which Temporal bounds at 1,000 bytes.
const maxRunIDBytes = 512

// RunWorkflowID names the workflow of a run. Temporal's client sends the id in a header, which holds printable ASCII
// alone, so all else is escaped as in a URL; what is too long is known by its beginning and a hash. The hash at the end
// tells apart two jobs that use one run id.
func RunWorkflowID(run lineage.RunKey) string {
	id := url.PathEscape(run.RunID)
	if len(id) > maxRunIDBytes {
		id = id[:maxRunIDBytes] + "/" + lineage.HashOf(run.RunID).String()
	}
	return "run/" + id + "/" + run.Job.Hash().Short()
}

// RunLifecycle is the input of RunLifecycleWorkflow.
type RunLifecycle struct {
	Run lineage.RunKey `json:"run"`
	// Evidence is the offset up to which evidence must be weighed; zero for whatever there is.
	Evidence lineage.Offset `json:"evidence,omitempty"`
}

// Validate says what is wrong with the input, if anything.
func (l RunLifecycle) Validate() error {
	if l.Run.RunID == "" || l.Run.Job.Namespace == "" || l.Run.Job.Name == "" {
		return errors.New(`the input names no run; send {"run": {"job": {"namespace": "…", "name": "…"}, "runId": "…"}}`)
	}
	return nil
}

// EvidenceSignal tells a run's workflow that events of the run came. It carries an Evidence.
const EvidenceSignal = "evidence"

// Evidence is a reference of a few bytes; the events themselves stay in the log.
type Evidence struct {
	// Offset is that of the latest event; 0 only asks that the run be weighed again, under the policies of now.
	Offset lineage.Offset `json:"offset"`
}

// WaitingForQuery asks a run's workflow what it waits for. It answers with a WaitingFor.
const WaitingForQuery = "waiting_for"

// WaitingFor says what a run's workflow waits for.
type WaitingFor struct {
	// For is a phrase for people, such as "the end of the run".
	For string `json:"for"`
	// Signalled is the offset of the latest evidence that the workflow was told of.
	Signalled lineage.Offset `json:"signalled"`
	// Weighed is what the last weighing found.
	Weighed Weighed `json:"weighed"`
}

// WeighRunActivity weighs what the log says of a run and appends the decisions that follow. It takes a Weighing and
// gives a Weighed. Repeating it appends nothing twice.
const WeighRunActivity = "WeighRun"

// Weighing asks for a run to be weighed.
type Weighing struct {
	Run lineage.RunKey `json:"run"`
	// UpTo is the offset that the projection must have reached.
	UpTo lineage.Offset `json:"upTo"`
}

// Weighed sums up a run as it was weighed.
type Weighed struct {
	// State is the name of the run's state; empty before the first weighing.
	State string `json:"state,omitempty"`
	// Disputed reports that terminal events of different kinds came.
	Disputed bool `json:"disputed,omitempty"`
	// Continuous reports that the job has no natural end.
	Continuous bool `json:"continuous,omitempty"`
	// Outputs counts the run's outputs by publication, in the order in which publications are numbered.
	Outputs []OutputCount `json:"outputs,omitempty"`
	// Gates are the names of the gates that outputs wait for, sorted.
	Gates []string `json:"gates,omitempty"`
	// Deadline is the earliest time at which an output stops waiting for its gates; zero where none ever does.
	Deadline time.Time `json:"deadline,omitzero"`
	// Settled reports that nothing is left to decide.
	Settled bool `json:"settled"`
	// OpenUntil is until when a settled run's workflow stays for late evidence; zero where it ends at once.
	OpenUntil time.Time `json:"openUntil,omitzero"`
	// Basis is the last event that was weighed.
	Basis lineage.Position `json:"basis"`
	// Decided is the offset of the latest decision that this weighing appended; zero if it appended none.
	Decided lineage.Offset `json:"decided,omitempty"`
	// PolicyRevision identifies the set of policies that was asked; empty if there was nothing to ask.
	PolicyRevision string `json:"policyRevision,omitempty"`
}

// OutputCount is how many outputs of a run have one publication.
type OutputCount struct {
	Publication string `json:"publication"`
	Outputs     int    `json:"outputs"`
}
