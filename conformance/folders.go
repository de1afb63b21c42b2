package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// parts are the parts of the corpus that consist of events, and whether every document must be accepted.
var parts = []struct {
	name  string
	whole bool
}{
	{"events", true},
	{"filled", false}, // one of them still has a placeholder for its event time
	{"invalid", false},
	{"synthetic", false},
	{"compat-scenarios", true},
}

// sendFolders sends every document to one system and tells by folder what became of them.
func (s *suite) sendFolders(ctx context.Context) (err error) {
	place, err := s.sites.makeSite(ctx)
	if err != nil {
		return err
	}
	open, err := openInstance(ctx, place, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, open.close()) }()
	s.report.heading("folder", "documents", "accepted", "refused", "why")
	for _, part := range parts {
		folders, err := s.documents.folders(part.name)
		if err != nil {
			return err
		}
		for _, folder := range folders {
			files, err := s.documents.files(folder)
			if err != nil {
				return err
			}
			counted, err := open.count(ctx, files)
			if err != nil {
				return fmt.Errorf("folder %s: %w", folder, err)
			}
			s.report.counted(folder, counted, part.whole)
		}
	}
	return nil
}

// counts are what the doors said to the documents of a folder.
type counts struct {
	documents, accepted int
	// refused counts by code.
	refused map[string]int
	// odd are answers that no document should get.
	odd []string
}

func (s *instance) count(ctx context.Context, files []file) (counts, error) {
	c := counts{documents: len(files), refused: map[string]int{}}
	for _, file := range files {
		said, err := s.send(ctx, file.body)
		switch {
		case err != nil:
			return c, fmt.Errorf("send %s: %w", file.name, err)
		case said.Status == http.StatusCreated, said.Status == http.StatusOK:
			c.accepted++
		case said.Status == http.StatusBadRequest && said.Code != "" && said.Reason != "":
			c.refused[said.Code]++
		default:
			c.odd = append(c.odd, file.name+": "+said.String())
		}
	}
	return c, nil
}

// why lists the reasons of refusals, the most frequent first.
func (c counts) why() string {
	codes := slices.SortedFunc(maps.Keys(c.refused), func(a, b string) int {
		if c.refused[a] != c.refused[b] {
			return c.refused[b] - c.refused[a]
		}
		return strings.Compare(a, b)
	})
	reasons := make([]string, len(codes))
	for i, code := range codes {
		reasons[i] = fmt.Sprintf("%d %s", c.refused[code], code)
	}
	return strings.Join(reasons, ", ")
}
