package gateway

import (
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

func aliasRegistrationOf(registered *headwaterv1.AliasRegistered) lineage.AliasRegistration {
	registration := lineage.AliasRegistration{
		Alias:     lineage.NewDatasetID(registered.GetAlias().GetNamespace(), registered.GetAlias().GetName()),
		Of:        lineage.NewDatasetID(registered.GetOf().GetNamespace(), registered.GetOf().GetName()),
		Canonical: registered.GetCanonical(),
	}
	if registered.ValidFrom != nil {
		registration.ValidFrom = registered.GetValidFrom().AsTime()
	}
	if registered.ValidTo != nil {
		registration.ValidTo = registered.GetValidTo().AsTime()
	}
	return registration
}

func aliasEndOf(ended *headwaterv1.AliasEnded) lineage.AliasEnd {
	end := lineage.AliasEnd{
		Alias: lineage.NewDatasetID(ended.GetAlias().GetNamespace(), ended.GetAlias().GetName()),
		Of:    lineage.NewDatasetID(ended.GetOf().GetNamespace(), ended.GetOf().GetName()),
	}
	if ended.GetValidTo() != nil {
		end.ValidTo = ended.GetValidTo().AsTime()
	}
	return end
}
