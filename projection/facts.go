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
	// contribution, as it is and as it is kept, and warnings are set for what contributes to a run or declares.
	contribution lineage.Contribution
	kept         []byte
	warnings     []lineage.Warning
	// attributes are what it says of nodes as such.
	attributes []lineage.StatedAttribute
	// declared is set for a JobEvent, a DatasetEvent and the facts that state lineage.
	declared []lineage.Statement
	// about is the same for facts of which the latest holds; zero for those that hold each by itself.
	about lineage.Hash
	// withdrawal is set for a FactEvent that carries one.
	withdrawal lineage.Latest[lineage.StatedWithdrawal]
	err        error
}

// contributes reports whether the fact adds evidence to a run or declares.
func (f *fact) contributes() bool { return f.kept != nil }

// withdrawable reports whether the fact can be taken out of the answers.
func (f *fact) withdrawable() bool { return f.err == nil && f.event.Permanent() == "" }

// withdraws reports whether the fact takes evidence out of the answers, or puts it back.
func (f *fact) withdraws() bool { return !f.withdrawal.Key.IsZero() }

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
	case lineage.RunEvent, lineage.MarkerEvent, lineage.JobEvent, lineage.DatasetEvent:
		f.contribution, f.warnings = lineage.NewContribution(event, entry.Arrival())
		f.contribution.NameMaps(names)
		f.kept, f.err = f.contribution.Encode()
	case lineage.FactEvent:
		if withdrawal, ok := event.Fact.(lineage.Withdrawal); ok {
			f.withdrawal = lineage.NewStatedWithdrawal(withdrawal, event, entry.Arrival())
		}
		f.about = aboutOf(event.Fact, names)
	case lineage.PublicationDecidedEvent:
	}
	f.declared = declaredBy(f, names)
	f.attributes = f.statedAttributes(names)
	return f
}

// aboutOf is what a fact is about, where of several about one thing the latest holds.
func aboutOf(stated lineage.Fact, names *lineage.NameRules) lineage.Hash {
	if dismissal, ok := stated.(lineage.NameDismissal); ok {
		return lineage.Hash(names.Node(dismissal.Dataset.Node()).ID())
	}
	if key, ok := lineage.AliasKeyOf(stated); ok {
		return key.Hash()
	}
	return lineage.Hash{}
}
