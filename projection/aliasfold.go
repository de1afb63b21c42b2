package projection

import (
	"context"
	"encoding/json/v2"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// foldedAlias is what people said of one name and dataset, with the statements that it makes.
type foldedAlias struct {
	lineage.RegisteredAlias
	statements map[statementKey]statementRow
}

// foldedAliases are the registered aliases that a batch touches.
type foldedAliases map[lineage.Hash]*foldedAlias

const (
	selectRegisteredAliases = `SELECT alias_key, body FROM registered_alias WHERE projection_id = $1 AND alias_key = ANY($2)`

	upsertRegisteredAliases = `INSERT INTO registered_alias (projection_id, alias_key, body)
		SELECT $1, alias_key, body::json FROM unnest($2::uuid[], $3::text[]) AS a(alias_key, body)
		ON CONFLICT (projection_id, alias_key) DO UPDATE SET body = excluded.body`
)

func loadAliases(ctx context.Context, tx pgx.Tx, id ID, names *lineage.NameRules, facts []fact) (foldedAliases, error) {
	aliases := foldedAliases{}
	for _, f := range facts {
		if key, ok := lineage.AliasKeyOf(f.event.Fact); ok {
			aliases[key.Hash()] = &foldedAlias{}
		}
	}
	if len(aliases) == 0 {
		return aliases, nil
	}
	rows, _ := tx.Query(ctx, selectRegisteredAliases, id, sortedKeys(aliases)) // ForEachRow reports the error
	var key lineage.Hash
	var body []byte
	_, err := pgx.ForEachRow(rows, []any{&key, &body}, func() error {
		alias := aliases[key]
		if err := json.Unmarshal(body, &alias.RegisteredAlias); err != nil {
			return fmt.Errorf("registered alias %s: %w", key, err)
		}
		alias.statements = statementRows(alias.Statements(names), 0)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read registered aliases: %w", err)
	}
	return aliases, nil
}

// fold takes in one fact and notes what it changes.
func (a foldedAliases) fold(f fact, changes *changes) {
	key, ok := lineage.AliasKeyOf(f.event.Fact)
	if !ok {
		return
	}
	alias := a[key.Hash()]
	alias.Add(f.event, f.entry.Arrival())
	statements := alias.Statements(changes.names)
	after := statementRows(statements, 0)
	changes.addStatements(f.entry.Offset, alias.statements, after)
	changes.addNames(statements, f.entry.Offset)
	alias.statements = after
}

func (w *writer) queueRegisteredAliases(aliases foldedAliases) error {
	if len(aliases) == 0 {
		return nil
	}
	keys := sortedKeys(aliases)
	bodies := make([]string, len(keys))
	for i, key := range keys {
		body, err := json.Marshal(aliases[key].RegisteredAlias)
		if err != nil {
			return fmt.Errorf("encode registered alias %s: %w", key, err)
		}
		bodies[i] = string(body)
	}
	w.batch.Queue(upsertRegisteredAliases, w.id, keys, bodies)
	return nil
}
