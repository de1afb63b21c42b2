# METADATA
# title: What an output needs before it is published
# description: |
#   A run that completes publishes its outputs unless a gate is asked for: by data, in `data.headwater.gates` (in
#   data.json), of which the first rule that applies counts; or by a rule of your own, in a file with the same package,
#   which counts before those. For example:
#
#       own := {"gates": ["validation"], "wait": "24h"} if startswith(input.job.name, "backfill_")
#
#   The gate "commit" is passed by a commit marker, "validation" by a person's word, and any other by quality results of
#   that name; those of dataQualityAssertions facets answer "quality".
# schemas:
#   - input: schema.publication
#   - data.headwater.gates: schema.gates
package headwater.publication

# METADATA
# description: The gates, how long they are waited for, and what holds when the time is over.
# entrypoint: true
requirement := object.union(asked, {"gates": gates, "wait": wait, "at_timeout": at_timeout})

# METADATA
# description: The names of the gates that must pass before this output of this run counts as published.
default gates := []

gates := object.get(counting, "gates", null)

# METADATA
# description: |
#   How long to wait for them, from the receipt of the first event that ended the run, such as "30m" or "2h45m".
#   Empty: for ever.
default wait := ""

wait := counting.wait

# METADATA
# description: What holds when the time is over, "published", "suspect", "diagnostic" or "rejected". A late answer still counts.
default at_timeout := "suspect"

at_timeout := counting.at_timeout

# METADATA
# description: |
#   A rule of your own for this output, with "gates" and, as in data, "wait" and "at_timeout". Null: the rules of data count.
default own := null

# METADATA
# description: |
#   What the rule that counts asks for. A member that is misspelt stays in the answer, which cannot be used then: the output
#   waits, and its workflow says why, instead of being published without its gate.
default asked := {}

asked := object.remove(counting, {"namespace", "name", "continuous"})

# METADATA
# description: The rule that counts.
counting := own if {
	own != null
} else := applying[0]

# METADATA
# description: The rules of `data.headwater.gates` that apply to this output, in their order.
applying := [rule |
	some rule in data.headwater.gates
	rule.namespace == input.output.namespace
	glob.match(rule.name, null, input.output.name)
	binds(rule)
]

# A stream has no end to count from, so a rule holds it up only where it says so.
binds(_) if not continuous

binds(rule) if rule.continuous

continuous if input.run.processingType in {"STREAMING", "SERVICE"}
