package eventlog

import "sync"

// size counts records and their compressed bytes.
type size struct {
	records int
	bytes   int64
}

func (s size) plus(other size) size { return size{s.records + other.records, s.bytes + other.bytes} }

func (s size) minus(other size) size { return size{s.records - other.records, s.bytes - other.bytes} }

func (s size) fits(limit size) bool { return s.records <= limit.records && s.bytes <= limit.bytes }

// call is one Append while it waits for its commit.
type call struct {
	records []pending
	size    size
	// done gets the outcome once. It has room for it, so that the committer never waits for a caller that left.
	done chan outcome
}

type outcome struct {
	results []Result
	err     error
}

// newCall prepares records on the caller's goroutine, so that the committer's does as little as it can.
func newCall(records []Record) *call {
	c := &call{records: make([]pending, len(records)), done: make(chan outcome, 1)}
	for i, record := range records {
		ready := pending{Record: record, key: record.key(), compressed: compress(record.Payload), payloadBytes: int64(len(record.Payload))}
		ready.Payload = nil
		c.records[i] = ready
		c.size = c.size.plus(size{1, int64(len(c.records[i].compressed))})
	}
	return c
}

// queue holds calls, in the order of their arrival, until the committer takes them.
type queue struct {
	limit size

	mu      sync.Mutex
	arrived *sync.Cond // something waits, or the queue was closed
	waiting []*call
	held    size
	closed  bool
}

func newQueue(limit size) *queue {
	q := &queue{limit: limit}
	q.arrived = sync.NewCond(&q.mu)
	return q
}

// push adds a call, or answers ErrBusy or ErrClosed at once.
func (q *queue) push(c *call) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	if len(q.waiting) > 0 && !q.held.plus(c.size).fits(q.limit) {
		return ErrBusy
	}
	q.waiting = append(q.waiting, c)
	q.held = q.held.plus(c.size)
	q.arrived.Signal()
	return nil
}

// take waits for calls and removes those that fit into limit, at least one. It gives none once the queue is closed
// and empty.
func (q *queue) take(limit size) []*call {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.closed {
		q.arrived.Wait()
	}
	var taken size
	count := 0
	for count < len(q.waiting) && (count == 0 || taken.plus(q.waiting[count].size).fits(limit)) {
		taken = taken.plus(q.waiting[count].size)
		count++
	}
	group := q.waiting[:count:count]
	q.waiting = q.waiting[count:]
	q.held = q.held.minus(taken)
	return group
}

// size is what waits now.
func (q *queue) size() size {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.held
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.arrived.Signal()
}
