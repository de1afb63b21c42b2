# METADATA
# title: What an output needs before it is published
# description: |
#   A run that completes publishes its outputs unless a gate is asked for here. For example:
#
#       gates := ["quality"] if input.output.namespace == "finance"
# schemas:
#   - input: schema.publication
package headwater.publication

# METADATA
# description: The names of the gates that must pass before this output of this run counts as published.
# entrypoint: true
default gates := []
