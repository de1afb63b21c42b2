// Package demo is the pipeline of a small shop, as its tools would report one night of it:
//
//	shop.public.orders ────► shop.raw.orders ────► shop.staging.orders ──────► shop.mart.daily_orders ─────┐
//	                                                                       ┌─►                             ├─► sales_overview
//	shop.public.customers ─► shop.raw.customers ─► shop.staging.customers ─┤                               │
//	                                                                       └─►                             │
//	clicks ─► sessions ────► shop.raw.sessions ──────────────────────────────► shop.mart.customer_activity ┘
//
//	PostgreSQL; Kafka        BigQuery              BigQuery                    BigQuery                        Looker
//
// Spark copies the tables of the shop under Airflow, Flink makes sessions of clicks, Kafka Connect carries them into the
// warehouse, and dbt does the rest. Around it things happen as they do: an attempt fails and is repeated, a training
// fails, an export fails half-way, a table is renamed, and two streaming jobs never end. The demo serves
// `headwater dev`, the tests and the documents.
package demo
