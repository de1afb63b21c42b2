package gateway

import (
	"cmp"
	"fmt"
	"time"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// fieldOf is the field that a request names.
func fieldOf(field *headwaterv1.Field) lineage.Node {
	return lineage.NewDatasetID(field.GetNamespace(), field.GetName()).Field(lineage.NewFieldPath(field.GetPath()))
}

func answeredField(node projection.AnswerNode) *headwaterv1.Node_Field {
	path := cmp.Or(node.Spelled, node.Path)
	return &headwaterv1.Node_Field{Field: &headwaterv1.Field{Namespace: node.Namespace, Name: node.Name, Path: string(path)}}
}

// transformationKinds are those that a walk over fields goes along. The numbers are those of the contract.
func transformationKinds(asked []headwaterv1.TransformationKind) []lineage.TransformationKind {
	var kinds []lineage.TransformationKind
	for _, kind := range asked {
		kinds = append(kinds, lineage.TransformationKind(kind))
	}
	return kinds
}

func transformationsOf(transformations []lineage.Transformation) []*headwaterv1.Transformation {
	var answered []*headwaterv1.Transformation
	for _, t := range transformations {
		answered = append(answered, &headwaterv1.Transformation{
			Kind: headwaterv1.TransformationKind(t.Kind), Subtype: t.Subtype, Masking: t.Masking,
		})
	}
	return answered
}

// tableLevelOf is nil where a walk met no table whose columns are not known.
func (s *lineageService) tableLevelOf(edges []projection.Edge) *headwaterv1.TableLevel {
	if len(edges) == 0 {
		return nil
	}
	level := &headwaterv1.TableLevel{}
	ids := map[lineage.Node]string{}
	for _, edge := range edges {
		for _, node := range []lineage.Node{edge.From, edge.To} {
			if _, known := ids[node]; !known {
				ids[node] = s.ids.id(node)
				level.Nodes = append(level.Nodes, answerNodeOf(projection.AnswerNode{Node: node}, ids[node]))
			}
		}
		level.Edges = append(level.Edges, edgeOf(edge, ids))
	}
	return level
}

// columnGapOf is a gap of column lineage as the contract has it.
func columnGapOf(gap projection.Gap) *headwaterv1.Gap {
	answered := &headwaterv1.Gap{Kind: headwaterv1.GapKind_GAP_KIND_NO_COLUMN_LINEAGE}
	job := "a view"
	if gap.Job != nil {
		answered.Job = jobOf(*gap.Job)
		job = "job " + gap.Job.Name
	}
	switch {
	case gap.Kind == projection.ColumnLineageOutdated:
		answered.Kind = headwaterv1.GapKind_GAP_KIND_COLUMN_LINEAGE_OUTDATED
		answered.Message = fmt.Sprintf("%s reported how the columns of %s come about at %s and not since",
			job, gap.Node.Name, gap.Since.Format(time.RFC3339))
	case gap.Stated:
		answered.Message = fmt.Sprintf("%s says that there is no lineage of columns into %s; its tables stand apart", job, gap.Node.Name)
	default:
		answered.Message = fmt.Sprintf("%s does not report how columns come into %s; its tables stand apart", job, gap.Node.Name)
	}
	return answered
}

// noSuchFieldOf tells of a start that is no field of its dataset, and which one may be meant.
func noSuchFieldOf(gap projection.Gap) *headwaterv1.Gap {
	message := fmt.Sprintf("the schema of %s at that time has no field %s", gap.Node.Name, gap.Node.Path)
	if gap.Meant != "" {
		message += fmt.Sprintf("; it has %s, which differs only in upper and lower case", gap.Meant)
	}
	return &headwaterv1.Gap{Kind: headwaterv1.GapKind_GAP_KIND_NO_SUCH_FIELD, Message: message}
}

// spelledOtherwiseOf tells of a field at which a walk may have ended for want of a name rule.
func spelledOtherwiseOf(gap projection.Gap) *headwaterv1.Gap {
	return &headwaterv1.Gap{
		Kind: headwaterv1.GapKind_GAP_KIND_FIELD_SPELLED_OTHERWISE,
		Message: fmt.Sprintf("more is said of %s of %s, which differs from %s only in upper and lower case: "+
			"a name rule that folds columns makes them one", gap.Meant, gap.Node.Name, gap.Node.Path),
	}
}
