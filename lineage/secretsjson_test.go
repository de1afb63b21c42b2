package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestCredentialsAreTakenOutOfADocumentAndNothingElse(t *testing.T) {
	t.Parallel()
	for given, shown := range map[string]string{
		` {"a" : 1e2, "é":"\u00e9\/", "n": [ null,true ] }` + "\n":        ` {"a" : 1e2, "é":"\u00e9\/", "n": [ null,true ] }` + "\n",
		"\xef\xbb\xbf" + `{ "password": "hunter2" }`:                      "\xef\xbb\xbf" + `{ "password": "***" }`,
		`{"url": "postgres://user:hunter2@db:5432/x", "b":  2}`:           `{"url": "postgres://user@db:5432/x", "b":  2}`,
		`{"token": 12, "secrets": ["a", 1], "secret": null}`:              `{"token": "***", "secrets": ["***", "***"], "secret": null}`,
		`{"name": "fs.s3a.secret.key", "value": "hunter2"}`:               `{"name": "fs.s3a.secret.key", "value": "***"}`,
		`{"password": {"value": "hunter2", "origin": "vault"}}`:           `{"password": {"value": "***", "origin": "vault"}}`,
		`{"postgres://u:hunter2@db x": 1}`:                                `{"postgres://u@db x": 1}`,
		`{"fields": [{"name": "password", "type": "text"}]}`:              `{"fields": [{"name": "password", "type": "text"}]}`,
		`{"fields": {"password_hash": {"inputFields": ["id"]}}}`:          `{"fields": {"password_hash": {"inputFields": ["id"]}}}`,
		`[{"key": "token", "value": "a"}, {"key": "team", "value": "b"}]`: `[{"key": "token", "value": "***"}, {"key": "team", "value": "b"}]`,
	} {
		got, err := lineage.RedactJSON([]byte(given))
		require.NoError(t, err, given)
		require.Equal(t, shown, string(got))
	}
}

func TestWhatIsNoJSONIsNotShownAtAll(t *testing.T) {
	t.Parallel()
	got, err := lineage.RedactJSON([]byte(`{"password": hunter2}`))
	require.Error(t, err)
	require.Nil(t, got)
}
