package lineage

import (
	"cmp"
	"strings"
)

// TransformationKind tells whether values of the input reach the output. The numbers are stored.
type TransformationKind int16

// The kinds of transformation.
const (
	// Direct: values of the output are made of values of the input.
	Direct TransformationKind = 1
	// Indirect: the input decides which values there are, and none of its own are among them: a filter, a join's key.
	Indirect TransformationKind = 2
)

// Transformation is how an input field comes into an output field. Its description is not kept: it quotes SQL.
type Transformation struct {
	Kind TransformationKind
	// Subtype is as the producer writes it, such as IDENTITY or JOIN; empty where it was not told.
	Subtype string
	// Masking tells that the output shows nothing of the input's values, as a hash does.
	Masking bool
}

// Compare orders transformations by kind, subtype and masking.
func (t Transformation) Compare(other Transformation) int {
	switch {
	case t.Kind != other.Kind:
		return cmp.Compare(t.Kind, other.Kind)
	case t.Subtype != other.Subtype:
		return strings.Compare(t.Subtype, other.Subtype)
	case t.Masking == other.Masking:
		return 0
	case other.Masking:
		return -1
	default:
		return 1
	}
}

// maxSubtypeBytes bounds a subtype, which is a word; what is longer is cut.
const maxSubtypeBytes = 200

// newTransformation reads what a facet says. A type that the specification does not know counts as direct, so that no
// impact goes unseen, and stands before the subtype.
func newTransformation(kind, subtype string, masking bool) Transformation {
	t := Transformation{Kind: Direct, Subtype: subtype, Masking: masking}
	switch known := strings.ToUpper(kind); {
	case known == "INDIRECT":
		t.Kind = Indirect
	case known == "DIRECT" || kind == "":
	case subtype == "":
		t.Subtype = kind
	default:
		t.Subtype = kind + "/" + subtype
	}
	t.Subtype = cut(storable(RedactText(t.Subtype)), maxSubtypeBytes)
	return t
}

// legacyTransformation reads the type that facets before 1.1 state once for all inputs of a field: IDENTITY, MASKED, or
// a word of the producer's own.
// Source: ColumnLineageDatasetFacet, transformationType.
func legacyTransformation(kind string) Transformation {
	return newTransformation("DIRECT", kind, strings.EqualFold(kind, "MASKED"))
}
