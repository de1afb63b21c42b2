// Package rulesfile reads and writes the file in which people keep their name rules, rules.yaml.
package rulesfile

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/headwater-data/headwater/lineage"
)

// Parse reads rules as YAML, of which JSON is a part. Errors say on which line something is wrong and what to do.
func Parse(text []byte) (*lineage.NameRules, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err // it says the line
	}
	if document.Kind == 0 {
		return nil, errors.New("the file is empty; write a list of namespaces, such as:\nnamespaces:\n  - preset: s3")
	}
	var content any
	if err := document.Decode(&content); err != nil {
		return nil, err
	}
	encoded, err := json.Marshal(content)
	if err != nil {
		return nil, fmt.Errorf("keys must be words: %w", err)
	}
	var set lineage.NameRuleSet
	if err := json.Unmarshal(encoded, &set, json.RejectUnknownMembers(true)); err != nil {
		return nil, explain(&document, err)
	}
	rules, err := lineage.NewNameRules(set)
	return rules, locate(&document, err)
}

// Format writes a set in the form that Parse reads.
func Format(set lineage.NameRuleSet) ([]byte, error) {
	encoded, err := json.Marshal(set)
	if err != nil {
		return nil, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(encoded, &document); err != nil {
		return nil, err
	}
	plain(&document)
	return yaml.Marshal(&document)
}

// plain lays a document out in lines, as people write it, instead of in JSON's brackets and quotes.
func plain(node *yaml.Node) {
	node.Style = 0
	for _, child := range node.Content {
		plain(child)
	}
}

// explain says which key or value does not belong.
func explain(document *yaml.Node, err error) error {
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return err
	}
	reason := "has a value that does not belong there"
	if errors.Is(err, json.ErrUnknownName) {
		reason = "is not known; there are environment and namespaces, and in a namespace preset, namespace, also, environment, " +
			"platform, case, columns, shape, qualifier, partitions, staging and temporary"
	}
	return locate(document, &lineage.NameRuleError{At: semantic.JSONPointer, Reason: reason})
}

// locate puts the line in front of each thing that is wrong.
func locate(document *yaml.Node, err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var located []error
		for _, one := range joined.Unwrap() {
			located = append(located, locate(document, one))
		}
		return errors.Join(located...)
	}
	var wrong *lineage.NameRuleError
	if !errors.As(err, &wrong) {
		return err
	}
	return fmt.Errorf("line %d: %w", line(document.Content[0], wrong.At), wrong)
}

// line is where a value stands, or the nearest thing around it that stands somewhere.
func line(node *yaml.Node, at jsontext.Pointer) int {
	last := node.Line
	for token := range at.Tokens() {
		for node.Kind == yaml.AliasNode {
			node = node.Alias
		}
		child := member(node, token)
		if child == nil {
			break
		}
		node, last = child, child.Line
	}
	return last
}

func member(node *yaml.Node, token string) *yaml.Node {
	if node.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(token); err == nil && i < len(node.Content) {
			return node.Content[i]
		}
		return nil
	}
	for i := 0; node.Kind == yaml.MappingNode && i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == token {
			return node.Content[i+1]
		}
	}
	return nil
}
