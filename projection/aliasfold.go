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
		if _, ok := lineage.AliasKeyOf(f.event.Fact); ok {
			aliases[f.about] = &foldedAlias{}
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

// state takes in one fact and notes what it changes.
func (a foldedAliases) state(f fact, at lineage.Offset, changes *changes) {
	alias := a[f.about]
	alias.Add(f.event, f.entry.Arrival())
	alias.settle(at, changes)
}

// retract takes one fact away: the alias is what the others say. One that an earlier version folded stays as it is until a
// replay, since not all that was said of it was kept.
func (a foldedAliases) retract(f fact, at lineage.Offset, evidence *evidence, changes *changes) {
	alias := a[f.about]
	var without lineage.RegisteredAlias
	for _, rival := range evidence.counting(f.about) {
		without.Add(rival.event, rival.entry.Arrival())
	}
	with := without
	with.Add(f.event, f.entry.Arrival())
	if with.Registered.Compare(alias.Registered.Moment) != 0 || with.Ended.Compare(alias.Ended.Moment) != 0 {
		return
	}
	alias.RegisteredAlias = without
	alias.settle(at, changes)
}

// settle notes how the statements of an alias differ from before.
func (a *foldedAlias) settle(at lineage.Offset, changes *changes) {
	statements := a.Statements(changes.names)
	after := statementRows(statements, 0)
	changes.addStatements(at, a.statements, after)
	changes.addNames(statements, at)
	a.statements = after
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
