package gateway

import (
	"errors"
	"sync"
)

// Why the gateway takes no more for now.
var (
	// errTooMuchInFlight means that the caller has as much under way as one caller may: requests, or bytes of bodies.
	errTooMuchInFlight = errors.New("too many requests under way")
	// errNoRoom means that the bodies of all callers together take all the memory that they may.
	errNoRoom = errors.New("no room for more bodies")
)

// admission counts what is under way: the requests of each principal, and the bytes of the bodies that are held for
// it and for all of them, from the first byte read until the answer. None of the counts can pass its limit, however
// many call; and since half of the bytes is the most that one principal may hold, none can take all there is.
type admission struct {
	requests int   // of one principal
	bytes    int64 // of all principals together

	mu         sync.Mutex
	principals map[string]underWay
	all        underWay
}

// underWay is what some requests take.
type underWay struct {
	requests int
	bytes    int64
}

func newAdmission(limits Limits) *admission {
	return &admission{requests: limits.InFlight, bytes: limits.InFlightBytes, principals: map[string]underWay{}}
}

// admit counts a request in. leave counts it out again and must be called once. The error is errTooMuchInFlight.
func (a *admission) admit(name string) (leave func(), err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.principals[name].requests >= a.requests {
		return nil, errTooMuchInFlight
	}
	a.add(name, 1, 0)
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.add(name, -1, 0)
	}, nil
}

// hold counts bytes in, or none of them where they do not fit: then the error is errTooMuchInFlight or errNoRoom.
func (a *admission) hold(name string, bytes int64) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.all.bytes+bytes > a.bytes:
		return errNoRoom
	case a.principals[name].bytes+bytes > a.bytes/2:
		return errTooMuchInFlight
	}
	a.add(name, 0, bytes)
	return nil
}

// release counts bytes out that hold has counted in.
func (a *admission) release(name string, bytes int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.add(name, 0, -bytes)
}

// add forgets a principal that has nothing under way.
func (a *admission) add(name string, requests int, bytes int64) {
	a.all = underWay{a.all.requests + requests, a.all.bytes + bytes}
	now := underWay{a.principals[name].requests + requests, a.principals[name].bytes + bytes}
	if now == (underWay{}) {
		delete(a.principals, name)
		return
	}
	a.principals[name] = now
}

// now is what all principals have under way.
func (a *admission) now() underWay {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.all
}
