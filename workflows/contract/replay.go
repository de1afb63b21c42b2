package contract

import (
	"fmt"
	"regexp"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// ReplayWorkflow folds the whole log into a shadow projection, compares it with the one that readers see and, once a
// person approves, moves the readers.
const ReplayWorkflow = "Replay"

// ReplayWorkflowID names the workflow that builds the projection with this name.
func ReplayWorkflowID(name string) string { return "replay/" + name }

// Replay is the input of ReplayWorkflow.
type Replay struct {
	// Name is that of the projection to build. It must be new.
	Name string `json:"name"`
	// Reason says why, for those who find it later. It may be empty.
	Reason string `json:"reason,omitempty"`
	// NameRules is the revision of a registered set of name rules to fold under. Empty: the rules of the projection that
	// readers see.
	NameRules string `json:"nameRules,omitempty"`
}

var projectionName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}$`)

// Validate says what is wrong with the input, if anything.
func (r Replay) Validate() error {
	if !projectionName.MatchString(r.Name) {
		return fmt.Errorf("name %q: a projection's name is a lower-case letter and up to 62 letters, digits and dashes", r.Name)
	}
	return nil
}

// ReplayStep is where a replay stands.
type ReplayStep string

// The steps of a replay, in their order.
const (
	CreatingShadow   ReplayStep = "creating the shadow"
	FoldingArchive   ReplayStep = "folding the archive"
	FoldingTail      ReplayStep = "folding the tail of the log"
	Comparing        ReplayStep = "comparing"
	AwaitingApproval ReplayStep = "awaiting approval"
	SwitchingReaders ReplayStep = "switching readers"
	Switched         ReplayStep = "switched"
	Rejected         ReplayStep = "rejected"
)

// ProgressQuery asks a replay how far it is. It answers with a ReplayProgress.
const ProgressQuery = "progress"

// ReplayProgress is how far a replay is.
type ReplayProgress struct {
	Step ReplayStep `json:"step"`
	// Archive and Tail are how far the two folds got; nil before they begin.
	Archive *Folded `json:"archive,omitempty"`
	Tail    *Folded `json:"tail,omitempty"`
	// Comparison is nil until it was made.
	Comparison *Comparison `json:"comparison,omitempty"`
	// Verdict is nil until a person gave one that counts.
	Verdict *Verdict `json:"verdict,omitempty"`
	// Note says why the last verdict that came as a signal did not count; empty if it did.
	Note string `json:"note,omitempty"`
}

// The verdicts that a person gives on a replay, as updates or, since the Temporal UI offers both, as signals of the
// same names. Each carries a Verdict; an update answers with the ReplayProgress.
const (
	ApproveUpdate = "approve"
	RejectUpdate  = "reject"
)

// Verdict is what a person decided.
type Verdict struct {
	// By is who decided. It must be given.
	By string `json:"by"`
	// Reason may be empty.
	Reason string `json:"reason,omitempty"`
}

// ReplayResult is what a replay came to.
type ReplayResult struct {
	// Outcome is Switched or Rejected.
	Outcome    ReplayStep `json:"outcome"`
	Verdict    Verdict    `json:"verdict"`
	Comparison Comparison `json:"comparison"`
	// Replaced is the projection that readers saw before; it is kept. Empty unless they were switched.
	Replaced string `json:"replaced,omitempty"`
}

// The activities of a replay. Each takes a Shadow and may be repeated at any time.
const (
	// CreateShadowActivity makes the projection, or finds the one that it made before.
	CreateShadowActivity = "CreateShadow"
	// FoldArchiveActivity folds what the archive has, for about as long as Shadow.Slice; it gives a Folded.
	FoldArchiveActivity = "FoldArchive"
	// FoldTailActivity does the same with what only the log has.
	FoldTailActivity = "FoldTail"
	// CompareActivity gives a Comparison, and keeps it with the projection.
	CompareActivity = "Compare"
	// CatchUpActivity lets the worker keep the shadow up to date from now on.
	CatchUpActivity = "CatchUp"
	// SwitchReadersActivity waits until the shadow has folded all that the live one has, and moves the readers; it
	// gives a Switch.
	SwitchReadersActivity = "SwitchReaders"
	// RetireShadowActivity gives the shadow up. Its rows stay for who wants to look.
	RetireShadowActivity = "RetireShadow"
)

// Shadow names the projection that a replay builds.
type Shadow struct {
	Name string `json:"name"`
	// NameRules is that of the Replay.
	NameRules string `json:"nameRules,omitempty"`
	// Slice bounds one turn of folding, so that progress shows; zero where nothing is folded.
	Slice time.Duration `json:"slice,omitempty"`
}

// Folded is how far a fold got.
type Folded struct {
	// Cursor is the last offset folded.
	Cursor lineage.Offset `json:"cursor"`
	// Goal is the last offset that there was to fold.
	Goal lineage.Offset `json:"goal"`
}

// Done reports that there was nothing left.
func (f Folded) Done() bool { return f.Cursor >= f.Goal }

// Switch is a change of what readers see.
type Switch struct {
	// From is empty if they saw the new projection already.
	From string `json:"from,omitempty"`
	To   string `json:"to"`
}
