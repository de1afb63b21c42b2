package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/headwater-data/headwater/internal/rulesfile"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// rulesOf are the name rules of a synthetic case, nil where it needs none.
func rulesOf(expectations fs.FS, name string) (*lineage.NameRules, error) {
	text, err := fs.ReadFile(expectations, "expect/"+name+".yaml")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	rules, err := rulesfile.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("expect/%s.yaml: %w", name, err)
	}
	return rules, nil
}

// beginUnder has an empty system fold under rules, as after a replay.
func beginUnder(ctx context.Context, store *projection.Store, names *lineage.NameRules) error {
	if names == nil {
		return nil
	}
	ruled, err := store.Create(ctx, "under-rules", names)
	if err != nil {
		return err
	}
	return store.Switch(ctx, ruled.ID)
}
