package lineage

import (
	"encoding/json/jsontext"
	"fmt"
	"regexp"
	"strings"
)

// NameRuleSet is a set of name rules as people write it. NewNameRules checks it.
type NameRuleSet struct {
	// Environment is that of the namespaces whose rule names none; DefaultEnvironment unless set.
	Environment string `json:"environment,omitzero"`
	// Namespaces hold the rules. An exact namespace goes before a pattern, and of patterns the first one that matches holds.
	Namespaces []NamespaceRule `json:"namespaces,omitempty"`
}

// NamespaceRule says what the names in a namespace, or in all that a pattern matches, mean.
type NamespaceRule struct {
	// Preset fills in what the rule leaves open; its lists go before those of the rule.
	Preset string `json:"preset,omitzero"`
	// Namespace is exact, or a pattern with * for any characters. It is spelled as namespaces of its scheme are.
	Namespace string `json:"namespace,omitzero"`
	// Also are other namespaces that mean this one, which is exact then: a second address, or other brokers of a cluster.
	Also []string `json:"also,omitempty"`
	// Environment and Platform are words for people and filters, such as prod and snowflake.
	Environment string `json:"environment,omitzero"`
	Platform    string `json:"platform,omitzero"`
	// Case is CasePreserve unless set.
	Case NameCase `json:"case,omitzero"`
	// Columns is for the names of columns, as Case unless set: engines that keep the case of tables apart mostly do not keep
	// that of columns.
	Columns NameCase `json:"columns,omitzero"`
	// Shape is ShapeAny unless set.
	Shape NameShape `json:"shape,omitzero"`
	// Qualifier completes a name that lacks its first parts: with "shop.public", orders is shop.public.orders.
	Qualifier string `json:"qualifier,omitzero"`
	// Partitions and Staging are patterns of what belongs to a dataset without being one. In a path they match a folder
	// or file, and the path ends before it. Elsewhere they match the last part of a name, and what stands for their first *
	// is the dataset.
	Partitions []string `json:"partitions,omitempty"`
	Staging    []string `json:"staging,omitempty"`
	// Temporary are patterns of what gets a new name each time: a folder, or the last part of a name, that matches is
	// written as the pattern.
	Temporary []string `json:"temporary,omitempty"`
}

// NameCase is what becomes of the case of names.
type NameCase string

// The case rules.
const (
	CasePreserve NameCase = "preserve"
	CaseLower    NameCase = "lower"
	CaseUpper    NameCase = "upper"
)

func (c NameCase) apply(text string) string {
	switch c {
	case CaseLower:
		return strings.ToLower(text)
	case CaseUpper:
		return strings.ToUpper(text)
	default:
		return text
	}
}

// Path is what becomes of the path of a field.
func (c NameCase) Path(path FieldPath) FieldPath {
	if folded := c.apply(string(path)); folded != string(path) {
		return FieldPath("").Child(folded)
	}
	return path
}

// DefaultEnvironment is the environment of what nobody put into another.
const DefaultEnvironment = "default"

// NameRuleError says what is wrong with a set of name rules.
type NameRuleError struct {
	// At points to the value in the set.
	At     jsontext.Pointer
	Reason string
}

// Error names the value as namespaces[2].shape.
func (e *NameRuleError) Error() string {
	var path strings.Builder
	for token := range e.At.Tokens() {
		switch {
		case token[0] >= '0' && token[0] <= '9':
			fmt.Fprintf(&path, "[%s]", token)
		case path.Len() > 0:
			path.WriteString("." + token)
		default:
			path.WriteString(token)
		}
	}
	return path.String() + ": " + e.Reason
}

// environmentWord is what environments and platforms are called.
var environmentWord = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)
