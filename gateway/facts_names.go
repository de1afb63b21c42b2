package gateway

import (
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

// nameRegistrationOf fills in presets, so that the log holds what was meant when the set was registered.
func nameRegistrationOf(registered *headwaterv1.NameRulesRegistered) (lineage.Fact, error) {
	rules, err := lineage.NewNameRules(nameRulesOf(registered.GetRules()))
	if err != nil {
		return nil, err
	}
	return lineage.NameRuleRegistration{Rules: rules.Set()}, nil
}

func nameDismissalOf(dismissed *headwaterv1.NameDismissed) lineage.NameDismissal {
	dataset := dismissed.GetDataset()
	return lineage.NameDismissal{
		Dataset: lineage.NewDatasetID(dataset.GetNamespace(), dataset.GetName()), Undone: dismissed.GetUndone(),
	}
}
