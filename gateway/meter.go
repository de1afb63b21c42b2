package gateway

import (
	"context"
	"io"
	"net/http"
)

// meter counts the bytes that one request holds in memory against the limits of its caller and of all.
type meter struct {
	admission *admission
	// inflated is what is held, beyond what is read, from the first byte on: for a body that somebody else inflates,
	// the most that it can become.
	inflated int64

	caller string // set by the guard, before anything is read
	held   int64
}

// hold counts bytes in. Its error is errTooMuchInFlight or errNoRoom.
func (m *meter) hold(bytes int64) error {
	if err := m.admission.hold(m.caller, bytes); err != nil {
		return err
	}
	m.held += bytes
	return nil
}

// limit gives what r reads, as far as there is room for it.
func (m *meter) limit(r io.Reader) io.Reader { return &meteredReader{r, m} }

// release counts out all that was held.
func (m *meter) release() { m.admission.release(m.caller, m.held) }

// metered meters the bodies of a route.
func (a *admission) metered(inflated func(*http.Request) int64, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m := &meter{admission: a, inflated: inflated(r)}
		defer m.release()
		r = r.WithContext(context.WithValue(r.Context(), meterKey{}, m))
		r.Body = &meteredBody{reader: m.limit(r.Body), Closer: r.Body, meter: m}
		next.ServeHTTP(w, r)
	})
}

// nothing is inflated out of our sight.
func nothing(*http.Request) int64 { return 0 }

type meterKey struct{}

// meterOf is the meter of a request; without one, as where an RPC has no HTTP request, nothing is counted.
func meterOf(ctx context.Context) (m *meter, metered bool) {
	m, metered = ctx.Value(meterKey{}).(*meter)
	return m, metered
}

type meteredReader struct {
	io.Reader
	meter *meter
}

func (r *meteredReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if held := r.meter.hold(int64(n)); held != nil {
		return 0, held
	}
	return n, err
}

// meteredBody is a request's body. RPCs read it out of our sight, so its errors are those that Connect hands on.
type meteredBody struct {
	reader io.Reader
	io.Closer
	meter *meter
	begun bool
}

func (b *meteredBody) Read(p []byte) (int, error) {
	if !b.begun {
		b.begun = true
		if err := b.meter.hold(b.meter.inflated); err != nil {
			return 0, turnedAway(err)
		}
	}
	n, err := b.reader.Read(p)
	if isOverload(err) {
		return n, turnedAway(err)
	}
	return n, err
}
