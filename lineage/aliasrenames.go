package lineage

import "slices"

// StatedRename says that an output had another name before.
type StatedRename struct {
	Dataset  DatasetID `json:"dataset"`
	Previous DatasetID `json:"previous"`
}

// OutputRename is a name that an output had before, as a run says.
type OutputRename struct {
	Previous DatasetID `json:"previous"`
	// First is the earliest moment at which an event said so.
	First Moment `json:"first"`
}

func compareOutputRenames(a, b OutputRename) int { return a.Previous.Compare(b.Previous) }

func (o *OutputRename) join(other OutputRename) { o.First = earlier(o.First, other.First) }

// statedRenames says which names an output had before, of which the run states something else. A renaming counts once its
// run does. ok is false where the run renames nothing.
func (v *view) statedRenames(stated Statement, same []Output) (s Statement, ok bool) {
	output := same[0].DatasetID
	var aliases []Alias
	for i := range same {
		for _, rename := range same[i].Renames {
			if v.knows(rename.First) {
				aliases = append(aliases, Alias{Name: rename.Previous, Of: output, Source: ByRename})
			}
		}
	}
	stated.Content, stated.Derivation = NewNames(output, aliases), ExplicitPair
	return stated, len(aliases) > 0
}

// renamesUnder gives previous names the names that rules have for them.
func renamesUnder(names *NameRules, raw []OutputRename) []OutputRename {
	known := slices.Clone(raw)
	for i := range known {
		known[i].Previous = names.Dataset(known[i].Previous)
	}
	return unite(nil, known, compareOutputRenames, (*OutputRename).join)
}
