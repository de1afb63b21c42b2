package demo

import (
	"strings"

	"github.com/headwater-data/headwater/lineage"
)

var dbt = integration{
	name: "DBT", namespace: "dbt-prod",
	producer: "https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/dbt",
	engine:   "dbt", version: "1.11.2",
}

// model is a dbt model: what it reads, what it writes and how.
type model struct {
	query  string
	inputs []table
	output dataset
}

var stagingOrdersModel = model{
	query: `select order_id, customer_id, amount, date(ordered_at) as ordered_on
from shop.raw.orders
where status != 'test'`,
	inputs: []table{rawOrders},
	output: dbt.written(stagingOrders, map[string][]influence{
		"order_id":    {identity(rawOrders, "order_id")},
		"customer_id": {identity(rawOrders, "customer_id")},
		"amount":      {identity(rawOrders, "amount")},
		"ordered_on":  {transformed(rawOrders, "ordered_at")},
	}, indirect("FILTER", rawOrders, "status")),
}

var stagingCustomersModel = model{
	query: `select customer_id, to_hex(sha256(email)) as email_hash, upper(country) as country
from shop.raw.customers`,
	inputs: []table{rawCustomers},
	output: dbt.written(stagingCustomers, map[string][]influence{
		"customer_id": {identity(rawCustomers, "customer_id")},
		"email_hash":  {masked(rawCustomers, "email")},
		"country":     {transformed(rawCustomers, "country")},
	}),
}

var dailyOrdersModel = model{
	query: `select ordered_on, country, count(order_id) as orders, sum(amount) as revenue
from shop.staging.orders join shop.staging.customers using (customer_id)
group by ordered_on, country`,
	inputs: []table{stagingOrders, stagingCustomers},
	output: dbt.written(dailyOrders, map[string][]influence{
		"ordered_on": {identity(stagingOrders, "ordered_on")},
		"country":    {identity(stagingCustomers, "country")},
		"orders":     {aggregated(stagingOrders, "order_id")},
		"revenue":    {aggregated(stagingOrders, "amount")},
	},
		indirect("JOIN", stagingOrders, "customer_id"), indirect("JOIN", stagingCustomers, "customer_id"),
		indirect("GROUP_BY", stagingOrders, "ordered_on"), indirect("GROUP_BY", stagingCustomers, "country"),
	),
}

var customerActivityModel = model{
	query: `select customer_id, any_value(country) as country, count(session_id) as sessions, sum(clicks) as clicks
from shop.raw.sessions join shop.staging.customers using (customer_id)
group by customer_id`,
	inputs: []table{rawSessions, stagingCustomers},
	output: dbt.written(customerActivity, map[string][]influence{
		"customer_id": {identity(rawSessions, "customer_id")},
		"country":     {aggregated(stagingCustomers, "country")},
		"sessions":    {aggregated(rawSessions, "session_id")},
		"clicks":      {aggregated(rawSessions, "clicks")},
	},
		indirect("JOIN", rawSessions, "customer_id"), indirect("JOIN", stagingCustomers, "customer_id"),
		indirect("GROUP_BY", rawSessions, "customer_id"),
	),
}

// transformation is `dbt run`, in which one model fails, and `dbt retry`, in which it succeeds.
func (n night) transformation() []Event {
	first := n.run(dbt, "dbt-run-shop", "JOB", "BATCH", "1")
	events := []Event{first.event(n.before(40), lineage.Start, nil, nil)}
	events = append(events, n.building(first, stagingOrdersModel, 39, 38)...)
	events = append(events, n.building(first, stagingCustomersModel, 39, 37)...)
	events = append(events, n.building(first, dailyOrdersModel, 36, 33)...)
	events = append(events, n.breaking(first, customerActivityModel, 36, 34)...)
	events = append(events, first.failing("1 of 4 models failed", "python").event(n.before(32), lineage.Fail, nil, nil))

	second := n.run(dbt, "dbt-run-shop", "JOB", "BATCH", "2")
	events = append(events, second.event(n.before(20), lineage.Start, nil, nil))
	events = append(events, n.building(second, customerActivityModel, 19, 15)...)
	return append(events, second.event(n.before(14), lineage.Complete, nil, nil))
}

// building is a model that succeeds.
func (n night) building(parent run, m model, begin, end int) []Event {
	r := n.modelRun(parent, m)
	return []Event{
		r.event(n.before(begin), lineage.Start, dbt.datasets(m.inputs...), []dataset{m.output}),
		r.event(n.before(end), lineage.Complete, dbt.datasets(m.inputs...), []dataset{m.output}),
	}
}

// breaking is a model that fails.
func (n night) breaking(parent run, m model, begin, end int) []Event {
	r := n.modelRun(parent, m)
	failed := r.failing("Database Error: Query exceeded its limit of 100 GB billed", "sql")
	return []Event{
		r.event(n.before(begin), lineage.Start, dbt.datasets(m.inputs...), []dataset{m.output}),
		failed.event(n.before(end), lineage.Fail, dbt.datasets(m.inputs...), []dataset{m.output}),
	}
}

// modelRun names the job as dbt-ol does: database, schema, project, model. Each invocation of dbt is an attempt.
func (n night) modelRun(parent run, m model) run {
	dot := strings.LastIndexByte(m.output.Name, '.')
	job := m.output.Name[:dot] + ".shop_dbt" + m.output.Name[dot:]
	return n.run(dbt, job, "MODEL", "BATCH", parent.id).under(parent, parent).sql(m.query)
}
