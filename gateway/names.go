package gateway

import (
	"context"

	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

// mostPlanned bounds each list of a plan; its counts are whole.
const mostPlanned = 1000

// nameService answers what is known of names, as a part of headwater.v1.AdminService.
type nameService struct {
	projections *projection.Store
	policy      *policy.Engine
}

// show tells which names the caller may see; nil: all.
func (s *nameService) show(ctx context.Context) (projection.Show, error) {
	sight, err := s.policy.Visibility(ctx, callerOf(ctx))
	if err != nil || !sight.Restricted() {
		return nil, err
	}
	return sight.Show, nil
}

// ListNamespaces implements headwater.v1.AdminService.
func (s *nameService) ListNamespaces(ctx context.Context, _ *headwaterv1.ListNamespacesRequest) (*headwaterv1.ListNamespacesResponse, error) {
	show, err := s.show(ctx)
	if err != nil {
		return nil, unavailable(err)
	}
	counts, view, err := s.projections.Namespaces(ctx, show)
	if err != nil {
		return nil, unavailable(err)
	}
	response := &headwaterv1.ListNamespacesResponse{Projection: viewOf(view)}
	for _, count := range counts {
		resolved := view.Names.Resolve(lineage.DatasetID{Namespace: count.Namespace})
		response.Namespaces = append(response.Namespaces, &headwaterv1.NamespaceSummary{
			Namespace: count.Namespace, Environment: resolved.Environment, Platform: resolved.Platform, Provisional: resolved.Provisional,
			Datasets: count.Datasets, RawNames: count.RawNames, Unresolved: count.Unresolved,
		})
	}
	return response, nil
}

// GetNameRules implements headwater.v1.AdminService.
func (s *nameService) GetNameRules(ctx context.Context, _ *headwaterv1.GetNameRulesRequest) (*headwaterv1.GetNameRulesResponse, error) {
	registered, view, err := s.projections.RegisteredNames(ctx)
	if err != nil {
		return nil, unavailable(err)
	}
	response := &headwaterv1.GetNameRulesResponse{Revision: view.Names.Revision(), Projection: viewOf(view)}
	if view.Names != nil {
		response.Rules = nameRuleSetOf(view.Names.Set())
	}
	for _, r := range registered {
		response.Registered = append(response.Registered, &headwaterv1.RegisteredNameRules{
			Revision: r.Revision, By: r.Said.By, Reason: r.Said.Reason, EventTime: timestamppb.New(r.Said.EventTime),
			Offset: int64(r.Offset), Rules: int32(len(r.Set.Namespaces)),
		})
	}
	return response, nil
}

// PlanNameRules implements headwater.v1.AdminService.
func (s *nameService) PlanNameRules(ctx context.Context, req *headwaterv1.PlanNameRulesRequest) (*headwaterv1.PlanNameRulesResponse, error) {
	next, err := lineage.NewNameRules(nameRulesOf(req.GetRules()))
	if err != nil {
		return nil, connect.NewError(connect.CodeInvalidArgument, err.Error())
	}
	show, err := s.show(ctx)
	if err != nil {
		return nil, unavailable(err)
	}
	known, view, err := s.projections.KnownNames(ctx, show)
	if err != nil {
		return nil, unavailable(err)
	}
	response := planOf(next.Plan(view.Names, known))
	response.Revision, response.Projection = next.Revision(), viewOf(view)
	return response, nil
}

func planOf(plan lineage.NamePlan) *headwaterv1.PlanNameRulesResponse {
	response := &headwaterv1.PlanNameRulesResponse{
		DatasetsBefore: int64(plan.Before), DatasetsAfter: int64(plan.After),
		MergeCount: int64(len(plan.Merges)), SplitCount: int64(len(plan.Splits)), RenameCount: int64(len(plan.Renames)),
		UnresolvedCount: int64(len(plan.Unresolved)), ResolvedCount: int64(len(plan.Resolved)),
		Renames: renamesOf(plan.Renames), Resolved: renamesOf(plan.Resolved),
	}
	for _, merge := range first(plan.Merges, mostPlanned) {
		response.Merges = append(response.Merges, &headwaterv1.PlannedMerge{Into: datasetOf(merge.Into), From: datasetsOf(merge.From)})
	}
	for _, split := range first(plan.Splits, mostPlanned) {
		response.Splits = append(response.Splits, &headwaterv1.PlannedSplit{From: datasetOf(split.From), Into: datasetsOf(split.Into)})
	}
	for _, misfit := range first(plan.Unresolved, mostPlanned) {
		response.Unresolved = append(response.Unresolved, misfitOf(misfit))
	}
	return response
}

func renamesOf(renames []lineage.NameRename) []*headwaterv1.PlannedRename {
	var planned []*headwaterv1.PlannedRename
	for _, rename := range first(renames, mostPlanned) {
		planned = append(planned, &headwaterv1.PlannedRename{From: datasetOf(rename.From), To: datasetOf(rename.To)})
	}
	return planned
}

func first[T any](list []T, most int) []T { return list[:min(len(list), most)] }

func datasetsOf(ids []lineage.DatasetID) []*headwaterv1.Dataset {
	datasets := make([]*headwaterv1.Dataset, len(ids))
	for i, id := range ids {
		datasets[i] = datasetOf(id)
	}
	return datasets
}

func misfitOf(misfit lineage.Misfit) *headwaterv1.Misfit {
	return &headwaterv1.Misfit{Dataset: datasetOf(misfit.DatasetID), Reason: misfit.Reason}
}

// nameRulesOf is the domain's set for the contract's. Both have the members of rules.yaml.
func nameRulesOf(set *headwaterv1.NameRuleSet) lineage.NameRuleSet {
	rules := lineage.NameRuleSet{Environment: set.GetEnvironment()}
	for _, r := range set.GetNamespaces() {
		rules.Namespaces = append(rules.Namespaces, lineage.NamespaceRule{
			Preset: r.GetPreset(), Namespace: r.GetNamespace(), Also: r.GetAlso(), Environment: r.GetEnvironment(), Platform: r.GetPlatform(),
			Case: lineage.NameCase(r.GetCase()), Columns: lineage.NameCase(r.GetColumns()), Shape: lineage.NameShape(r.GetShape()), Qualifier: r.GetQualifier(),
			Partitions: r.GetPartitions(), Staging: r.GetStaging(), Temporary: r.GetTemporary(),
		})
	}
	return rules
}

func nameRuleSetOf(rules lineage.NameRuleSet) *headwaterv1.NameRuleSet {
	set := &headwaterv1.NameRuleSet{Environment: rules.Environment}
	for _, r := range rules.Namespaces {
		set.Namespaces = append(set.Namespaces, &headwaterv1.NamespaceRule{
			Preset: r.Preset, Namespace: r.Namespace, Also: r.Also, Environment: r.Environment, Platform: r.Platform,
			Case: string(r.Case), Columns: string(r.Columns), Shape: string(r.Shape), Qualifier: r.Qualifier,
			Partitions: r.Partitions, Staging: r.Staging, Temporary: r.Temporary,
		})
	}
	return set
}
