package lineage

import (
	"cmp"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"slices"
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

// StatedLife is what one event says of the existence of an output or an input.
type StatedLife struct {
	Dataset DatasetID `json:"dataset"`
	Life    Life      `json:"life"`
}

type lifecycleStateChange struct {
	Change   string         `json:"lifecycleStateChange"`
	Previous jsontext.Value `json:"previousIdentifier"` // of a renaming; of another change it says nothing, whatever it is
}

// stateChange reads a change, in capitals, with what it says of existence; that is empty where it says nothing.
// Source: LifecycleStateChangeDatasetFacet.
func (r *facetReader) stateChange(facets Facets, path string) (facet lifecycleStateChange, life Life) {
	facet, _ = readFacet[lifecycleStateChange](r, facets, "lifecycleStateChange", path)
	facet.Change = strings.ToUpper(facet.Change)
	if life = Life(facet.Change); life == Created || life == Dropped {
		return facet, life
	}
	return facet, ""
}

// stateChanges reads which outputs an event creates, drops and renames.
func (r *facetReader) stateChanges(event Event) (lives []StatedLife, renames []StatedRename) {
	for _, output := range event.written() {
		path := output.path + ".facets"
		facet, life := r.stateChange(output.facets, path)
		switch {
		case life != "":
			lives = append(lives, StatedLife{output.id, life})
		case facet.Change == "RENAME":
			var previous DatasetID
			if json.Unmarshal(facet.Previous, &previous) != nil || !usableName(previous.Namespace, previous.Name) {
				r.warn("malformed_facet", path+".lifecycleStateChange", "renames the dataset and does not say from which name")
				continue
			}
			renames = append(renames, StatedRename{output.id, NewDatasetID(previous.Namespace, previous.Name)})
		}
	}
	return lives, renames
}

// inputLives reads which inputs an event creates and drops: Airflow's operators that delete objects name them as inputs. A
// renaming has two names, and an input that was read under one of them does not tell which.
func (r *facetReader) inputLives(event Event) []StatedLife {
	var lives []StatedLife
	for i, input := range event.Inputs {
		path := fmt.Sprintf("inputs[%d].facets", i)
		facet, life := r.stateChange(input.Facets, path)
		switch {
		case life != "":
			lives = append(lives, StatedLife{input.DatasetID, life})
		case facet.Change == "RENAME":
			r.warn("renamed_input", path+".lifecycleStateChange", "renames an input, which says nothing: name what was renamed as an output, by its new name")
		}
	}
	return lives
}

// RunLife is what a run says of the existence of an output or an input.
type RunLife struct {
	Life Life `json:"life"`
	// First and Last are the earliest and the latest moment at which an event said so.
	First Moment `json:"first"`
	Last  Moment `json:"last"`
}

func compareRunLives(a, b RunLife) int { return cmp.Compare(a.Life, b.Life) }

func (l *RunLife) join(other RunLife) {
	l.First = earlier(l.First, other.First)
	l.Last = later(l.Last, other.Last)
}

func (l RunLife) moments() (first, last Moment) { return l.First, l.Last }

// statedLife says of the existence of an output what the run says, of which it states something else. ok is false where
// the run says nothing of it.
func (v *view) statedLife(stated Statement, same []Output) (s Statement, ok bool) {
	var said []RunLife
	for i := range same {
		said = append(said, same[i].Lives...)
	}
	holds, ok := latest(v, said)
	stated.Content, stated.Derivation = holds.Life, ExplicitPair
	return stated, ok
}

// inputLives says of the existence of the inputs what a run says that ended and did what it set out to do. It says nothing of
// one that is an output as well: that has a publication of its own.
func (s *RunStatements) inputLives() []Statement {
	end := s.run.End
	if end == nil || end.Type != Complete || s.run.Continuous() || !slices.ContainsFunc(s.run.Inputs, func(i Input) bool { return len(i.Lives) > 0 }) {
		return nil
	}
	view, maker := newView(s.run, end.EffectiveAt, s.flows), s.maker()
	for i := range s.run.Inputs {
		input := &s.run.Inputs[i]
		holds, told := latest(view, input.Lives)
		if !told || !view.reads(input) || s.run.Output(input.DatasetID) != nil {
			continue
		}
		stated := Statement{Output: input.Node(), Content: holds.Life, Derivation: ExplicitPair}
		maker.add(view, end.Sender, stated)
		if holds.Life == Dropped {
			stated.Content = Absence(SchemaLevel)
			maker.add(view, end.Sender, stated)
		}
	}
	return maker.statements
}
