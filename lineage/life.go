package lineage

import (
	"cmp"
	"fmt"
	"strings"
)

// LifeLevel says whether a dataset exists. Its content is Created or Dropped.
const LifeLevel Level = 5

// Life is what an event says of the existence of a dataset.
type Life string

// What is said of a dataset's existence. That it was altered, overwritten or truncated says nothing of it: it goes on, and
// so does all that was stated of it.
const (
	Created Life = "CREATE"
	Dropped Life = "DROP"
)

// ID implements Content.
func (l Life) ID() Hash { return HashOf("life", string(l)) }

// Level implements Content.
func (Life) Level() Level { return LifeLevel }

// StatedLife is what one event says of the existence of an output.
type StatedLife struct {
	Dataset DatasetID `json:"dataset"`
	Life    Life      `json:"life"`
}

// lives reads which outputs an event creates and drops.
// Source: LifecycleStateChangeDatasetFacet.
func (r *facetReader) lives(event Event) []StatedLife {
	type lifecycleStateChange struct {
		Change string `json:"lifecycleStateChange"`
	}
	var stated []StatedLife
	read := func(dataset Dataset, path string) {
		facet, _ := readFacet[lifecycleStateChange](r, dataset.Facets, "lifecycleStateChange", path)
		if life := Life(strings.ToUpper(facet.Change)); life == Created || life == Dropped {
			stated = append(stated, StatedLife{dataset.DatasetID, life})
		}
	}
	if event.Kind == DatasetEvent {
		read(event.Dataset, "dataset.facets")
	}
	for i, output := range event.Outputs {
		read(output, fmt.Sprintf("outputs[%d].facets", i))
	}
	return stated
}

// OutputLife is what a run says of the existence of an output.
type OutputLife struct {
	Life Life `json:"life"`
	// First and Last are the earliest and the latest moment at which an event said so.
	First Moment `json:"first"`
	Last  Moment `json:"last"`
}

func compareOutputLives(a, b OutputLife) int { return cmp.Compare(a.Life, b.Life) }

func (l *OutputLife) join(other OutputLife) {
	l.First = earlier(l.First, other.First)
	l.Last = later(l.Last, other.Last)
}

func (l OutputLife) moments() (first, last Moment) { return l.First, l.Last }

// statedLife says of the existence of an output what the run says, of which it states something else. ok is false where
// the run says nothing of it.
func (v *view) statedLife(stated Statement, same []Output) (s Statement, ok bool) {
	var said []OutputLife
	for i := range same {
		said = append(said, same[i].Lives...)
	}
	holds, ok := latest(v, said)
	stated.Content, stated.Derivation = holds.Life, ExplicitPair
	return stated, ok
}
