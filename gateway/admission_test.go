package gateway

import (
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARequestAtTheLimitIsAdmittedAndTheNextIsNot(t *testing.T) {
	t.Parallel()
	a := newAdmission(Limits{InFlight: 2})
	leave, err := a.admit("spark")
	require.NoError(t, err)
	_, err = a.admit("spark")
	require.NoError(t, err)
	_, err = a.admit("spark")
	require.ErrorIs(t, err, errTooMuchInFlight)
	_, err = a.admit("airflow")
	require.NoError(t, err, "another caller has a limit of its own")
	leave()
	_, err = a.admit("spark")
	require.NoError(t, err)
}

func TestBytesAtTheLimitAreHeldAndOneMoreIsNot(t *testing.T) {
	t.Parallel()
	a := newAdmission(Limits{InFlightBytes: 100})
	require.NoError(t, a.hold("spark", 50))
	require.ErrorIs(t, a.hold("spark", 1), errTooMuchInFlight, "half of all is for others")
	require.NoError(t, a.hold("airflow", 49))
	require.NoError(t, a.hold("dbt", 1))
	require.ErrorIs(t, a.hold("dbt", 1), errNoRoom)
	require.EqualValues(t, 100, a.now().bytes, "what does not fit is not counted")
	a.release("spark", 50)
	require.NoError(t, a.hold("dbt", 49))
}

func TestNothingIsLeftOfCallersThatWent(t *testing.T) {
	t.Parallel()
	a := newAdmission(Limits{InFlight: 100, InFlightBytes: 1 << 20})
	var callers sync.WaitGroup
	for _, name := range []string{"spark", "airflow"} {
		for range 50 {
			callers.Go(func() {
				leave, err := a.admit(name)
				if err != nil {
					t.Error(err)
					return
				}
				defer leave()
				m := &meter{admission: a, caller: name}
				defer m.release()
				if _, err := io.ReadAll(m.limit(strings.NewReader(strings.Repeat("x", 1000)))); err != nil {
					t.Error(err)
				}
			})
		}
	}
	callers.Wait()
	require.Equal(t, underWay{}, a.now())
	require.Empty(t, a.principals)
}
