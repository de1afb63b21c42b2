package dbt

import (
	"encoding/json/v2"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// tagSource is who set the tags of a manifest.
const tagSource = "DBT"

// tableAttributes are what a manifest says of a node's table beside what it is made of.
func tableAttributes(node Node) *headwaterv1.NodeAttributes {
	attributes := &headwaterv1.NodeAttributes{Documentation: node.Description, DatasetType: tableType(node)}
	for _, owner := range node.owners() {
		attributes.Owners = append(attributes.Owners, &headwaterv1.Owner{Name: owner})
	}
	for _, tag := range node.Tags {
		attributes.Tags = append(attributes.Tags, &headwaterv1.Tag{Key: tag, Value: "true", Source: tagSource})
	}
	return attributes
}

// jobAttributes are what a manifest says of an exposure. What it says of a model is of the model's table.
func jobAttributes(node Node) *headwaterv1.NodeAttributes {
	if node.ResourceType != "exposure" {
		return nil
	}
	return tableAttributes(node)
}

// owners are those that the node names: under meta.owner one or several, as OpenLineage's dbt integration reads it, and the
// owner of an exposure.
func (n Node) owners() []string {
	var stated texts
	switch err := json.Unmarshal(n.Meta["owner"], &stated); {
	case err == nil && len(stated) > 0:
		return stated
	case len(n.Owner.Email) > 0:
		return n.Owner.Email
	case n.Owner.Name != "":
		return []string{n.Owner.Name}
	default:
		return nil
	}
}

// tableType is empty for what dbt does not make.
func tableType(node Node) string {
	switch {
	case !node.hasTable():
		return ""
	case node.Config.Materialized == "view":
		return "VIEW"
	case node.Config.Materialized == "materialized_view":
		return "VIEW/MATERIALIZED"
	default:
		return "TABLE"
	}
}
