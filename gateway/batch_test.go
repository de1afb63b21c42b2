package gateway

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBatchIsCutWithoutJudgingItsEvents(t *testing.T) {
	t.Parallel()
	events, err := splitBatch([]byte(" [ {\"a\":1,\"a\":2} , 7, \"\xff\" ] "), 3)
	require.NoError(t, err)
	require.Equal(t, [][]byte{[]byte(`{"a":1,"a":2}`), []byte("7"), []byte("\"\xff\"")}, events)
}

func TestEmptyBatchHasNoEvents(t *testing.T) {
	t.Parallel()
	events, err := splitBatch([]byte("[]"), 3)
	require.NoError(t, err)
	require.Empty(t, events)
}

func TestBatchOverTheLimit(t *testing.T) {
	t.Parallel()
	_, err := splitBatch([]byte("[1,2,3,4]"), 3)
	require.ErrorIs(t, err, errTooManyEvents)
}

func TestWhatIsNoBatch(t *testing.T) {
	t.Parallel()
	for body, code := range map[string]string{
		"":                        "not_a_batch",
		"{}":                      "not_a_batch",
		"[":                       "not_json",
		"[1,":                     "not_json",
		"[1] 2":                   "not_json",
		"[1]]":                    "not_json",
		strings.Repeat("[", 1000): "not_json",
	} {
		_, err := splitBatch([]byte(body), 3)
		var refused *refusal
		require.ErrorAs(t, err, &refused, body)
		require.Equal(t, code, refused.code, body)
		require.NotContains(t, refused.reason, "jsontext", "a producer knows no Go")
	}
}

func TestWhatIsBrokenIsToldInFewWordsAndWithoutCredentials(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`[{"postgres://u:hunter2@db": x}]`, `[{"` + strings.Repeat("x", 100_000) + `": x}]`, strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000),
	} {
		_, err := splitBatch([]byte(body), 3)
		var refused *refusal
		require.ErrorAs(t, err, &refused)
		require.NotContains(t, refused.reason, "hunter2")
		require.Less(t, len(refused.reason), 1100)
	}
}
