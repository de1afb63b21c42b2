package projection

import (
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// statementKey is a statement's place: its timeline and its moment in it.
type statementKey struct {
	timeline lineage.Hash
	// at is in microseconds since 1970.
	at  int64
	key lineage.Hash
}

func (k statementKey) moment() lineage.Moment {
	return lineage.Moment{EffectiveAt: time.UnixMicro(k.at).UTC(), Key: k.key}
}

// statementRow is a row of table statement. Two are equal if they say the same.
type statementRow struct {
	statementKey
	level   lineage.Level
	content lineage.Hash
	// until is valid_until, in microseconds since 1970.
	until int64
	// job is zero where the timeline belongs to none.
	job         lineage.Hash
	output      lineage.NodeID
	speaks      bool
	origin      lineage.Origin
	publication lineage.Publication
	derivation  lineage.Derivation
	runID       string
	// runState is where the run stands, which may change when the statement does not.
	runState   lineage.RunState
	jobVersion string
	sender     lineage.Sender
}

func (s statementRow) validUntil() time.Time { return time.UnixMicro(s.until).UTC() }

func (s statementRow) mark() lineage.Mark {
	return lineage.Mark{Moment: s.moment(), Content: s.content, Speaks: s.speaks, Until: s.validUntil()}
}

// statementRows are the rows of what a run in some state states, or of declarations in state 0.
func statementRows(statements []lineage.Statement, state lineage.RunState) map[statementKey]statementRow {
	rows := make(map[statementKey]statementRow, len(statements))
	for i := range statements {
		s := &statements[i]
		key := statementKey{timeline: s.TimelineID(), at: s.EffectiveAt.UnixMicro(), key: s.Key}
		row := statementRow{
			statementKey: key, level: s.Content.Level(), content: s.Content.ID(), until: s.Until.UnixMicro(), job: jobOf(s),
			output: s.Output.ID(), speaks: s.Speaks, origin: s.Origin, publication: s.Publication, derivation: s.Derivation,
			runID: s.RunID, runState: state, jobVersion: s.JobVersion, sender: s.Sender,
		}
		if s.RunID == "" {
			row.runState = 0
		}
		rows[key] = row
	}
	return rows
}

func jobOf(s *lineage.Statement) lineage.Hash {
	if s.Job == (lineage.JobID{}) {
		return lineage.Hash{}
	}
	return lineage.Hash(s.Job.Node().ID())
}
