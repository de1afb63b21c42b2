package demo

import "github.com/headwater-data/headwater/lineage"

// table is a dataset and its schema.
type table struct {
	lineage.DatasetID
	columns []column
}

type column struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// The namespaces of the shop's data, as the OpenLineage naming rules give them.
const (
	shopDatabase = "postgres://shop-db:5432"
	kafka        = "kafka://kafka:9092"
	bigQuery     = "bigquery"
	looker       = "looker"
)

// The shop's data, sources first.
var (
	orders = table{lineage.DatasetID{Namespace: shopDatabase, Name: "shop.public.orders"}, []column{
		{"order_id", "int8"}, {"customer_id", "int8"}, {"status", "text"}, {"amount", "numeric"}, {"ordered_at", "timestamptz"},
	}}
	customers = table{lineage.DatasetID{Namespace: shopDatabase, Name: "shop.public.customers"}, []column{
		{"customer_id", "int8"}, {"email", "text"}, {"country", "text"},
	}}
	clicks = table{lineage.DatasetID{Namespace: kafka, Name: "clicks"}, []column{
		{"visitor_id", "STRING"}, {"customer_id", "BIGINT"}, {"url", "STRING"}, {"clicked_at", "TIMESTAMP(3)"},
	}}
	sessions = table{lineage.DatasetID{Namespace: kafka, Name: "sessions"}, []column{
		{"session_id", "STRING"}, {"customer_id", "BIGINT"}, {"clicks", "BIGINT"}, {"started_at", "TIMESTAMP(3)"},
	}}
	rawOrders = table{lineage.DatasetID{Namespace: bigQuery, Name: "shop.raw.orders"}, []column{
		{"order_id", "long"}, {"customer_id", "long"}, {"status", "string"}, {"amount", "decimal(12,2)"}, {"ordered_at", "timestamp"},
	}}
	rawCustomers = table{lineage.DatasetID{Namespace: bigQuery, Name: "shop.raw.customers"}, []column{
		{"customer_id", "long"}, {"email", "string"}, {"country", "string"},
	}}
	rawSessions = table{lineage.DatasetID{Namespace: bigQuery, Name: "shop.raw.sessions"}, []column{
		{"session_id", "STRING"}, {"customer_id", "INTEGER"}, {"clicks", "INTEGER"}, {"started_at", "TIMESTAMP"},
	}}
	stagingOrders = table{lineage.DatasetID{Namespace: bigQuery, Name: "shop.staging.orders"}, []column{
		{"order_id", "INT64"}, {"customer_id", "INT64"}, {"amount", "NUMERIC"}, {"ordered_on", "DATE"},
	}}
	stagingCustomers = table{lineage.DatasetID{Namespace: bigQuery, Name: "shop.staging.customers"}, []column{
		{"customer_id", "INT64"}, {"email_hash", "STRING"}, {"country", "STRING"},
	}}
	dailyOrders = table{lineage.DatasetID{Namespace: bigQuery, Name: "shop.mart.daily_orders"}, []column{
		{"ordered_on", "DATE"}, {"country", "STRING"}, {"orders", "INT64"}, {"revenue", "NUMERIC"},
	}}
	customerActivity = table{lineage.DatasetID{Namespace: bigQuery, Name: "shop.mart.customer_activity"}, []column{
		{"customer_id", "INT64"}, {"country", "STRING"}, {"sessions", "INT64"}, {"clicks", "INT64"},
	}}
	ledger = table{lineage.DatasetID{Namespace: bigQuery, Name: "shop.export.ledger"}, []column{
		{"booked_on", "DATE"}, {"country", "STRING"}, {"amount", "NUMERIC"},
	}}
	salesOverview = table{DatasetID: lineage.DatasetID{Namespace: looker, Name: "sales_overview"}}
)
