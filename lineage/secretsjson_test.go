package lineage_test

import (
	"bytes"
	"encoding/json/jsontext"
	"io"
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
	for _, document := range []string{`{"password": hunter2}`, `}`, `]`, `{"a": 1}}`, `{"a": [1}`, `{"a"`, `"\ud800"`, `{"a": 1, "a": 2}`, "\xff"} {
		got, err := lineage.RedactJSON([]byte(document))
		require.Error(t, err, document)
		require.Nil(t, got, document)
	}
}

func FuzzRedactJSON(f *testing.F) {
	for _, document := range []string{`{"password": "hunter2", "a": ["pwd=x", 1, null]}`, `[{"name": "api.key", "value": {"value": 1}}]`, `}`, ` "a" `} {
		f.Add([]byte(document))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		got, err := lineage.RedactJSON(document)
		if err != nil {
			return
		}
		decoder := jsontext.NewDecoder(bytes.NewBuffer(bytes.TrimPrefix(got, []byte("\xef\xbb\xbf"))),
			jsontext.AllowDuplicateNames(true)) // names may differ in their credentials alone
		for err == nil {
			_, err = decoder.ReadToken()
		}
		require.ErrorIs(t, err, io.EOF, "what it gives can be read as what it took")
	})
}
