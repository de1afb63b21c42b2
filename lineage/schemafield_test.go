package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestSchemaTellsWhichFieldsItHas(t *testing.T) {
	version := lineage.SchemaVersion{Schema: lineage.NewSchema([]lineage.Field{
		{Name: "id"},
		{Name: "Customer_ID"},
		{Name: "payload"},
		{Name: "lines", Fields: []lineage.Field{{Name: "_element", Fields: []lineage.Field{{Name: "SKU"}}}}},
	})}
	for path, want := range map[lineage.FieldPath]struct {
		found bool
		alike lineage.FieldPath
	}{
		"id": {true, ""}, "nosuch": {false, ""}, "customer_id": {false, "Customer_ID"},
		"payload.anything": {true, ""}, "payload[].x": {true, ""}, "payloads": {false, ""},
		"lines[].SKU": {true, ""}, "lines.SKU": {true, ""}, "lines[].sku": {false, "lines[].SKU"}, "lines[].price": {false, ""},
	} {
		found, alike := version.Find(path)
		require.Equal(t, want.found, found, path)
		require.Equal(t, want.alike, alike, path)
	}
	version.Columns = lineage.CaseLower
	found, alike := version.Find("customer_id")
	require.True(t, found, "columns are the same in any case")
	require.Empty(t, alike)
}

func TestColumnCalledAsPartsAreIsFoundAsThey(t *testing.T) {
	flat := lineage.SchemaVersion{Schema: lineage.NewSchema([]lineage.Field{{Name: "customer.zip"}, {Name: "items[0].price"}})}
	for _, path := range []string{"customer.zip", "`customer.zip`", "items[].price"} {
		found, _ := flat.Find(lineage.NewFieldPath(path))
		require.True(t, found, path)
	}
}
