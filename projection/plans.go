package projection

// steadyPlans has PostgreSQL plan each statement of a transaction once a connection, by indexes and nested loops alone.
// A new projection has no statistics and its tables grow while a plan made for empty ones stays in use: without this,
// joining a batch with a table scans the table once a row. Planning afresh each time would cost a query more than
// running it. Bitmaps are off too, since they are built whole where a LIMIT needs a few rows. Where a query joins a list of keys with a table, a LATERAL query with OFFSET 0 fixes the order of the join.
const steadyPlans = `set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
	set_config('enable_bitmapscan', 'off', true), set_config('enable_hashjoin', 'off', true),
	set_config('enable_mergejoin', 'off', true), set_config('enable_material', 'off', true)`
