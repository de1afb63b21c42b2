package lineage

// spoken is something that a run says of an output, with the earliest and the latest moment at which an event said it.
type spoken interface{ moments() (first, last Moment) }

// latest picks what holds of all that is said: in a run that ends what was said last, in a continuous run, where each
// holds from when it was first said, the latest. ok is false where nothing is said.
func latest[S spoken](v *view, said []S) (holds S, ok bool) {
	for _, s := range said {
		first, at := s.moments()
		bestFirst, best := holds.moments()
		if v.run.Continuous() {
			at, best = first, bestFirst
		}
		if v.knows(first) && (!ok || at.Compare(best) > 0) {
			holds, ok = s, true
		}
	}
	return holds, ok
}
