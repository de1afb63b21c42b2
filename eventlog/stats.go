package eventlog

// Stats is what a Log holds in memory and how much disk it knows of.
type Stats struct {
	// WaitingRecords and WaitingBytes, compressed, wait for a commit; those of the commit under way are not counted.
	WaitingRecords int
	WaitingBytes   int64
	// DatabaseBytes is the size of the whole database when it was last measured, or 0 before.
	DatabaseBytes int64
	// DatabaseLimit is Options.DatabaseBytes.
	DatabaseLimit int64
}

// Stats tells how full the log is now.
func (l *Log) Stats() Stats {
	waiting := l.queue.size()
	return Stats{
		WaitingRecords: waiting.records, WaitingBytes: waiting.bytes,
		DatabaseBytes: l.room.used.Load(), DatabaseLimit: l.room.limit,
	}
}
