package eventlog

import "github.com/headwater-data/headwater/lineage"

// pending is a record that is ready to be written. Its Payload is gone: compressed stands for it, so that a queue which
// is bounded in compressed bytes is bounded in memory, also when the callers have left.
type pending struct {
	Record
	key          lineage.Hash
	compressed   []byte
	payloadBytes int64
}

// standing is an event that has its place in the log.
type standing struct {
	contentHash lineage.Hash
	receipt     Receipt
}

// assign gives each record its result. Those that are new take the next offsets and are returned as fresh, in that
// order. known holds the events that have the key of a record; assign adds the fresh ones to it, so that repeats
// within records are repeats like any other.
func assign(head Head, known map[lineage.Hash]standing, records []pending) (results []Result, fresh []pending) {
	results = make([]Result, len(records))
	for i, record := range records {
		first, taken := known[record.key]
		switch {
		case !taken:
			receipt := Receipt{
				Epoch:      head.Epoch,
				Offset:     head.Offset + lineage.Offset(len(fresh)) + 1,
				ReceivedAt: head.ReceivedAt,
			}
			known[record.key] = standing{record.ContentHash, receipt}
			fresh = append(fresh, record)
			results[i].Receipt = receipt
		case first.contentHash != record.ContentHash:
			results[i] = Result{Receipt: first.receipt, Err: ErrConflict}
		default:
			results[i].Receipt = first.receipt
			results[i].Receipt.Duplicate = true
		}
	}
	return results, fresh
}
