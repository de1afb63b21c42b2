package projection

import (
	"context"
	"fmt"

	"github.com/headwater-data/headwater/lineage"
)

// Show tells of each node whether the caller may see it.
type Show func(context.Context, []lineage.Node) ([]bool, error)

func (show Show) ask(ctx context.Context, nodes []lineage.Node) ([]bool, error) {
	shown, err := show(ctx, nodes)
	if err != nil {
		return nil, fmt.Errorf("ask which nodes the caller may see: %w", err)
	}
	return shown, nil
}

// shownOnly leaves out what show hides; nil hides nothing.
func shownOnly[T any](ctx context.Context, list []T, node func(T) lineage.Node, show Show) ([]T, error) {
	if show == nil {
		return list, nil
	}
	shown, err := show.ask(ctx, column(list, node))
	if err != nil {
		return nil, err
	}
	var left []T
	for i, item := range list {
		if shown[i] {
			left = append(left, item)
		}
	}
	return left, nil
}
