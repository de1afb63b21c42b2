package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"
)

// orders are the ways in which the documents of a scenario arrive.
var orders = []struct {
	name  string
	apply func([]file)
}{
	{"as they were sent", func([]file) {}},
	{"in reverse", slices.Reverse[[]file]},
	{"shuffled by seed 1", shuffledBy(1)},
	{"shuffled by seed 2", shuffledBy(2)},
}

func shuffledBy(seed uint64) func([]file) {
	return func(files []file) {
		source := rand.New(rand.NewPCG(seed, 0))
		source.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	}
}

// checkScenarios tries the official consumer scenarios: each is accepted whole, and gives one picture and one state
// digest in every order.
func (s *suite) checkScenarios(ctx context.Context) error {
	folders, err := s.documents.folders("compat-scenarios")
	if err != nil {
		return err
	}
	s.report.heading("official scenario", "holds", "documents, runs, edges")
	for _, folder := range folders {
		files, err := s.documents.files(folder)
		if err != nil {
			return err
		}
		arrivals := make([]arrival, len(orders))
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(atATime)
		for i, order := range orders {
			group.Go(func() (err error) {
				arrivals[i], err = s.arrive(ctx, slices.Clone(files), order.apply)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return fmt.Errorf("scenario %s: %w", folder, err)
		}
		first := arrivals[0].picture
		s.report.judged(filepath.Base(folder), fmt.Sprintf("%d, %d, %d", len(files), len(first.runs), len(first.edges)),
			outcome{problem: disagreement(arrivals)})
		describe(&s.page, folder, len(files), first)
	}
	return nil
}

// arrival is what one order of arrival came to.
type arrival struct {
	// refused is the first answer that was no 201.
	refused string
	// restless means that events or decisions were still to come when patience was at its end.
	restless bool
	picture  picture
	digest   string
}

func (s *suite) arrive(ctx context.Context, files []file, order func([]file)) (a arrival, err error) {
	order(files)
	t, err := try(ctx, s.sites, nil, files)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	for i, status := range t.statuses {
		if status != http.StatusCreated && a.refused == "" {
			a.refused = t.answers[i]
		}
	}
	if a.picture, err = t.awaitRest(ctx, s.patience); err != nil {
		return a, err
	}
	a.restless = !a.picture.settled
	a.digest, err = t.stateDigest(ctx)
	return a, err
}

// disagreement says what is wrong with a scenario; empty where nothing is.
func disagreement(arrivals []arrival) string {
	for i, a := range arrivals {
		switch {
		case a.refused != "":
			return "refused " + a.refused
		case a.restless:
			return orders[i].name + ", something was left to do"
		case a.picture.String() != arrivals[0].picture.String():
			return orders[i].name + ", it shows otherwise:\n" + difference(arrivals[0].picture.String(), a.picture.String())
		case a.digest != arrivals[0].digest:
			return orders[i].name + ", the state digest is another one"
		}
	}
	return ""
}
