package gateway

import (
	"errors"
	"sync"
)

// errTooMuchInFlight means that the caller has as many requests under way as it may.
var errTooMuchInFlight = errors.New("too many requests under way")

// admission counts the requests under way of each principal, so that one cannot take all there is.
type admission struct {
	limit int

	mu       sync.Mutex
	underWay map[string]int
}

func newAdmission(limit int) *admission {
	return &admission{limit: limit, underWay: map[string]int{}}
}

// admit counts a request in. leave counts it out again and must be called once. The error is errTooMuchInFlight.
func (a *admission) admit(name string) (leave func(), err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.underWay[name] >= a.limit {
		return nil, errTooMuchInFlight
	}
	a.underWay[name]++
	return func() { a.leave(name) }, nil
}

func (a *admission) leave(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.underWay[name]--; a.underWay[name] == 0 {
		delete(a.underWay, name)
	}
}
