package main

import (
	"bytes"
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/report"
	"github.com/headwater-data/headwater/internal/stack"
)

// measureDoor asks the gateway, over HTTP with JSON: what one caller waits for.
func (b *bench) measureDoor(ctx context.Context) (err error) {
	if b.gateway == "" {
		return nil
	}
	door, err := b.openDoor(ctx)
	if err != nil {
		return fmt.Errorf("start the gateway: %w (`make build` builds it; -gateway= leaves it out)", err)
	}
	defer door.process.Stop()
	section := b.Section("Warm, three hops through the gateway's HTTP door, one caller")
	for _, way := range directions {
		questions := b.questions(b.starts(nil), way.direction, 3)
		var latencies report.Latencies
		for pass := range 2 {
			for _, q := range questions {
				took, err := b.askDoor(ctx, door, q, "DIRECTION_"+strings.ToUpper(way.name))
				if err != nil {
					return err
				}
				if pass == 1 {
					latencies = append(latencies, took)
				}
			}
		}
		section.Percentiles(way.name, latencies)
	}
	return nil
}

// startTimeout is how long the gateway may take to be ready.
const startTimeout = 30 * time.Second

type door struct {
	process *stack.Process
	url     string
}

func (b *bench) openDoor(ctx context.Context) (*door, error) {
	port, err := stack.FreePort()
	if err != nil {
		return nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	log, err := os.Create(filepath.Join(b.dir, "gateway.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close() // the child has its own
	process, err := stack.Command{
		Name: "gateway", Path: b.gateway, Args: []string{"gateway", "--dev", "--listen=" + address}, Log: log,
		Env: []string{"HEADWATER_DATABASE_URL=" + b.postgres.URL(database), "HEADWATER_POLICIES=" + b.policyDir()},
	}.Start()
	if err != nil {
		return nil, err
	}
	d := &door{process: process, url: "http://" + address}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		if response, err := http.Get(d.url + "/readyz"); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return d, nil
			}
		}
		select {
		case <-process.Done():
			return nil, stack.WithLog(errors.New("it has ended"), log.Name())
		case <-ctx.Done():
			process.Stop()
			return nil, stack.WithLog(errors.New("it is not ready; an old binary does not know the newest migrations"), log.Name())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// doorAnswer is what is compared of the gateway's answer.
type doorAnswer struct {
	Nodes []struct{} `json:"nodes"`
	Edges []struct{} `json:"edges"`
}

func (b *bench) askDoor(ctx context.Context, d *door, q question, direction string) (time.Duration, error) {
	body, err := json.Marshal(map[string]any{
		"start":     map[string]any{"dataset": map[string]any{"namespace": company.DatasetNamespace, "name": b.company.Name(q.start)}},
		"direction": direction, "depth": q.depth, "validAt": q.validAt.Format(time.RFC3339Nano),
	})
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.url+"/headwater.v1.LineageService/Traverse", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, fmt.Errorf("ask the gateway: %w", err)
	}
	defer response.Body.Close()
	var answer doorAnswer
	if err := json.UnmarshalRead(response.Body, &answer); err != nil {
		return 0, fmt.Errorf("the gateway answers %s: %w", response.Status, err)
	}
	took := time.Since(begun)
	b.checked++
	around := q.around()
	if cut := len(around.Depth) > nodeBudget || len(around.Edges) > edgeBudget; !cut &&
		(len(answer.Nodes) != len(around.Depth) || len(answer.Edges) != len(around.Edges)) {
		b.wrong = append(b.wrong, fmt.Errorf("the gateway answers %s with %d nodes and %d edges for %s, the truth has %d and %d",
			response.Status, len(answer.Nodes), len(answer.Edges), b.company.Name(q.start), len(around.Depth), len(around.Edges)))
	}
	return took, nil
}
