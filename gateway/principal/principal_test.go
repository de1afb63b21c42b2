package principal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/gateway/principal"
	"github.com/headwater-data/headwater/policy"
)

func TestScopeOfAProducer(t *testing.T) {
	t.Parallel()
	producer := policy.Principal{Kind: policy.Producer, Namespaces: []string{"spark-prod", "airflow-*"}}
	for namespace, allowed := range map[string]bool{
		"spark-prod":    true,
		"spark-prod-eu": false,
		"airflow-eu":    true,
		"airflow-":      true,
		"airflow":       false,
		"":              false,
	} {
		require.Equal(t, allowed, principal.MayWrite(producer, namespace), namespace)
	}
}

func TestProducerWithoutNamespacesWritesNowhere(t *testing.T) {
	t.Parallel()
	require.False(t, principal.MayWrite(policy.Principal{Kind: policy.Producer}, "spark-prod"))
	require.True(t, principal.MayWrite(policy.Principal{Kind: policy.Producer, Namespaces: []string{"*"}}, "spark-prod"))
}

func TestTokensDifferAndHideFromLogs(t *testing.T) {
	t.Parallel()
	one, other := principal.NewToken(), principal.NewToken()
	require.NotEqual(t, one.Digest(), other.Digest())
	require.NotContains(t, one.String(), one.Reveal())
}
