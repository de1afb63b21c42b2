package main

import (
	"context"
	"testing"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

// eventGateway has one event.
type eventGateway struct {
	headwaterv1connect.UnimplementedIngestServiceHandler
	event *headwaterv1.LoggedEvent
}

func (g *eventGateway) GetEvent(_ context.Context, request *headwaterv1.GetEventRequest) (*headwaterv1.GetEventResponse, error) {
	if request.GetOffset() != g.event.GetOffset() {
		return nil, connect.NewError(connect.CodeNotFound, "there is no event at offset 4712: the log ends at offset 4711")
	}
	return &headwaterv1.GetEventResponse{Event: g.event}, nil
}

func TestEventIsShownForPeopleForProgramsAndAsItIs(t *testing.T) {
	g := &eventGateway{event: &headwaterv1.LoggedEvent{Offset: 4711, Producer: "spark-eu", Payload: ` {"a": 1}`, Redacted: true}}
	address := serve(t, func(services *connect.Server) { headwaterv1connect.RegisterIngestServiceHandler(services, g) })
	show := func(args ...string) (stdout, stderr string, err error) {
		return printed(t, append([]string{"event", "show", "--server", address}, args...)...)
	}
	stdout, _, err := show("4711")
	require.NoError(t, err)
	require.Contains(t, stdout, "sent by   spark-eu")
	require.Contains(t, stdout, "\n  \"a\": 1\n")
	stdout, _, err = show("4711", "--json")
	require.NoError(t, err)
	require.Contains(t, stdout, `"payload": " {\"a\": 1}"`)
	stdout, stderr, err := show("4711", "--raw")
	require.NoError(t, err)
	require.Equal(t, ` {"a": 1}`, stdout)
	require.Contains(t, stderr, "not the bytes that were received")

	_, _, err = show("4712")
	require.EqualError(t, err, "there is no event at offset 4712: the log ends at offset 4711")
	_, _, err = show("0")
	require.ErrorContains(t, err, "offsets begin at 1")
	_, _, err = show("4711", "--raw", "--json")
	require.ErrorContains(t, err, "can't be used together")
}
