package lineage

// The platform events about names.
const (
	// NameRulesRegistered is a NameRuleRegistration.
	NameRulesRegistered PlatformType = "NameRulesRegistered"
	// NameDismissed is a NameDismissal.
	NameDismissed PlatformType = "NameDismissed"
)

// NameRuleRegistration puts a set of name rules into the log. It changes no projection: one is built under the set by a
// replay that is told its revision.
type NameRuleRegistration struct {
	// Rules are complete: presets are filled in when they are registered, so that a later version of a preset does not
	// change them.
	Rules NameRuleSet `json:"rules"`
}

// PlatformType implements Fact.
func (NameRuleRegistration) PlatformType() PlatformType { return NameRulesRegistered }

func (r NameRuleRegistration) checked(Limits) (Fact, error) {
	rules, err := NewNameRules(r.Rules)
	if err != nil {
		return nil, invalid("bad_name_rules", "fact.rules", "%v", err)
	}
	return NameRuleRegistration{rules.Set()}, nil
}

// NameDismissal takes a name that does not have the shape of its namespace out of the queue. The latest by event time of
// those about one name holds.
type NameDismissal struct {
	Dataset DatasetID `json:"dataset"`
	// Undone puts it back.
	Undone bool `json:"undone,omitzero"`
}

// PlatformType implements Fact.
func (NameDismissal) PlatformType() PlatformType { return NameDismissed }

func (d NameDismissal) checked(limits Limits) (Fact, error) {
	d.Dataset = NewDatasetID(d.Dataset.Namespace, d.Dataset.Name)
	return d, checkNames(limits, namedText{"fact.dataset.namespace", d.Dataset.Namespace}, namedText{"fact.dataset.name", d.Dataset.Name})
}
