package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// relation is what a table takes, its partitions together.
type relation struct {
	Name string
	// Rows are counted, Heap holds them with what lies beside it (TOAST, maps), Indexes are all of its indexes.
	Rows, Heap, Indexes int64
}

// bytes is what one row takes with its share of the indexes.
func (r relation) bytes() float64 { return float64(r.Heap+r.Indexes) / float64(max(r.Rows, 1)) }

const (
	selectTables = `SELECT parent.relname, sum(pg_table_size(leaf.relid))::bigint, sum(pg_indexes_size(leaf.relid))::bigint
		FROM pg_class parent, LATERAL pg_partition_tree(parent.oid) leaf
		WHERE parent.relkind IN ('p', 'r') AND NOT parent.relispartition AND leaf.isleaf
			AND parent.relname IN ('event_log', 'event_key', 'node', 'run', 'run_event', 'flow', 'flow_input', 'statement', 'write')
		GROUP BY parent.relname ORDER BY 2 DESC`
	selectPlainTable = `SELECT pg_table_size('event_key'), pg_indexes_size('event_key')`
	selectIndexes    = `SELECT parent.relname, sum(pg_relation_size(leaf.relid))::bigint
		FROM pg_class parent, LATERAL pg_partition_tree(parent.oid) leaf
		WHERE parent.relkind = 'I' AND NOT parent.relispartition AND leaf.isleaf
		GROUP BY parent.relname ORDER BY 2 DESC`
)

// measureTables reports every table with its indexes.
func (b *bench) measureTables(ctx context.Context) error {
	if _, err := b.pool.Exec(ctx, `VACUUM (ANALYZE)`); err != nil {
		return fmt.Errorf("vacuum: %w", err)
	}
	rows, _ := b.pool.Query(ctx, selectTables) // ForEachRow reports the error
	var table relation
	_, err := pgx.ForEachRow(rows, []any{&table.Name, &table.Heap, &table.Indexes}, func() error {
		b.tables[table.Name] = table
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the sizes of tables: %w", err)
	}
	key := relation{Name: "event_key"}
	if err := b.pool.QueryRow(ctx, selectPlainTable).Scan(&key.Heap, &key.Indexes); err != nil {
		return fmt.Errorf("read the size of event_key: %w", err)
	}
	b.tables[key.Name] = key
	for _, name := range []string{"event_log", "event_key", "run", "run_event", "statement", "write", "flow", "flow_input", "node"} {
		table := b.tables[name]
		if err := b.pool.QueryRow(ctx, `SELECT count(*) FROM `+name).Scan(&table.Rows); err != nil {
			return fmt.Errorf("count %s: %w", name, err)
		}
		b.tables[name] = table
		section := b.Section("Table %s, %d rows", name, table.Rows)
		section.Note("bytes a row, without indexes", float64(table.Heap)/float64(max(table.Rows, 1)), "B")
		section.Note("bytes a row in all indexes", float64(table.Indexes)/float64(max(table.Rows, 1)), "B")
	}
	section := b.Section("Indexes of partitioned tables")
	rows, _ = b.pool.Query(ctx, selectIndexes)
	var name string
	var bytes int64
	_, err = pgx.ForEachRow(rows, []any{&name, &bytes}, func() error {
		section.Note(name, float64(bytes)/1e6, "MB")
		return nil
	})
	return err
}
