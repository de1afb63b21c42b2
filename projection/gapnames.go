package projection

import "github.com/headwater-data/headwater/lineage"

// nameGaps tell of namespaces in which names are taken as they come, and of names that do not have the shape of theirs.
func nameGaps(nodes []AnswerNode, names *lineage.NameRules) []Gap {
	var found []Gap
	namespaces, datasets := map[string]bool{}, map[lineage.DatasetID]bool{}
	for _, node := range nodes {
		id := lineage.DatasetID{Namespace: node.Namespace, Name: node.Name}
		if node.Kind == lineage.NodeJob || datasets[id] {
			continue
		}
		datasets[id] = true
		resolved := names.Resolve(id)
		if resolved.Provisional && !namespaces[id.Namespace] {
			namespaces[id.Namespace] = true
			found = append(found, Gap{Kind: ProvisionalNamespace, Namespace: id.Namespace})
		}
		if resolved.Misfit != "" && len(node.Aliases) == 0 { // another name says what it means
			found = append(found, Gap{Kind: NameDoesNotFit, Node: &node.Node, Misfit: resolved.Misfit})
		}
	}
	return found
}
