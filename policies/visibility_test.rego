package headwater.visibility_test

import data.headwater.visibility

orders := {"kind": "dataset", "namespace": "warehouse", "name": "mart.daily_orders"}

salaries := {"kind": "dataset", "namespace": "warehouse", "name": "hr.salaries"}

salaries_elsewhere := {"kind": "dataset", "namespace": "lake", "name": "hr.salaries"}

nodes := {"1": orders, "2": salaries, "3": salaries_elsewhere}

analyst := {"name": "mara", "kind": "user", "roles": ["reader"], "namespaces": []}

people_team := {"name": "ines", "kind": "user", "roles": ["reader", "people"], "namespaces": []}

hide_hr := [{"namespace": "warehouse", "name": "hr.*", "unless_roles": ["people"]}]

test_without_rules_everything_is_shown if {
	decisions := visibility.decisions with input as {"caller": analyst, "nodes": nodes}
		with data.headwater.hidden as []
	decisions == {"1": "show", "2": "show", "3": "show"}
}

test_a_rule_hides_what_it_names_in_its_namespace if {
	decisions := visibility.decisions with input as {"caller": analyst, "nodes": nodes}
		with data.headwater.hidden as hide_hr
	decisions == {"1": "show", "2": "hide", "3": "show"}
}

test_a_role_lifts_a_rule if {
	decisions := visibility.decisions with input as {"caller": people_team, "nodes": nodes}
		with data.headwater.hidden as hide_hr
	decisions == {"1": "show", "2": "show", "3": "show"}
}

test_a_star_spans_dots_and_slashes if {
	deep := {"1": {"kind": "dataset", "namespace": "s3://lake", "name": "hr/2026/pay.parquet"}}
	decisions := visibility.decisions with input as {"caller": analyst, "nodes": deep}
		with data.headwater.hidden as [{"namespace": "s3://lake", "name": "hr*"}]
	decisions == {"1": "hide"}
}

test_restricted_depends_on_the_caller_alone[note] if {
	some note, case in {
		"no rules": {"caller": analyst, "hidden": [], "want": false},
		"bound by a rule": {"caller": analyst, "hidden": hide_hr, "want": true},
		"lifted by a role": {"caller": people_team, "hidden": hide_hr, "want": false},
	}
	restricted := visibility.restricted with input as {"caller": case.caller}
		with data.headwater.hidden as case.hidden
	restricted == case.want
}

test_reasons_name_the_rule if {
	reasons := visibility.reasons with input as {"caller": analyst, "nodes": nodes}
		with data.headwater.hidden as hide_hr
	reasons == {"2": {"data.headwater.hidden has hr.* in warehouse"}}
}

# These two look at the data that is in use, so that a misspelt rule stops the set instead of hiding nothing.

test_hidden_is_a_list if is_array(data.headwater.hidden)

test_hidden_rules_are_well_formed if {
	every rule in data.headwater.hidden {
		print("data.headwater.hidden:", rule)
		object.keys(rule) - {"unless_roles"} == {"namespace", "name"}
		is_string(rule.namespace)
		is_string(rule.name)
		glob.match(rule.name, null, "any") in {true, false}
		every role in object.get(rule, "unless_roles", []) {
			is_string(role)
		}
	}
}
