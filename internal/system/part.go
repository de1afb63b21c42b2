package system

import (
	"context"
	"fmt"

	"github.com/headwater-data/headwater/internal/stack"
)

// Part is one process of a system. It is found at the same address after each start. One goroutine may use it at a time.
type Part struct {
	name    string
	launch  launch
	process *stack.Process // nil before the first start
}

// launch starts a process and waits until it is ready.
type launch func(context.Context) (*stack.Process, error)

// Name is what people call the part.
func (p *Part) Name() string { return p.name }

// Start starts the part and waits until it is ready. It must not be running.
func (p *Part) Start(ctx context.Context) error {
	process, err := p.launch(ctx)
	if err != nil {
		return fmt.Errorf("start %s: %w", p.name, err)
	}
	p.process = process
	return nil
}

// Running tells whether the part has started and not ended since.
func (p *Part) Running() bool {
	if p.process == nil {
		return false
	}
	select {
	case <-p.process.Done():
		return false
	default:
		return true
	}
}

// Stop asks the part to end, and returns when it has. A part that is not running is left alone.
func (p *Part) Stop() {
	if p.Running() {
		p.process.Stop()
	}
}

// Kill ends the part as a crash does: nothing is finished, nothing is said. A part that is not running is left alone.
func (p *Part) Kill() {
	if p.Running() {
		p.process.Kill()
	}
}

// Pause makes the part stand still, as a machine without a processor does, until Continue.
func (p *Part) Pause() error { return p.process.Pause() }

// Continue lets a paused part go on.
func (p *Part) Continue() error { return p.process.Continue() }

// PID is the process id of the running part.
func (p *Part) PID() int { return p.process.PID() }
