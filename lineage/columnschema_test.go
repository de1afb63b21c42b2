package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestFieldLastsWhileEverySchemaHasIt(t *testing.T) {
	h := lineage.NewSchemaHistory([]lineage.SchemaVersion{
		schemaFrom(lineage.WrittenSchema, 0, 5, "id", "name", "old"), schemaFrom(lineage.WrittenSchema, 5, 7, "id"),
		schemaFrom(lineage.WrittenSchema, 7, 0, "id", "name"),
	}, nil)
	require.True(t, h.Lasts("id", minute(1), minute(9)))
	require.False(t, h.Lasts("old", minute(1), minute(9)), "it was dropped")
	require.False(t, h.Lasts("name", minute(1), minute(9)), "it was dropped and made again")
	require.True(t, h.Lasts("name", minute(8), minute(9)))
	require.True(t, h.Lasts("old", minute(1), minute(4)), "it was there then")
	require.True(t, h.Lasts("", minute(1), minute(9)), "a whole dataset is no field")
}

func TestFieldLastsWhereNothingTellsOtherwise(t *testing.T) {
	require.True(t, lineage.SchemaHistory{}.Lasts("id", minute(1), minute(9)))
	late := lineage.NewSchemaHistory([]lineage.SchemaVersion{schemaFrom(lineage.WrittenSchema, 5, 0, "id", "s")}, nil)
	require.True(t, late.Lasts("id", minute(1), minute(9)), "nobody told of schemas before")
	require.False(t, late.Lasts("other", minute(1), minute(9)))
	require.True(t, late.Lasts("s.part", minute(1), minute(9)), "the schema does not tell the parts of s")
	read := lineage.NewSchemaHistory([]lineage.SchemaVersion{schemaFrom(lineage.ReadSchema, 0, 0, "id")}, nil)
	require.True(t, read.Lasts("other", minute(1), minute(9)), "who reads may leave fields out")
}
