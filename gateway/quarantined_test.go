package gateway_test

import (
	"net/http"
	"testing"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// refuse sends what is refused, and gives what the quarantine shows of it.
func (b *bundle) refuse(t *testing.T, document string) *headwaterv1.GetQuarantinedResponse {
	t.Helper()
	refused := b.post(t, singleDoor, []byte(document))
	require.Equal(t, http.StatusBadRequest, refused.Status)
	shown, err := b.ingest().GetQuarantined(t.Context(), &headwaterv1.GetQuarantinedRequest{QuarantineId: int64(refused.Body["quarantineId"].(float64))})
	require.NoError(t, err)
	return shown
}

func TestRefusedEventIsShownWithItsReasonAndWithoutCredentials(t *testing.T) {
	t.Parallel()
	b := setup(t)
	shown := b.refuse(t, `{"eventTime": "2026-07-19T00:00:00Z", "password": "hunter2"}`)
	require.Equal(t, `{"eventTime": "2026-07-19T00:00:00Z", "password": "***"}`, shown.GetPayload())
	require.True(t, shown.GetRedacted())
	require.NotEmpty(t, shown.GetEvent().GetReason())

	shown = b.refuse(t, `{"password": "hunter2", `)
	require.Equal(t, `{"password": "***", `, shown.GetPayload(), "what is no JSON is a text")

	shown = b.refuse(t, "\x00\x0apassword\x12\x07hunter2")
	require.Empty(t, shown.GetPayload(), "what is no text may hide credentials")
	require.False(t, shown.GetRedacted())
	require.EqualValues(t, 19, shown.GetEvent().GetPayloadBytes())
}

func TestRefusedEventIsShownToItsProducerAndToNoOther(t *testing.T) {
	t.Parallel()
	b := setup(t, closed, hiding(t, `{"namespace": "hr", "name": "*", "unless_roles": []}`))
	own := b.token(t, "spark", "spark")
	require.Equal(t, http.StatusBadRequest, b.post(t, singleDoor, []byte(`{"job": 1}`), "Authorization", own).Status)
	id := b.refused(t)[0].ID
	read := func(token string) error {
		ctx, call := connect.NewClientContext(t.Context())
		call.RequestHeader().Set("Authorization", token)
		_, err := b.ingest().GetQuarantined(ctx, &headwaterv1.GetQuarantinedRequest{QuarantineId: int64(id)})
		return err
	}
	require.NoError(t, read(own))
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(read(b.token(t, "dbt", "dbt"))))
}
