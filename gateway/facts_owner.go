package gateway

import (
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

func ownershipOf(registered *headwaterv1.OwnerRegistered) lineage.Ownership {
	ownership := lineage.Ownership{}
	switch node := registered.GetNode().(type) {
	case *headwaterv1.OwnerRegistered_Dataset:
		ownership.Dataset = lineage.NewDatasetID(node.Dataset.GetNamespace(), node.Dataset.GetName())
	case *headwaterv1.OwnerRegistered_Job:
		ownership.Job = jobIDOf(node.Job)
	}
	for _, owner := range registered.GetOwners() {
		ownership.Owners = append(ownership.Owners, lineage.Owner{Name: owner.GetName(), Type: owner.GetType()})
	}
	return ownership
}
