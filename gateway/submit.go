package gateway

import (
	"context"

	"connectrpc.com/connect/v2"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/policy"
)

// submitEach submits what one request holds, in the name of its caller, and gives a receipt for each in its order. What
// names the things that are sent. The error is one that a caller may see.
func submitEach[M any](
	ctx context.Context, in *intake, door, what string, sent []M, submissionOf func(policy.Principal, M) submission,
) ([]*headwaterv1.Receipt, error) {
	if len(sent) > in.limits.BatchEvents {
		return nil, connect.Errorf(connect.CodeInvalidArgument, "%d %s are more than the limit of %d; send fewer at a time",
			len(sent), what, in.limits.BatchEvents)
	}
	caller := callerOf(ctx)
	submissions := make([]submission, len(sent))
	for i, one := range sent {
		submissions[i] = submissionOf(caller, one)
	}
	verdicts, err := in.submit(ctx, door, caller, submissions)
	if err != nil {
		return nil, unavailable(err)
	}
	return receiptsOf(verdicts), nil
}
