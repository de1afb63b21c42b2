package projection

import (
	"cmp"
	"slices"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// GapKind is what is missing at a place of the graph.
type GapKind int

// The kinds of gap.
const (
	// InputsNotReported: a job is known to write the node, and its runs name no inputs.
	InputsNotReported GapKind = iota + 1
	// DeclaredOnly: no run was seen to do what the declarations of the node's inputs say.
	DeclaredOnly
	// ProvisionalNamespace: no name rule is about the namespace, so its names are taken as they come.
	ProvisionalNamespace
	// NoColumnLineage: a job reads one dataset and writes another, and nothing tells which columns go where.
	NoColumnLineage
	// ColumnLineageOutdated: the job has run since it last stated column lineage.
	ColumnLineageOutdated
	// NameDoesNotFit: the name does not have the shape of its namespace.
	NameDoesNotFit
	// NoSuchField: the schema that the dataset has at that time does not have the field that the walk starts from.
	NoSuchField
	// FieldSpelledOtherwise: more is said of a field whose name differs only in upper and lower case, and no name rule makes
	// the two one.
	FieldSpelledOtherwise
)

// Gap marks a place where the graph is known not to say everything.
type Gap struct {
	Kind GapKind
	// Node is set unless the gap is about a namespace.
	Node *lineage.Node
	// Namespace is set for ProvisionalNamespace.
	Namespace string
	// Misfit says of NameDoesNotFit why the name does not fit.
	Misfit string
	// Meant is the field whose name differs only in upper and lower case; empty where NoSuchField knows of none.
	Meant lineage.FieldPath
	// Job is set for the gaps of column lineage, unless it is that of a view.
	Job *lineage.JobID
	// Stated tells of NoColumnLineage that the job says so itself, which silence does not.
	Stated bool
	// Since is when the column lineage of ColumnLineageOutdated was last stated.
	Since time.Time
}

// gaps follow from the shown nodes and edges alone, so that they tell nothing of hidden ones. Where filters leave out edges,
// these do not tell whether a run was seen to do what is declared.
func gaps(nodes []AnswerNode, edges []Edge, names *lineage.NameRules, filters Filters) []Gap {
	type into struct{ silent, declared, observed bool }
	edgesInto := map[lineage.Node]into{}
	for _, edge := range edges {
		of := edgesInto[edge.To]
		of.silent = of.silent || edge.Silent
		of.declared = of.declared || edge.Origin == lineage.Declared
		of.observed = of.observed || edge.Origin == lineage.Observed
		edgesInto[edge.To] = of
	}
	found := nameGaps(nodes, names)
	for _, node := range nodes {
		of := edgesInto[node.Node]
		if of.silent {
			found = append(found, Gap{Kind: InputsNotReported, Node: &node.Node})
		}
		if of.declared && !of.observed && filters.none() {
			found = append(found, Gap{Kind: DeclaredOnly, Node: &node.Node})
		}
	}
	slices.SortStableFunc(found, func(a, b Gap) int { return cmp.Compare(a.Kind, b.Kind) })
	return found
}
