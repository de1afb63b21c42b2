// Package activities is what workflows have done for them: weighing runs, archiving the log, building and switching
// projections. Each struct has one concern, and its dependencies as fields.
//
// Any activity may be begun again at any time, also while an earlier attempt of it still runs. What it does twice
// leaves one trace.
package activities
