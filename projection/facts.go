package projection

import (
	"math"
	"runtime"
	"sync"

	"github.com/headwater-data/headwater/lineage"
)

// fact is what one entry of the log says, ready to be folded.
type fact struct {
	entry lineage.Entry
	event lineage.Event
	// contribution and warnings are set for a RunEvent and a MarkerEvent.
	contribution lineage.Contribution
	warnings     []lineage.Warning
	// declared is set for a JobEvent, a DatasetEvent and the facts that state lineage.
	declared []lineage.Statement
	err      error
}

// accepted reads whatever the doors once let in, whatever their limits are today.
var accepted = lineage.Limits{Depth: math.MaxInt, NameBytes: math.MaxInt, RunIDBytes: math.MaxInt, Datasets: math.MaxInt}

// readFacts decodes entries side by side: decoding is most of the work of a batch, and needs no database.
func readFacts(entries []lineage.Entry, names *lineage.NameRules) []fact {
	facts := make([]fact, len(entries))
	workers := min(runtime.GOMAXPROCS(0), len(entries))
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() {
			for i := worker; i < len(entries); i += workers {
				facts[i] = readFact(entries[i], names)
			}
		})
	}
	group.Wait()
	return facts
}

func readFact(entry lineage.Entry, names *lineage.NameRules) fact {
	event, err := lineage.Decode(entry.Format, entry.Payload, accepted)
	f := fact{entry: entry, event: event, err: err}
	if err != nil {
		return f
	}
	switch event.Kind {
	case lineage.RunEvent, lineage.MarkerEvent:
		f.contribution, f.warnings = lineage.NewContribution(event, entry.Arrival())
	case lineage.JobEvent, lineage.DatasetEvent, lineage.FactEvent:
		f.declared = declaredBy(f, names)
	case lineage.PublicationDecidedEvent:
	}
	return f
}
