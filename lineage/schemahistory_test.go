package lineage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// schemaFrom is a version with columns, valid from some minute after ten up to another; 0 is for good.
func schemaFrom(source lineage.SchemaSource, from, to int, columns ...string) lineage.SchemaVersion {
	var fields []lineage.Field
	for _, name := range columns {
		fields = append(fields, lineage.Field{Name: name})
	}
	version := lineage.SchemaVersion{Schema: lineage.NewSchema(fields), Source: source, From: minute(from), To: lineage.Forever}
	if to > 0 {
		version.To = minute(to)
	}
	return version
}

// columnsAt are the columns that hold at a minute.
func columnsAt(h lineage.SchemaHistory, n int) []string {
	holds := h.At(minute(n))
	if holds == nil {
		return nil
	}
	var columns []string
	holds.Schema.Walk(func(path lineage.FieldPath, _ lineage.Field) { columns = append(columns, string(path)) })
	return columns
}

func TestDroppedColumnEnds(t *testing.T) {
	h := lineage.NewSchemaHistory([]lineage.SchemaVersion{
		schemaFrom(lineage.WrittenSchema, 0, 5, "id", "name"), schemaFrom(lineage.WrittenSchema, 5, 0, "id"),
	}, nil)
	require.Equal(t, []string{"id", "name"}, columnsAt(h, 4))
	require.Equal(t, []string{"id"}, columnsAt(h, 5))
	require.Nil(t, columnsAt(h, -1))
}

func TestColumnThatIsMadeAgainIsAnotherOne(t *testing.T) {
	h := lineage.NewSchemaHistory([]lineage.SchemaVersion{
		schemaFrom(lineage.WrittenSchema, 0, 5, "id", "name"), schemaFrom(lineage.WrittenSchema, 5, 7, "id"),
		schemaFrom(lineage.WrittenSchema, 7, 9, "id", "name"), schemaFrom(lineage.WrittenSchema, 9, 0, "id", "name", "at"),
	}, nil)
	require.Equal(t, map[lineage.FieldPath]time.Time{"id": minute(0), "name": minute(7), "at": minute(9)}, h.Since(h.At(minute(10))))
}

func TestWritersAreTrustedBeforeCatalogsAndThoseBeforeReaders(t *testing.T) {
	h := lineage.NewSchemaHistory([]lineage.SchemaVersion{
		schemaFrom(lineage.ReadSchema, 0, 0, "read"), schemaFrom(lineage.DeclaredSchema, 2, 0, "declared"),
		schemaFrom(lineage.WrittenSchema, 4, 6, "written"),
	}, nil)
	for n, column := range map[int]string{1: "read", 3: "declared", 5: "written", 7: "declared"} {
		require.Equal(t, []string{column}, columnsAt(h, n), "at minute %d", n)
	}
}

func TestDropEndsWhateverSchemaWasValid(t *testing.T) {
	h := lineage.NewSchemaHistory([]lineage.SchemaVersion{
		schemaFrom(lineage.WrittenSchema, 0, 5, "id"), schemaFrom(lineage.DeclaredSchema, 0, 0, "id", "name"),
		schemaFrom(lineage.WrittenSchema, 8, 0, "id"),
	}, []time.Time{minute(5)})
	require.Nil(t, columnsAt(h, 6))
	require.Equal(t, []string{"id"}, columnsAt(h, 9))
	require.Equal(t, minute(8), h.Since(h.At(minute(9)))["id"], "what is made anew after a DROP is new")
}
