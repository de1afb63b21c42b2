package lineage

import (
	"slices"
	"time"
)

// Listing is a set of datasets that events listed, one after the other, as the whole of their windows. It stands beside what
// other events add up to.
type Listing struct {
	// First and Last are the moments of the first and the last event that listed just that.
	First Moment `json:"first"`
	Last  Moment `json:"last"`
	// Datasets are sorted, each once; there is at least one.
	Datasets []DatasetID `json:"datasets"`
}

// Listings are those of one run and role in the order of time. Neighbours differ.
type Listings []Listing

// splits reports whether a listing lies between two events of which only the first and the last of a row are known, so that
// where the row ends cannot be told.
func (l Listings) splits(at Moment, datasets []DatasetID) bool {
	return slices.ContainsFunc(l, func(row Listing) bool {
		return row.First.Compare(at) < 0 && at.Compare(row.Last) < 0 && !slices.Equal(row.Datasets, datasets)
	})
}

// with takes in what one event lists. An empty list says nothing.
func (l Listings) with(at Moment, datasets []DatasetID) Listings {
	if len(datasets) == 0 {
		return l
	}
	after := slices.IndexFunc(l, func(listing Listing) bool { return listing.First.Compare(at) > 0 })
	if after < 0 {
		after = len(l)
	}
	switch {
	case after > 0 && slices.Equal(l[after-1].Datasets, datasets):
		l[after-1].Last = later(l[after-1].Last, at)
		return l
	case after < len(l) && slices.Equal(l[after].Datasets, datasets):
		l[after].First = at
		return l
	default:
		return slices.Insert(l, after, Listing{at, at, datasets})
	}
}

// at are the datasets of the listing that holds at a time; none before the first.
func (l Listings) at(until time.Time) map[DatasetID]bool {
	held := map[DatasetID]bool{}
	for _, listing := range slices.Backward(l) {
		if listing.First.EffectiveAt.After(until) {
			continue
		}
		for _, id := range listing.Datasets {
			held[id] = true
		}
		break
	}
	return held
}

// ruling are the datasets of every listing that was the last one of a window; without windows, of the last.
func (l Listings) ruling(window time.Duration) map[DatasetID]bool {
	ruling := map[DatasetID]bool{}
	for i, listing := range l {
		if i < len(l)-1 && (window <= 0 || sameWindow(listing.First, l[i+1].First, window)) {
			continue
		}
		for _, id := range listing.Datasets {
			ruling[id] = true
		}
	}
	return ruling
}

// sameWindow reports whether two moments lie in one window, of those that follow each other since the zero time.
func sameWindow(a, b Moment, window time.Duration) bool {
	return a.EffectiveAt.Truncate(window).Equal(b.EffectiveAt.Truncate(window))
}

// under gives the datasets the names that rules have for them.
func (l Listings) under(names *NameRules) Listings {
	known := make(Listings, len(l))
	for i, listing := range l {
		datasets := make([]DatasetID, len(listing.Datasets))
		for j, id := range listing.Datasets {
			datasets[j] = names.Dataset(id)
		}
		listing.Datasets = sortedIDs(datasets)
		known[i] = listing
	}
	return known
}

// Splits reports whether an event lies between others of which the run does not know enough to tell what holds after it.
// The run must then be folded anew from all that its events contributed: see Fold.
func (r *Run) Splits(c Contribution) bool {
	return c.Whole && (len(c.Inputs) > 0 && r.InputListings.splits(c.Moment, sortedIDs(c.Inputs)) ||
		len(c.written()) > 0 && r.OutputListings.splits(c.Moment, c.written()))
}

// ListedAt is when an event last listed the whole of its window; zero where none did.
func (r *Run) ListedAt() time.Time {
	var last Moment
	for _, listing := range slices.Concat(r.InputListings, r.OutputListings) {
		last = later(last, listing.Last)
	}
	return last.EffectiveAt
}

// addListings takes in what an event lists as the whole of its window, and notes what that replaces.
func (r *Run) addListings(c Contribution) {
	if c.Whole {
		offerStated(&r.WindowSeconds, c.Moment, c.WindowSeconds)
		r.InputListings = r.InputListings.with(c.Moment, sortedIDs(c.Inputs))
		r.OutputListings = r.OutputListings.with(c.Moment, c.written())
	}
	if len(r.InputListings)+len(r.OutputListings) == 0 {
		return
	}
	window := time.Duration(r.WindowSeconds.Value) * time.Second
	inputs, outputs := r.InputListings.ruling(window), r.OutputListings.ruling(window)
	for i := range r.Inputs {
		input := &r.Inputs[i]
		input.Replaced = input.Listed && !inputs[input.DatasetID] && !r.Continuous()
	}
	for i := range r.Outputs {
		output := &r.Outputs[i]
		output.Replaced = output.Listed && !outputs[output.DatasetID] && !r.Continuous()
	}
}

// written are the datasets that the event says are written, sorted.
func (c *Contribution) written() []DatasetID {
	written := slices.Clone(c.Outputs)
	for _, pairs := range slices.Concat(c.Columns, c.Explicit) {
		if pairs.Target.Kind == NodeDataset {
			written = append(written, DatasetID{pairs.Target.Namespace, pairs.Target.Name})
		}
	}
	for _, m := range c.Maps {
		written = append(written, m.Output)
	}
	return sortedIDs(written)
}

// sortedIDs are sorted, each once.
func sortedIDs(ids []DatasetID) []DatasetID {
	return slices.Compact(slices.SortedFunc(slices.Values(ids), DatasetID.Compare))
}
