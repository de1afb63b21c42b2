// Package demo is the pipeline of a small shop, as its tools would report one night of it:
//
//	shop.public.orders ────► shop.raw.orders ────► shop.staging.orders ─────┬─► shop.mart.daily_orders ─────┐
//	 (PostgreSQL)    Spark    (BigQuery)     dbt                       join │                                │
//	shop.public.customers ─► shop.raw.customers ─► shop.staging.customers ──┤                 sales_overview ◄
//	                                                                   join │                    (Looker)    │
//	clicks ──► sessions ───► shop.raw.sessions ─────────────────────────────┴─► shop.mart.customer_activity ┘
//	 (Kafka) Flink     Kafka Connect
//
// Around it things happen as they do: an attempt fails and is repeated, a training fails, an export fails half-way, a
// table is renamed, and two streaming jobs never end. The demo serves `headwater dev`, the tests and the documents.
package demo
