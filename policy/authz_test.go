package policy_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/policy"
)

func TestAuthorize(t *testing.T) {
	t.Parallel()
	engine := load(t, "")
	admin := policy.Principal{Name: "olu", Kind: policy.User, Roles: []string{"admin"}}
	dev := policy.Principal{Name: "dev", Kind: policy.Dev}
	for name, test := range map[string]struct {
		principal policy.Principal
		procedure string
		want      policy.Decision
	}{
		"a producer sends": {producer, "POST /api/v1/lineage", policy.Decision{Allow: true, Reason: "producers may send events"}},
		"a reader asks":    {reader, traverse, policy.Decision{Allow: true, Reason: "readers may ask questions"}},
		"an admin":         {admin, submit, policy.Decision{Allow: true, Reason: "admins may call everything"}},
		"dev":              {dev, submit, policy.Decision{Allow: true, Reason: "the development principal may call everything"}},
		"a producer asks": {producer, traverse, policy.Decision{
			Reason: `the producer "spark-prod-eu" may not call /headwater.v1.LineageService/Traverse`,
		}},
		"nobody": {policy.Principal{}, traverse, policy.Decision{
			Reason: `the  "" may not call /headwater.v1.LineageService/Traverse`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			decision, err := engine.Authorize(t.Context(), test.principal, test.procedure)
			require.NoError(t, err)
			require.Equal(t, test.want, decision)
		})
	}
}

func TestUnusableDecisionRefuses(t *testing.T) {
	t.Parallel()
	for name, rule := range map[string]string{
		"undefined":      `decision := {"allow": true, "reason": "ok"} if input.procedure == "another"`,
		"not an object":  `decision := true`,
		"without reason": `decision := {"allow": true}`,
		"not a boolean":  `decision := {"allow": "yes", "reason": "ok"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine := load(t, defaults(t, map[string]string{
				"authz.rego": "package headwater.authz\n\n" + rule + "\n", "authz_test.rego": "",
			}))
			decision, err := engine.Authorize(t.Context(), reader, traverse)
			require.ErrorIs(t, err, policy.ErrUndecided)
			require.Zero(t, decision)
		})
	}
}

func TestSlowPolicyIsCutOff(t *testing.T) {
	t.Parallel()
	engine := load(t, defaults(t, map[string]string{
		"authz.rego": `package headwater.authz

decision := {"allow": count(pairs) > 0, "reason": "counted"}

pairs contains [a, b] if {
	some a in numbers.range(1, 100000)
	some b in numbers.range(1, 100000)
}
`, "authz_test.rego": "",
	}))
	decision, err := engine.Authorize(t.Context(), reader, traverse)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Zero(t, decision)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = engine.Authorize(ctx, reader, traverse)
	require.ErrorIs(t, err, context.Canceled)
}
