# METADATA
# title: Which nodes a caller sees
# description: |
#   Everything is shown to those who may ask, except what `data.headwater.hidden` (in data.json) hides. An answer
#   is that of the graph without the hidden nodes: paths through them end.
# schemas:
#   - input: schema.visibility
#   - data.headwater.hidden: schema.hidden
package headwater.visibility

# METADATA
# description: |
#   "show" or "hide" for each node of the input. A node that is missing here is hidden.
# entrypoint: true
decisions := object.union(
	{id: "show" | some id, _ in input.nodes},
	{id: "hide" | some id, _ in reasons},
)

# METADATA
# description: |
#   Whether anything could be hidden from this caller. It is asked without nodes, so that it tells a caller nothing
#   about what exists. Hiding a node from a caller who is not restricted is an error.
# entrypoint: true
default restricted := false

restricted if count(binding) > 0

# METADATA
# description: |
#   Why a node is hidden, by node. To hide by other means than data, add a rule here, and one to `restricted` that
#   holds for the same callers.
reasons[id] contains reason if {
	some id, node in input.nodes
	some rule in binding[node.namespace]
	glob.match(rule.name, null, node.name)
	reason := sprintf("data.headwater.hidden has %s in %s", [rule.name, rule.namespace])
}

# METADATA
# description: The rules of `data.headwater.hidden` that bind this caller, by namespace.
binding[rule.namespace] contains rule if {
	some rule in data.headwater.hidden
	not exempt(rule)
}

exempt(rule) if {
	some role in rule.unless_roles
	role in input.caller.roles
}
