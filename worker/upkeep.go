package worker

import "time"

// upkeepInterval is how often what must stand in Temporal is looked after although Temporal never was away.
const upkeepInterval = 5 * time.Minute

// upkeep tells when what must stand in Temporal is to be looked after: now and then, although Temporal never was away;
// when it answers again, since its store may have been set back; and when its namespace is another one than before, since
// the store is new then.
type upkeep struct {
	// namespace is the id of the namespace that was looked after last, at since.
	namespace string
	since     time.Time
	// away tells that Temporal has not answered since then.
	away bool
}

// newUpkeep takes what the first probe found for what was looked after when the host began.
func newUpkeep(namespace string, err error, now time.Time) *upkeep {
	return &upkeep{namespace: namespace, since: now, away: err != nil}
}

// due takes in what a probe found. It stays due until done is called.
func (u *upkeep) due(namespace string, err error, now time.Time) bool {
	if err != nil {
		u.away = true
		return false
	}
	return u.away || namespace != u.namespace || now.Sub(u.since) >= upkeepInterval
}

// done notes that all was looked after.
func (u *upkeep) done(namespace string, now time.Time) {
	u.namespace, u.since, u.away = namespace, now, false
}
