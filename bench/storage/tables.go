package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// relation is what a table takes, its partitions together.
type relation struct {
	// Rows are counted, Heap holds them with what lies beside it (TOAST, maps), Indexes are all of its indexes.
	Rows, Heap, Indexes int64
}

// relations are tables by their names.
type relations map[string]relation

func (r relation) total() float64 { return float64(r.Heap + r.Indexes) }

// bytes is what one row takes with its share of the indexes.
func (r relation) bytes() float64 { return r.total() / float64(max(r.Rows, 1)) }

const (
	// A table without partitions is no leaf of its own.
	selectTables = `SELECT parent.relname, sum(pg_table_size(leaf.id))::bigint, sum(pg_indexes_size(leaf.id))::bigint
		FROM pg_class parent LEFT JOIN LATERAL pg_partition_tree(parent.oid) tree ON tree.isleaf,
			LATERAL (SELECT coalesce(tree.relid, parent.oid) AS id) leaf
		WHERE parent.relkind IN ('p', 'r') AND NOT parent.relispartition AND parent.relnamespace = 'public'::regnamespace
		GROUP BY parent.relname`
	selectIndexes = `SELECT parent.relname, sum(pg_relation_size(leaf.relid))::bigint
		FROM pg_class parent, LATERAL pg_partition_tree(parent.oid) leaf
		WHERE parent.relkind = 'I' AND NOT parent.relispartition AND leaf.isleaf
		GROUP BY parent.relname HAVING sum(pg_relation_size(leaf.relid)) >= $1 ORDER BY 2 DESC`
)

// relationsOf reads what every table takes, without counting its rows.
func relationsOf(ctx context.Context, pool *pgxpool.Pool) (relations, error) {
	found := relations{}
	rows, _ := pool.Query(ctx, selectTables) // ForEachRow reports the error
	var name string
	var table relation
	_, err := pgx.ForEachRow(rows, []any{&name, &table.Heap, &table.Indexes}, func() error {
		found[name] = table
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the sizes of tables: %w", err)
	}
	return found, nil
}

// measureTables reports every table that holds something, with its indexes.
func (b *bench) measureTables(ctx context.Context) (err error) {
	if _, err := b.pool.Exec(ctx, `VACUUM (ANALYZE)`); err != nil {
		return fmt.Errorf("vacuum: %w", err)
	}
	if b.tables, err = relationsOf(ctx, b.pool); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(b.tables)) {
		table := b.tables[name]
		if err := b.pool.QueryRow(ctx, `SELECT count(*) FROM `+pgx.Identifier{name}.Sanitize()).Scan(&table.Rows); err != nil {
			return fmt.Errorf("count %s: %w", name, err)
		}
		b.tables[name] = table
		if table.Rows < fewRows {
			continue
		}
		section := b.Section("Table %s, %d rows", name, table.Rows)
		section.Note("bytes a row, without indexes", float64(table.Heap)/float64(table.Rows), "B")
		section.Note("bytes a row in all indexes", float64(table.Indexes)/float64(table.Rows), "B")
	}
	return b.measureIndexes(ctx)
}

// fewRows say nothing of what one takes, and a small index as little.
const fewRows, smallIndex = 100, 100_000

func (b *bench) measureIndexes(ctx context.Context) error {
	section := b.Section("Indexes of partitioned tables")
	rows, _ := b.pool.Query(ctx, selectIndexes, smallIndex) // ForEachRow reports the error
	var name string
	var bytes int64
	_, err := pgx.ForEachRow(rows, []any{&name, &bytes}, func() error {
		section.Note(name, float64(bytes)/1e6, "MB")
		return nil
	})
	return err
}
