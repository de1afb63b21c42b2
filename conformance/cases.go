package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"
)

// atATime is how many systems are open at a time.
const atATime = 3

// checkCases tries each case of synthetic/EXPECT.tsv.
func (s *suite) checkCases(ctx context.Context) error {
	rows, err := s.documents.expected()
	if err != nil {
		return err
	}
	outcomes := make([]outcome, len(rows))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atATime)
	for i, row := range rows {
		group.Go(func() (err error) {
			outcomes[i], err = s.checkCase(ctx, row.name)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	s.report.heading("case", "holds", "what it expects")
	for i, row := range rows {
		s.report.judged(row.name, row.rule, outcomes[i])
	}
	return nil
}

// outcome is what became of a case.
type outcome struct {
	// problem says what does not hold that should; empty where all does.
	problem string
	// later and missing are those of the expectation.
	later, missing string
}

// checkCase sends the documents of a case in order and, to another system, in reverse. Both must show the picture that
// is expected, and believe the same.
func (s *suite) checkCase(ctx context.Context, name string) (outcome, error) {
	expected, found, err := expectationOf(s.expectations, name)
	if err != nil {
		return outcome{}, err
	}
	if !found {
		return outcome{problem: fmt.Sprintf("nobody has written expect/%s.txt", name)}, nil
	}
	files, err := s.documents.files(filepath.Join("synthetic", name))
	if err != nil {
		return outcome{}, err
	}
	if expected.names, err = rulesOf(s.expectations, name); err != nil {
		return outcome{}, err
	}
	forth, err := s.check(ctx, files, expected)
	if err != nil {
		return outcome{}, fmt.Errorf("case %s: %w", name, err)
	}
	slices.Reverse(files)
	expected.answers = "" // which of two equal documents is the duplicate depends on their order
	back, err := s.check(ctx, files, expected)
	if err != nil {
		return outcome{}, fmt.Errorf("case %s in reverse: %w", name, err)
	}
	o := outcome{later: expected.later, missing: expected.missing}
	switch {
	case forth.problem != "":
		o.problem = forth.problem
	case back.problem != "":
		o.problem = "in reverse order: " + back.problem
	case forth.digest != back.digest:
		o.problem = "in reverse order the state digest is another one"
	}
	return o, nil
}

// checked is what one trial came to.
type checked struct {
	problem, digest string
}

// check tries documents once. Answers that are not expected are not compared.
func (s *suite) check(ctx context.Context, files []file, expected expectation) (c checked, err error) {
	t, err := try(ctx, s.sites, expected.names, files)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	drawn, err := t.await(ctx, s.patience, func(p picture) bool { return strings.TrimSpace(p.String()) == expected.picture })
	if err != nil {
		return c, err
	}
	if c.digest, err = t.stateDigest(ctx); err != nil {
		return c, err
	}
	if got := strings.Join(t.answers, "\n"); expected.answers != "" && got != expected.answers {
		c.problem = "the doors answer otherwise:\n" + difference(expected.answers, got)
		return c, nil
	}
	if got := strings.TrimSpace(drawn.String()); got != expected.picture {
		c.problem = "the system shows otherwise:\n" + difference(expected.picture, got)
		return c, nil
	}
	c.problem, err = t.leak(ctx, drawn)
	return c, err
}

func difference(expected, got string) string {
	return cmp.Diff(strings.Split(expected, "\n"), strings.Split(got, "\n"))
}

// password is what the corpus has where producers leave credentials.
const password = "hunter2"

// leak says where a password can be read.
func (t *trial) leak(ctx context.Context, drawn picture) (string, error) {
	refused, err := t.quarantined(ctx)
	if err != nil {
		return "", err
	}
	return t.leakOf(slices.Concat(t.raw, drawn.raw, []string{refused.String()})), nil
}

func (t *trial) leakOf(answers []string) string {
	for _, answer := range answers {
		if strings.Contains(answer, password) {
			return "an answer shows a password"
		}
	}
	if t.logs.contain(password) {
		return "the log of the server shows a password"
	}
	return ""
}
