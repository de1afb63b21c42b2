package projection

import (
	"context"
	"encoding/json/v2"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

const (
	selectNameRules = `SELECT name_rules FROM projection WHERE projection_id = $1`
	updateNameRules = `UPDATE projection SET name_rules = $2, name_rules_revision = $3 WHERE projection_id = $1`
)

// querier is a pool or a transaction.
type querier interface {
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// names gives the rules of a projection, nil where it has none. They never change, so they are read once.
func (s *Store) names(ctx context.Context, from querier, id ID) (*lineage.NameRules, error) {
	if known, ok := s.nameRules.Load(id); ok {
		return known.(*lineage.NameRules), nil
	}
	var encoded []byte
	if err := from.QueryRow(ctx, selectNameRules, id).Scan(&encoded); err != nil {
		return nil, fmt.Errorf("read the name rules of projection %d: %w", id, err)
	}
	rules, err := decodeNameRules(encoded)
	if err != nil {
		return nil, fmt.Errorf("read the name rules of projection %d: %w", id, err)
	}
	s.nameRules.Store(id, rules)
	return rules, nil
}

func decodeNameRules(encoded []byte) (*lineage.NameRules, error) {
	if encoded == nil {
		return nil, nil
	}
	var set lineage.NameRuleSet
	if err := json.Unmarshal(encoded, &set); err != nil {
		return nil, err
	}
	return lineage.NewNameRules(set)
}

// setNameRules gives a projection that is being created its rules.
func setNameRules(ctx context.Context, tx pgx.Tx, id ID, rules *lineage.NameRules) error {
	if rules == nil {
		return nil
	}
	encoded, err := json.Marshal(rules.Set())
	if err != nil {
		return fmt.Errorf("encode name rules: %w", err)
	}
	if _, err := tx.Exec(ctx, updateNameRules, id, encoded, rules.Revision()); err != nil {
		return fmt.Errorf("keep name rules: %w", err)
	}
	return nil
}
