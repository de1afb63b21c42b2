package demo

import "github.com/headwater-data/headwater/lineage"

var airflow = integration{
	name: "AIRFLOW", namespace: "airflow-prod",
	producer: "https://github.com/apache/airflow/tree/providers-openlineage/2.8.0",
	engine:   "Airflow", version: "3.1.0",
}

var spark = integration{
	name: "SPARK", namespace: "spark-prod",
	producer: "https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/spark",
	engine:   "spark", version: "3.5.6",
}

// ingestion is an Airflow DAG with two tasks, each of which submits a Spark application.
func (n night) ingestion() []Event {
	dag := n.run(airflow, "shop_ingest", "DAG", "BATCH", "1")
	events := []Event{dag.event(n.before(50), lineage.Start, nil, nil)}
	events = append(events, n.loading(dag, "load_orders", orders, rawOrders, 49)...)
	events = append(events, n.loading(dag, "load_customers", customers, rawCustomers, 48)...)
	return append(events, dag.event(n.before(41), lineage.Complete, nil, nil))
}

// loading is one task: it copies a table, beginning at a minute of the night.
func (n night) loading(dag run, name string, from, to table, begin int) []Event {
	task := n.run(airflow, "shop_ingest."+name, "TASK", "BATCH", "1").under(dag, dag)
	task.runFacets["airflow"] = airflow.facet("2-0-2/OpenLineage", facets{
		"dag":          facets{"dag_id": "shop_ingest", "schedule_interval": "0 23 * * *", "owner": "data-platform"},
		"task":         facets{"task_id": name, "operator_class": "SparkSubmitOperator"},
		"taskInstance": facets{"try_number": 1},
	})
	application := n.run(spark, name, "APPLICATION", "BATCH", "1").under(task, dag)
	application.runFacets["spark_properties"] = spark.facet("2-0-2/OpenLineage", facets{
		"properties": facets{"spark.master": "yarn", "spark.app.name": name},
	})
	return []Event{
		task.event(n.before(begin), lineage.Start, nil, nil),
		application.event(n.before(begin-1), lineage.Start, nil, nil),
		application.event(n.before(begin-3), lineage.Running, spark.datasets(from), []dataset{spark.copied(to, from)}),
		application.event(n.before(begin-4), lineage.Complete, spark.datasets(from), []dataset{spark.copied(to, from)}),
		task.event(n.before(begin-5), lineage.Complete, nil, nil),
	}
}

// renaming is a Spark command that gives a table another name. As Spark reports it, it has an output and no input.
func (n night) renaming() []Event {
	command := n.run(spark, "rename_clients", "COMMAND", "BATCH", "1")
	output := spark.dataset(rawCustomers)
	output.Facets["lifecycleStateChange"] = spark.facet("1-0-1/LifecycleStateChangeDatasetFacet", facets{
		"lifecycleStateChange": "RENAME",
		"previousIdentifier":   facets{"namespace": bigQuery, "name": "shop.raw.clients"},
	})
	return []Event{
		command.event(n.before(58), lineage.Start, nil, []dataset{output}),
		command.event(n.before(57), lineage.Complete, nil, []dataset{output}),
	}
}
