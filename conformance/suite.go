package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// expectations are those of the corpus.
//
//go:embed expect/*.txt expect/*.yaml
var expectations embed.FS

// suite holds a corpus against what is expected of it.
type suite struct {
	sites     siteMaker
	documents corpus
	// expectations has expect/<case>.txt for each synthetic case, and expect/<case>.yaml for one that needs name rules.
	expectations fs.FS
	report       *report
	// patience is how long a picture may take to become what it should be.
	patience time.Duration
	// page has the graphs of the scenarios, as Markdown.
	page bytes.Buffer
	// shuffles is how many random orders all documents are sent in.
	shuffles int
}

// run reports whether everything that should hold now does.
func (s *suite) run(ctx context.Context) (ok bool, err error) {
	for _, part := range []func(context.Context) error{s.sendFolders, s.checkCases, s.checkScenarios, s.checkShuffles} {
		if err := part(ctx); err != nil {
			return false, err
		}
	}
	s.report.finish()
	return s.report.failed == 0, nil
}

// show writes what the documents of a folder give, in the form of an expectation.
func (s *suite) show(ctx context.Context, folder string) error {
	files, err := s.documents.files(folder)
	if err != nil {
		return err
	}
	names, err := rulesOf(s.expectations, filepath.Base(folder))
	if err != nil {
		return err
	}
	t, err := try(ctx, s.sites, names, files)
	if err != nil {
		return err
	}
	drawn, err := t.awaitRest(ctx, s.patience)
	_, writeErr := fmt.Fprintln(s.report.out, strings.Join(t.answers, "\n")+answersEnd+strings.TrimSpace(drawn.String()))
	return errors.Join(err, writeErr, t.close())
}
