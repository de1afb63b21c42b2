package lineage

import (
	"cmp"
	"encoding/json/jsontext"
	"encoding/json/v2"
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

// stateChanges reads which outputs an event creates, drops and renames.
// Source: LifecycleStateChangeDatasetFacet.
func (r *facetReader) stateChanges(event Event) (lives []StatedLife, renames []StatedRename) {
	type lifecycleStateChange struct {
		Change   string         `json:"lifecycleStateChange"`
		Previous jsontext.Value `json:"previousIdentifier"` // of a renaming; of another change it says nothing, whatever it is
	}
	const name = "lifecycleStateChange"
	for _, output := range event.written() {
		path := output.path + ".facets"
		facet, _ := readFacet[lifecycleStateChange](r, output.facets, name, path)
		switch change := strings.ToUpper(facet.Change); change {
		case string(Created), string(Dropped):
			lives = append(lives, StatedLife{output.id, Life(change)})
		case "RENAME":
			var previous DatasetID
			if json.Unmarshal(facet.Previous, &previous) != nil || !usableName(previous.Namespace, previous.Name) {
				r.warn("malformed_facet", path+"."+name, "renames the dataset and does not say from which name")
				continue
			}
			renames = append(renames, StatedRename{output.id, NewDatasetID(previous.Namespace, previous.Name)})
		}
	}
	return lives, renames
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
