package projection

// rawContent is what was said, whatever names are made of it: two folds of one log agree in it under all name rules. It
// leaves out the bodies of runs and contributions, in which column maps stand by their hash under rules.
var rawContent = []content{
	{"run", `SELECT run_key, run_id, job_namespace, job_name, job_id, parent_run_key, state, settled, awaits, began_at, nominal_start,
		decisions::text, first_offset, last_epoch, last_offset FROM run WHERE projection_id = $1`},
	{"run_event", `SELECT run_key, log_offset, producer, event_id, event_type, event_time, effective_at, received_at, warnings::text
		FROM run_event WHERE projection_id = $1`},
	{"declaration", `SELECT log_offset, producer, event_id, job_namespace, job_name, event_time, effective_at, received_at, warnings::text
		FROM declaration WHERE projection_id = $1`},
	{"withdrawal", `SELECT subject, recorded_from, recorded_to, undone, body::text FROM withdrawal WHERE projection_id = $1`},
	{"registered_alias", `SELECT alias_key, body::text FROM registered_alias WHERE projection_id = $1`},
	{"name_rule_set", `SELECT revision, rules::text, event_time, said_by, reason, recorded_from
		FROM name_rule_set WHERE projection_id = $1`},
}
