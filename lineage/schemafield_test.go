package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestSchemaTellsWhichFieldsItHas(t *testing.T) {
	schema := lineage.NewSchema([]lineage.Field{
		{Name: "id"},
		{Name: "Customer_ID"},
		{Name: "payload"},
		{Name: "lines", Fields: []lineage.Field{{Name: "_element", Fields: []lineage.Field{{Name: "SKU"}}}}},
	})
	for path, want := range map[lineage.FieldPath]struct {
		found bool
		alike lineage.FieldPath
	}{
		"id": {true, ""}, "nosuch": {false, ""}, "customer_id": {false, "Customer_ID"},
		"payload.anything": {true, ""}, "payload[].x": {true, ""}, "payloads": {false, ""},
		"lines[].SKU": {true, ""}, "lines.SKU": {true, ""}, "lines[].sku": {false, "lines[].SKU"}, "lines[].price": {false, ""},
	} {
		found, alike := schema.Find(path)
		require.Equal(t, want.found, found, path)
		require.Equal(t, want.alike, alike, path)
	}
}
