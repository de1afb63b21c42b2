package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

const (
	// patience is enough for a system among others on a slow machine.
	patience = time.Minute
	// lookInterval is how often a picture is drawn until it is what it should be.
	lookInterval = 100 * time.Millisecond
)

// trial is one sending of documents to a system that has seen nothing else.
type trial struct {
	*instance
	mentions mentions
	// answers has a line for each document, in the order in which they were sent.
	answers  []string
	statuses []int
	// raw are the bodies of the answers.
	raw []string
	// last is where the latest of the documents stands in the log.
	last int64
}

// try sends documents, in their order, to a new system under name rules, nil for none. close must be called.
func try(ctx context.Context, sites siteMaker, names *lineage.NameRules, files []file) (*trial, error) {
	place, err := sites.makeSite(ctx)
	if err != nil {
		return nil, err
	}
	s, err := openInstance(ctx, place, names)
	if err != nil {
		return nil, err
	}
	t := &trial{instance: s, mentions: mentionedBy(files)}
	for _, file := range files {
		said, err := s.send(ctx, file.body)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("send %s: %w", file.name, err), s.close())
		}
		t.answers = append(t.answers, file.name+": "+said.String())
		t.statuses = append(t.statuses, said.Status)
		t.raw = append(t.raw, string(said.Body))
		t.last = max(t.last, said.Offset)
	}
	return t, nil
}

// String is an answer as expectations have it.
func (a answer) String() string {
	text := strconv.Itoa(a.Status)
	switch {
	case a.Outcome != "":
		text += fmt.Sprintf(" %s: %d received, %d successful, %d failed", a.Outcome, a.Summary.Received, a.Summary.Successful, a.Summary.Failed)
		for _, failed := range a.Failed {
			text += fmt.Sprintf("; [%d] %s, retriable %t", failed.Index, failed.Code, failed.Retriable)
		}
		return text
	case a.Duplicate:
		return text + " duplicate"
	default:
		return strings.TrimSpace(text + " " + a.Code)
	}
}

// await draws until the picture is as it should be, or for as long as patience goes, and gives the last one.
func (t *trial) await(ctx context.Context, patience time.Duration, done func(picture) bool) (picture, error) {
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(lookInterval)
	defer tick.Stop()
	for {
		drawn, err := t.look(ctx)
		if err == nil && done(drawn) || err != nil && !isBusy(err) {
			return drawn, err
		}
		select {
		case <-ctx.Done():
			return drawn, ctx.Err()
		case <-patient.Done():
			return drawn, err
		case <-tick.C:
		}
	}
}

// look draws what is there now. A picture without the last document is not settled, and nothing in it need say so: what
// was not folded is not known.
func (t *trial) look(ctx context.Context) (picture, error) {
	folded, err := t.folded(ctx)
	if err != nil {
		return picture{}, err
	}
	drawn, err := t.draw(ctx, t.mentions)
	drawn.settled = drawn.settled && folded >= t.last
	return drawn, err
}

// awaitRest draws until nothing is left to do and nothing has changed for a while: a run that goes on is decided too,
// and no answer tells when.
func (t *trial) awaitRest(ctx context.Context, patience time.Duration) (picture, error) {
	const rest = time.Second
	last, since := "", time.Now()
	return t.await(ctx, patience, func(drawn picture) bool {
		if drawn.String() != last || !drawn.settled {
			last, since = drawn.String(), time.Now()
		}
		return time.Since(since) > rest
	})
}
