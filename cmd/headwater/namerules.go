package main

import (
	"encoding/json/v2"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/rulesfile"
	"github.com/headwater-data/headwater/lineage"
)

// nameRuleMessage is a set as the API takes it. Both have the members of rules.yaml.
func nameRuleMessage(set lineage.NameRuleSet) (*headwaterv1.NameRuleSet, error) {
	encoded, err := json.Marshal(set)
	if err != nil {
		return nil, fmt.Errorf("write the rules as JSON: %w", err)
	}
	message := &headwaterv1.NameRuleSet{}
	return message, protojson.Unmarshal(encoded, message)
}

// nameRulesFile is a set of the API as a file that can be edited.
func nameRulesFile(message *headwaterv1.NameRuleSet) string {
	encoded, err := protojson.Marshal(message)
	if err != nil {
		return err.Error() + "\n"
	}
	var set lineage.NameRuleSet
	if err := json.Unmarshal(encoded, &set); err != nil {
		return err.Error() + "\n"
	}
	text, err := rulesfile.Format(set)
	if err != nil {
		return err.Error() + "\n"
	}
	return string(text)
}
