package gateway

import (
	"context"
	"fmt"
	"io"

	"connectrpc.com/connect/v2/connectproto"
	"google.golang.org/protobuf/proto"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// jsonCodec writes fields that are zero, so that a reader finds depth 0 and an empty list of reasons where they are
// meant; what is absent is optional in the contract and left out.
//
// It refuses members and values that the contract does not have: a question without the time that was misspelt in it has
// another answer. Events are read as far as this version knows them, since one that says more must not cost its batch.
type jsonCodec struct {
	*connectproto.JSONCodec
	strict *connectproto.JSONCodec
}

func newJSONCodec() jsonCodec {
	codec := jsonCodec{connectproto.NewJSONCodec(), connectproto.NewJSONCodec()}
	codec.MarshalOptions.EmitDefaultValues = true
	codec.strict.UnmarshalOptions.DiscardUnknown = false
	return codec
}

// UnmarshalRead implements connect.Codec.
func (c jsonCodec) UnmarshalRead(ctx context.Context, src io.Reader, message any) error {
	read, ok := message.(proto.Message)
	if _, events := message.(*headwaterv1.SubmitEventsRequest); events || !ok {
		return c.JSONCodec.UnmarshalRead(ctx, src, message)
	}
	if err := c.strict.UnmarshalRead(ctx, src, message); err != nil {
		contract := read.ProtoReflect().Descriptor()
		return fmt.Errorf("%w; message %s of %s says what can be sent", err, contract.Name(), contract.ParentFile().Path())
	}
	return nil
}
