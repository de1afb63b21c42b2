package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/headwater-data/headwater/internal/stack"
)

// devPart is a gateway or a worker that runs as a child process of this same binary.
type devPart struct {
	binary  string
	command string // of the binary
	address string // where it answers /readyz
	log     string // file
	env     []string
}

func (c *devCommand) parts(services *devServices) ([]devPart, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	part := func(command string, port int, env ...string) devPart {
		address := loopback(port)
		return devPart{
			binary: self, command: command, address: address,
			log: filepath.Join(c.Dir, command+".log"),
			env: slices.Concat(services.environment(), []string{"HEADWATER_LISTEN=" + address}, env),
		}
	}
	return []devPart{
		part("gateway", c.Port, "HEADWATER_DEV=true"),
		part("worker", c.WorkerPort),
	}, nil
}

// A part that lived this long had started well, so that the next start need not wait long.
const soundLife = 30 * time.Second

// keepRunning starts the part again, after a growing delay, whenever it ends. It returns when ctx is done and the part
// has stopped.
func (p devPart) keepRunning(ctx context.Context) error {
	log, err := stack.OpenLog(p.log)
	if err != nil {
		return err
	}
	defer log.Close()
	command := stack.Command{Name: p.command, Path: p.binary, Args: []string{p.command}, Env: p.env, Log: log}
	delay := &backoff.ExponentialBackOff{InitialInterval: 250 * time.Millisecond, Multiplier: 2, MaxInterval: 10 * time.Second}
	for {
		started := time.Now()
		process, err := command.Start()
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			process.Stop()
			return nil
		case <-process.Done():
		}
		if time.Since(started) > soundLife {
			delay.Reset()
		}
		pause := delay.NextBackOff()
		fmt.Fprintf(os.Stderr, "the %s has ended (%v); starting it again in %v; its log is %s\n", p.command, process.Err(), pause, p.log)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// readyTimeout is how long a part may take to be ready after its start.
const readyTimeout = time.Minute

// awaitReady waits until the part says that it is ready.
func (p devPart) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		if p.ready(ctx) {
			return nil
		}
		select {
		case <-ctx.Done():
			return stack.WithLog(fmt.Errorf("the %s is not ready: %w", p.command, ctx.Err()), p.log)
		case <-tick.C:
		}
	}
}

func (p devPart) ready(ctx context.Context) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+"/readyz", nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusOK
}
