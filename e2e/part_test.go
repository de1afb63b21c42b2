package e2e

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/headwater-data/headwater/internal/stack"
)

// part is a gateway or a worker.
type part struct {
	name    string // of the command
	address string // where it answers /readyz
	log     string // file
	env     []string

	process *stack.Process
}

// start starts the part and waits until it is ready.
func (p *part) start(ctx context.Context) error {
	binary, err := tool("headwater")
	if err != nil {
		return err
	}
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() // the child has its own
	p.process, err = stack.Command{Name: p.name, Path: binary, Args: []string{p.name}, Env: p.env, Log: log}.Start()
	if err != nil {
		return err
	}
	return p.awaitReady(ctx)
}

func (p *part) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		err := p.ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.process.Done():
			return fmt.Errorf("the %s has ended: %w; its log is %s", p.name, p.process.Err(), p.log)
		case <-ctx.Done():
			return fmt.Errorf("the %s is not ready: %w; its log is %s", p.name, err, p.log)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (p *part) ready(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+"/readyz", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("/readyz: %s", response.Status)
	}
	return nil
}

// kill ends the part as a crash does: nothing is finished, nothing is said.
func (p *part) kill() error {
	if err := syscall.Kill(p.process.PID(), syscall.SIGKILL); err != nil {
		return err
	}
	<-p.process.Done()
	return nil
}
