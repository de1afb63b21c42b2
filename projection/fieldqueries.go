package projection

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// The queries below join by nested loops: see steadyPlans.
const (
	selectFieldsByID = `SELECT field_id, dataset_id, path FROM field_p{}
		WHERE projection_id = {} AND field_id = ANY($1) AND recorded_from <= $2`

	// selectPartsOf reads all fields of some datasets, and the nested ones of others: mostly there are none.
	selectPartsOf = `SELECT field_id, dataset_id, path FROM field_p{} WHERE dataset_id = ANY($1) AND recorded_from <= $3
		UNION ALL SELECT field_id, dataset_id, path FROM field_p{} WHERE dataset_id = ANY($2) AND nested AND recorded_from <= $3`

	// linksOfMapFields reads what feeds some fields of some maps, in pairs.
	linksOfMapFields = `SELECT asked.map_id, i.input_id, asked.output_id, s.kind, s.subtype, s.masking
		FROM unnest($1::uuid[], $2::uuid[]) AS asked(map_id, output_id)
		CROSS JOIN LATERAL (
			SELECT set_id FROM column_map_field_p{}
			WHERE projection_id = {} AND map_id = asked.map_id AND output_id = asked.output_id
			OFFSET 0
		) AS f
		JOIN column_set_p{} s ON s.projection_id = {} AND s.set_id = f.set_id AND s.kind = ANY($3)
		JOIN column_set_input_p{} i ON i.projection_id = {} AND i.set_id = f.set_id`

	// linksOfInputs reads what some inputs feed, in any map.
	linksOfInputs = `SELECT f.map_id, i.input_id, f.output_id, s.kind, s.subtype, s.masking
		FROM column_set_input_p{} i
		JOIN column_set_p{} s ON s.projection_id = {} AND s.set_id = i.set_id AND s.kind = ANY($2)
		JOIN column_map_field_p{} f ON f.set_id = i.set_id
		WHERE i.input_id = ANY($1)`

	selectMapInputs = `SELECT map_id, input_id FROM column_map_input_p{} WHERE projection_id = {} AND map_id = ANY($1)`
)

// currentColumns and pastColumns are to column maps what currentWrites and pastWrites are to flows.
var (
	currentColumns = newColumnQueries(stillBelieved)
	pastColumns    = newColumnQueries(believedThen)
)

func newColumnQueries(believed string) *writeQueries {
	at := writesAt("2", believed)
	return &writeQueries{
		into: at + ` AND w.output_id = ANY($4)` + endAfter,
		by:   at + ` AND w.content_id = ANY($4)` + endAfter,
	}
}

// link says that one node of a column map feeds another, in one way or several.
type link struct {
	from, to        lineage.NodeID
	transformations []lineage.Transformation
}

// selectLinksInto reads what feeds the met fields in the maps that passages write, by map.
func selectLinksInto(ctx context.Context, tx pgx.Tx, at point, passages []*passage, met meeting, kinds []int16) (map[lineage.Hash][]link, error) {
	var columnMaps, outputs []lineage.Hash
	asked := map[lineage.Hash]bool{}
	for _, p := range passages {
		if asked[p.flow] {
			continue
		}
		asked[p.flow] = true
		for _, key := range met[lineage.Hash(p.output)] {
			columnMaps, outputs = append(columnMaps, p.flow), append(outputs, key)
		}
	}
	return selectLinks(ctx, tx, at.projection.in(linksOfMapFields), columnMaps, outputs, kinds)
}

// selectLinksFrom reads what the met nodes feed, by map.
func selectLinksFrom(ctx context.Context, tx pgx.Tx, at point, met meeting, kinds []int16) (map[lineage.Hash][]link, error) {
	var inputs []lineage.Hash
	for _, whole := range sortedKeys(met) {
		inputs = append(inputs, met[whole]...)
	}
	return selectLinks(ctx, tx, at.projection.in(linksOfInputs), inputs, kinds)
}

func selectLinks(ctx context.Context, tx pgx.Tx, query string, args ...any) (map[lineage.Hash][]link, error) {
	rows, _ := tx.Query(ctx, query, args...) // ForEachRow reports the error
	type ends struct {
		columnMap, from, to lineage.Hash
	}
	ways := map[ends][]lineage.Transformation{}
	var found ends
	var way lineage.Transformation
	_, err := pgx.ForEachRow(rows, []any{&found.columnMap, &found.from, &found.to, &way.Kind, &way.Subtype, &way.Masking}, func() error {
		ways[found] = append(ways[found], way)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read column maps: %w", err)
	}
	links := map[lineage.Hash][]link{}
	for found, transformations := range ways {
		slices.SortFunc(transformations, lineage.Transformation.Compare)
		links[found.columnMap] = append(links[found.columnMap], link{lineage.NodeID(found.from), lineage.NodeID(found.to), transformations})
	}
	return links, nil
}

// storedField is a row of table field.
type storedField struct {
	field, dataset lineage.NodeID
	path           lineage.FieldPath
}

// selectParts reads the fields that may be parts of fields of datasets; the empty path asks for all.
func selectParts(ctx context.Context, tx pgx.Tx, at point, paths map[lineage.Hash][]lineage.FieldPath) ([]storedField, error) {
	var all, nested []lineage.Hash
	for dataset, of := range paths {
		if slices.Contains(of, "") {
			all = append(all, dataset)
		} else {
			nested = append(nested, dataset)
		}
	}
	return queryFields(ctx, tx, at.projection.in(selectPartsOf), all, nested, at.recordedAt)
}

// selectFields reads those of some nodes that are fields.
func selectFields(ctx context.Context, tx pgx.Tx, at point, ids []lineage.Hash) (map[lineage.NodeID]storedField, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := queryFields(ctx, tx, at.projection.in(selectFieldsByID), ids, at.recordedAt)
	fields := make(map[lineage.NodeID]storedField, len(found))
	for _, field := range found {
		fields[field.field] = field
	}
	return fields, err
}

func queryFields(ctx context.Context, tx pgx.Tx, query string, args ...any) ([]storedField, error) {
	rows, _ := tx.Query(ctx, query, args...) // CollectRows reports the error
	fields, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (f storedField, err error) {
		err = row.Scan((*lineage.Hash)(&f.field), (*lineage.Hash)(&f.dataset), &f.path)
		return f, err
	})
	if err != nil {
		return nil, fmt.Errorf("read fields: %w", err)
	}
	return fields, nil
}

func compareHashes(a, b lineage.Hash) int { return bytes.Compare(a[:], b[:]) }
