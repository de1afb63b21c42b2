package lineage_test

import (
	"testing"
	"time"

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

func TestFieldThatIsSpelledOtherwiseLastsWhereColumnsAreTheSameInAnyCase(t *testing.T) {
	spelled := func(letters lineage.NameCase) lineage.SchemaHistory {
		versions := []lineage.SchemaVersion{
			schemaFrom(lineage.WrittenSchema, 0, 3, "Id", "old"), schemaFrom(lineage.WrittenSchema, 3, 0, "ID"),
		}
		for i := range versions {
			versions[i].Columns = letters
		}
		return lineage.NewSchemaHistory(versions, nil)
	}
	folded := spelled(lineage.CaseLower)
	require.True(t, folded.Lasts("id", minute(1), minute(9)))
	require.False(t, folded.Lasts("old", minute(1), minute(9)))
	require.Equal(t, map[lineage.FieldPath]time.Time{"ID": minute(0)}, folded.Since(folded.At(minute(9))), "as it is spelled now")
	apart := spelled(lineage.CasePreserve)
	require.False(t, apart.Lasts("Id", minute(1), minute(9)))
	require.Equal(t, map[lineage.FieldPath]time.Time{"ID": minute(3)}, apart.Since(apart.At(minute(9))))
}
