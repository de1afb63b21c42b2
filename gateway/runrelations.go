package gateway

import (
	"fmt"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// addRelations adds the runs around a run whose jobs are shown.
func addRelations(run *headwaterv1.Run, detail projection.RunDetail, shown map[lineage.Node]bool) {
	if parent := detail.Parent.Value; parent.RunID != "" && shown[parent.Job.Node()] {
		run.Parent = runReferenceOf(parent)
	}
	if root := detail.Root.Value; root.RunID != "" && shown[root.Job.Node()] {
		run.Root = runReferenceOf(root)
	}
	for _, child := range detail.Children {
		if shown[child.Job.Node()] {
			run.Children = append(run.Children, runReferenceOf(child))
		}
	}
	for i := range detail.Attempts {
		if summary, ok := runSummaryOf(&detail.Attempts[i], projection.RunFilter{}, shown); ok {
			run.Attempts = append(run.Attempts, summary)
		}
	}
	addTree(run, detail, shown)
	if detail.Tree.Cyclic {
		run.Warnings = append(run.Warnings, &headwaterv1.Warning{
			Code:    "cyclic_parents",
			Message: fmt.Sprintf("the parents of run %s lead back to a run of its own tree; the tree was cut there", detail.Key.RunID),
		})
	}
}

// addTree adds the tree as it is without hidden jobs: of those above the run, what a hidden one separates from it is left
// out, and of those below it, all that is below a hidden one.
func addTree(run *headwaterv1.Run, detail projection.RunDetail, shown map[lineage.Node]bool) {
	hiddenBelow := -1 // the depth of the hidden run that the walk is below; -1: none
	self := false
	for _, member := range detail.Tree.Runs {
		if hiddenBelow >= 0 && member.Depth > hiddenBelow && self {
			continue
		}
		hiddenBelow = -1
		self = self || member.Key == detail.Key
		if !shown[member.Key.Job.Node()] {
			hiddenBelow = member.Depth
			if !self {
				run.Tree = nil
			}
			continue
		}
		run.Tree = append(run.Tree, &headwaterv1.RunTreeNode{
			Run: runReferenceOf(member.Key), State: headwaterv1.RunState(member.State), Placeholder: member.Placeholder, Depth: int32(member.Depth),
		})
	}
	top := int32(0)
	if len(run.GetTree()) > 0 {
		top = run.GetTree()[0].GetDepth()
	}
	for _, member := range run.GetTree() {
		member.Depth -= top
	}
	run.TreeCut = detail.Tree.Cut
}
