package main

import (
	"runtime/metrics"
	"time"
)

// memoryLimit is what the heap of this process may hold, with a few gateways and workers in it, in bytes. The largest
// document has 1.7 MB, most of it the same names again and again.
const memoryLimit = 512 << 20

// memory watches the heap.
type memory struct {
	ended chan struct{}
	peak  chan uint64
}

// watchMemory begins to watch; stop must be called once.
func watchMemory() memory {
	m := memory{ended: make(chan struct{}), peak: make(chan uint64, 1)}
	go func() {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		var peak uint64
		for {
			metrics.Read(sample)
			peak = max(peak, sample[0].Value.Uint64())
			select {
			case <-m.ended:
				m.peak <- peak
				return
			case <-tick.C:
			}
		}
	}()
	return m
}

// stop gives the most that the heap held, garbage included, in bytes.
func (m memory) stop() uint64 {
	close(m.ended)
	return <-m.peak
}
