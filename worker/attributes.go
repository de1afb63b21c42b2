package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/headwater-data/headwater/workflows/contract"
)

// ensureSearchAttributes registers the search attributes that the namespace lacks: without them, a run's workflow
// cannot take its first step. Where an operator alone may look or register, it relies on the operator having done so.
func ensureSearchAttributes(ctx context.Context, temporal client.Client, namespace string, logger *slog.Logger) error {
	operator := temporal.OperatorService()
	known, err := operator.ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if isForOperators(err) {
		logger.WarnContext(ctx, "cannot see whether Temporal knows the search attributes", "needed", names(contract.SearchAttributes()), "error", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("list the search attributes of namespace %s: %w", namespace, err)
	}
	missing := map[string]enums.IndexedValueType{}
	for _, attribute := range contract.SearchAttributes() {
		name, want := attribute.GetName(), attribute.GetValueType()
		switch found, isKnown := known.GetCustomAttributes()[name]; {
		case !isKnown:
			missing[name] = want
		case found != want:
			return fmt.Errorf("namespace %s has the search attribute %s as %s, and runs need it as %s: remove it with "+
				"`temporal operator search-attribute remove --name %s`, and it is registered anew", namespace, name, found, want, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	_, err = operator.AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace: namespace, SearchAttributes: missing,
	})
	_, exists := errors.AsType[*serviceerror.AlreadyExists](err)
	switch {
	case err == nil || exists:
		logger.InfoContext(ctx, "registered search attributes", "namespace", namespace, "count", len(missing))
		return nil
	case isForOperators(err):
		logger.WarnContext(ctx, "workflows of runs wait until somebody registers the search attributes",
			"needed", names(contract.SearchAttributes()), "command", "temporal operator search-attribute create", "error", err)
		return nil
	default:
		return fmt.Errorf("register search attributes in namespace %s: %w", namespace, err)
	}
}

func isForOperators(err error) bool {
	_, denied := errors.AsType[*serviceerror.PermissionDenied](err)
	_, unimplemented := errors.AsType[*serviceerror.Unimplemented](err)
	return denied || unimplemented
}

func names(attributes []temporal.SearchAttributeKey) string {
	list := make([]string, len(attributes))
	for i, attribute := range attributes {
		list[i] = attribute.GetName() + "=" + attribute.GetValueType().String()
	}
	return strings.Join(list, ", ")
}
