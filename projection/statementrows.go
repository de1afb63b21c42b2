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
	flow lineage.Hash
	// until is valid_until, in microseconds since 1970.
	until       int64
	output      lineage.NodeID
	speaks      bool
	origin      lineage.Origin
	publication lineage.Publication
	derivation  lineage.Derivation
	run         lineage.Hash
	jobVersion  string
	sender      lineage.Sender
}

func (s statementRow) validUntil() time.Time { return time.UnixMicro(s.until).UTC() }

func (s statementRow) mark() lineage.Mark {
	return lineage.Mark{Moment: s.moment(), Flow: s.flow, Speaks: s.speaks, Until: s.validUntil()}
}

func statementRows(statements []lineage.Statement) map[statementKey]statementRow {
	rows := make(map[statementKey]statementRow, len(statements))
	for i := range statements {
		s := &statements[i]
		key := statementKey{timeline: s.TimelineID(), at: s.EffectiveAt.UnixMicro(), key: s.Key}
		rows[key] = statementRow{
			statementKey: key, flow: s.Flow.ID(), until: s.Until.UnixMicro(), output: s.Output.ID(), speaks: s.Speaks, origin: s.Origin,
			publication: s.Publication, derivation: s.Derivation, run: s.Run, jobVersion: s.JobVersion, sender: s.Sender,
		}
	}
	return rows
}
