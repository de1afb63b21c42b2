package lineage

import (
	"encoding/json/v2"
	"fmt"
)

// NameRules give raw names the names under which nodes are known. They never change, and applying them to what they gave
// changes nothing. A nil *NameRules leaves every name as it is. Names of jobs are never touched.
type NameRules struct {
	// set is complete: no rule in it refers to a preset.
	set      NameRuleSet
	revision Hash
	// exact are the rules of single namespaces, and also the other names of those.
	exact    map[string]*compiledRule
	also     map[string]string
	patterns []*compiledRule
}

// compiledRule is a rule made ready.
type compiledRule struct {
	NamespaceRule
	pattern namePattern
	fold    nameFold
}

// ResolvedName is what name rules make of a raw name.
type ResolvedName struct {
	DatasetID
	// Environment and Platform are those of the namespace. Platform may be empty.
	Environment string
	Platform    string
	// Provisional tells that no rule names the namespace, so its names are taken as they come.
	Provisional bool
	// Misfit says why the name does not have the shape of its namespace; empty if it does. Such a name is left as it came.
	Misfit string
}

// NewNameRules makes a set ready. The error joins a *NameRuleError for each thing that is wrong.
func NewNameRules(set NameRuleSet) (*NameRules, error) {
	r := &NameRules{exact: map[string]*compiledRule{}, also: map[string]string{}}
	if err := r.compile(set); err != nil {
		return nil, err
	}
	encoded, err := json.Marshal(r.set)
	if err != nil {
		return nil, fmt.Errorf("encode name rules: %w", err)
	}
	r.revision = HashOf("name rules", string(encoded))
	return r, nil
}

// Set is the set with all presets filled in. It gives the same rules again.
func (r *NameRules) Set() NameRuleSet {
	if r == nil {
		return NameRuleSet{}
	}
	return r.set
}

// Revision names the rules by their content; empty where there are none.
func (r *NameRules) Revision() string {
	if r == nil {
		return ""
	}
	return r.revision.String()
}

// Resolve gives the name under which a dataset is known, and what the rules say of it.
func (r *NameRules) Resolve(raw DatasetID) ResolvedName {
	namespace, rule := r.rule(raw.Namespace)
	if rule == nil {
		return ResolvedName{DatasetID: raw, Environment: r.Environment(raw.Namespace), Provisional: true}
	}
	name, misfit := rule.fold.fold(raw.Name)
	return ResolvedName{
		DatasetID: DatasetID{Namespace: namespace, Name: name}, Environment: rule.Environment, Platform: rule.Platform, Misfit: misfit,
	}
}

// Dataset is the name under which a dataset is known.
func (r *NameRules) Dataset(raw DatasetID) DatasetID {
	if r == nil {
		return raw
	}
	return r.Resolve(raw).DatasetID
}

// Node is the name under which a node is known. A field goes with its dataset.
func (r *NameRules) Node(raw Node) Node {
	if r == nil || raw.Kind == NodeJob {
		return raw
	}
	known := r.Dataset(DatasetID{raw.Namespace, raw.Name})
	return Node{raw.Kind, known.Namespace, known.Name, r.Columns(known.Namespace).Path(raw.Path)}
}

// Columns is the case rule for the columns of the datasets of a namespace.
func (r *NameRules) Columns(namespace string) NameCase {
	_, rule := r.rule(namespace)
	switch {
	case rule == nil:
		return CasePreserve
	case rule.NamespaceRule.Columns != "":
		return rule.NamespaceRule.Columns
	default:
		return rule.Case
	}
}

// rule finds the rule for a namespace, or nil.
func (r *NameRules) rule(raw string) (namespace string, rule *compiledRule) {
	if r == nil {
		return raw, nil
	}
	namespace = spelled(raw)
	if meant, ok := r.also[namespace]; ok {
		namespace = meant
	}
	if rule, ok := r.exact[namespace]; ok {
		return namespace, rule
	}
	for _, rule := range r.patterns {
		if rule.pattern.matches(namespace) {
			return namespace, rule
		}
	}
	return raw, nil
}

// Environment is that of a namespace.
func (r *NameRules) Environment(namespace string) string {
	if _, rule := r.rule(namespace); rule != nil {
		return rule.Environment
	}
	if r == nil {
		return DefaultEnvironment
	}
	return r.set.Environment
}
