package principal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/gateway/principal"
	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/policy"
)

func TestATokenNamesItsPrincipalUntilItIsRevoked(t *testing.T) {
	t.Parallel()
	store := principal.NewStore(testenv.Database(t))
	producer := policy.Principal{Name: "spark", Kind: policy.Producer, Roles: []string{}, Namespaces: []string{"spark-prod", "air*"}}
	token, err := store.Add(t.Context(), producer)
	require.NoError(t, err)

	found, err := store.ByToken(t.Context(), token.Digest())
	require.NoError(t, err)
	require.Equal(t, producer, found)
	_, err = store.ByToken(t.Context(), principal.Token("hw_guess").Digest())
	require.ErrorIs(t, err, principal.ErrNotFound)

	require.NoError(t, store.Revoke(t.Context(), policy.Producer, "spark"))
	_, err = store.ByToken(t.Context(), token.Digest())
	require.ErrorIs(t, err, principal.ErrNotFound)
	require.ErrorIs(t, store.Revoke(t.Context(), policy.Producer, "spark"), principal.ErrNotFound)
}

func TestANameIsTakenUntilItIsRevoked(t *testing.T) {
	t.Parallel()
	store := principal.NewStore(testenv.Database(t))
	mara := policy.Principal{Name: "mara", Kind: policy.User, Roles: []string{"reader"}}
	first, err := store.Add(t.Context(), mara)
	require.NoError(t, err)
	_, err = store.Add(t.Context(), mara)
	require.ErrorIs(t, err, principal.ErrExists)

	require.NoError(t, store.Revoke(t.Context(), policy.User, "mara"))
	_, err = store.Add(t.Context(), policy.Principal{Name: "mara", Kind: policy.Producer})
	require.ErrorIs(t, err, principal.ErrExists, "a name does not change its kind")
	second, err := store.Add(t.Context(), mara)
	require.NoError(t, err)
	_, err = store.ByToken(t.Context(), first.Digest())
	require.ErrorIs(t, err, principal.ErrNotFound)
	_, err = store.ByToken(t.Context(), second.Digest())
	require.NoError(t, err)
}

func TestPrincipalsAreListedByKind(t *testing.T) {
	t.Parallel()
	store := principal.NewStore(testenv.Database(t))
	for _, p := range []policy.Principal{
		{Name: "b", Kind: policy.Producer}, {Name: "a", Kind: policy.Producer}, {Name: "mara", Kind: policy.User},
	} {
		_, err := store.Add(t.Context(), p)
		require.NoError(t, err)
	}
	require.NoError(t, store.Revoke(t.Context(), policy.Producer, "a"))
	producers, err := store.List(t.Context(), policy.Producer)
	require.NoError(t, err)
	require.Len(t, producers, 2)
	require.Equal(t, "a", producers[0].Name)
	require.False(t, producers[0].RevokedAt.IsZero())
	require.True(t, producers[1].RevokedAt.IsZero())
}
