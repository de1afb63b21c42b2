package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// stopTimeout is how long a child may take to end by itself after it was asked to.
const stopTimeout = 15 * time.Second

// Command says how to run a child process.
type Command struct {
	Name string    // what errors call it
	Path string    // of the executable
	Args []string  // without the executable
	Env  []string  // added to the environment of this process
	Log  io.Writer // gets what it prints, standard error too; a file is handed over, so it outlives this process

	// StopSignal asks it to end in order. The default is SIGTERM.
	StopSignal syscall.Signal
	// OrphanSignal is what the kernel sends it when this process dies, on Linux. The default is SIGKILL.
	OrphanSignal syscall.Signal

	account *account // nil: as this process
}

// Process is a running child in a process group of its own, so that a Ctrl-C at the terminal does not reach it.
type Process struct {
	name       string
	pid        int
	stopSignal syscall.Signal
	done       chan struct{}
	err        error // valid after done
}

// Start starts the command. The caller must call [Process.Stop].
func (c Command) Start() (*Process, error) {
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.Stdout, cmd.Stderr = c.Log, c.Log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.account.apply(cmd.SysProcAttr)
	dieWithParent(cmd.SysProcAttr, signalOr(c.OrphanSignal, syscall.SIGKILL))

	p := &Process{name: c.Name, stopSignal: signalOr(c.StopSignal, syscall.SIGTERM), done: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		// The kernel counts the thread that forked as the parent, so that thread must live as long as the child.
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.err = cmd.Wait()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Name, err)
	}
	p.pid = cmd.Process.Pid
	return p, nil
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err says how the process ended: nil for exit status 0. It must only be called after Done.
func (p *Process) Err() error { return p.err }

// Name is what the command was called.
func (p *Process) Name() string { return p.name }

// PID is the process id, which is also the id of its process group.
func (p *Process) PID() int { return p.pid }

// Stop asks the process to end, waits for it, and kills its whole group when it takes too long. It returns when the
// process has ended; a second call does nothing.
func (p *Process) Stop() {
	select {
	case <-p.done:
		return
	default:
	}
	_ = syscall.Kill(p.pid, p.stopSignal) // fails only when it has just ended
	select {
	case <-p.done:
	case <-time.After(stopTimeout):
		_ = syscall.Kill(-p.pid, syscall.SIGKILL)
		<-p.done
	}
}

// Kill ends the process as a crash does: nothing is finished, nothing is said. It returns when the process has ended; a
// second call does nothing. Children that it gave groups of their own are left to notice.
func (p *Process) Kill() {
	_ = syscall.Kill(-p.pid, syscall.SIGKILL) // fails only when it has ended
	<-p.done
}

// Pause stops the process and, on Linux, its descendants, in the middle of whatever they do, until [Process.Continue].
// To others it looks as if the machine were stuck: connections stay open and nobody answers.
func (p *Process) Pause() error { return p.signalAll(syscall.SIGSTOP) }

// Continue lets a paused process go on. One that is not paused takes no notice.
func (p *Process) Continue() error { return p.signalAll(syscall.SIGCONT) }

func (p *Process) signalAll(signal syscall.Signal) error {
	if err := syscall.Kill(p.pid, signal); err != nil {
		return fmt.Errorf("signal %s: %w", p.name, err)
	}
	for _, pid := range descendants(p.pid) {
		_ = syscall.Kill(pid, signal) // it may have ended by now
	}
	return nil
}

var errEnded = errors.New("ended while it was starting")

// awaitReady calls probe until it succeeds. It gives up when the timeout is over or the process has ended.
func (p *Process) awaitReady(ctx context.Context, timeout time.Duration, probe func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := probe(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("%s %w: %w", p.name, errEnded, p.err)
		case <-ctx.Done():
			return fmt.Errorf("%s was not ready within %v: %w", p.name, timeout, errors.Join(ctx.Err(), err))
		case <-tick.C:
		}
	}
}

func signalOr(signal, fallback syscall.Signal) syscall.Signal {
	if signal == 0 {
		return fallback
	}
	return signal
}
