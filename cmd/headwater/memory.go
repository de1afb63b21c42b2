package main

import (
	"os"
	"runtime/debug"
)

// spendMemory has the garbage collector wait until the heap has grown to five times what is in use, and not to twice:
// decoding leaves much behind and keeps little, so that collecting was a fifth of what an event cost. Near the limit,
// in bytes, it collects as often as it must. Whoever sets GOGC or GOMEMLIMIT decides that instead.
func spendMemory(limit int64) {
	const percent = 400
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}

// baseMemory is what a process needs, in bytes, beside the events that it holds.
const baseMemory = 256 << 20
