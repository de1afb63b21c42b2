package projection

import "github.com/headwater-data/headwater/lineage"

// version is a row with the recorded time in which it was believed.
type version[R any] struct {
	row  R
	from lineage.Offset
	to   lineage.Offset
}

// versions collects the rows of one table that a batch opens and closes. A row that the batch opens and closes again
// is written with both ends, so that where batches are cut leaves no trace.
type versions[K comparable, R any] struct {
	opened []*version[R]
	// standing are the rows opened here and not closed again.
	standing map[K]*version[R]
	// closed are rows from before the batch.
	closed map[K]lineage.Offset
}

func (v *versions[K, R]) open(key K, row R, at lineage.Offset) {
	if v.standing == nil {
		v.standing = map[K]*version[R]{}
	}
	opened := &version[R]{row: row, from: at, to: lineage.OpenEnd}
	v.opened = append(v.opened, opened)
	v.standing[key] = opened
}

func (v *versions[K, R]) close(key K, at lineage.Offset) {
	if standing, ok := v.standing[key]; ok {
		standing.to = at
		delete(v.standing, key)
		return
	}
	if v.closed == nil {
		v.closed = map[K]lineage.Offset{}
	}
	v.closed[key] = at
}
