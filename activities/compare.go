package activities

import (
	"context"
	"encoding/json/v2"
	"fmt"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/workflows/contract"
)

// Compare holds the shadow against the projection that readers use, both at the offset that the latter has reached, and
// keeps the outcome with the shadow. The shadow must not follow the log meanwhile.
func (a *Replays) Compare(ctx context.Context, in contract.Shadow) (contract.Comparison, error) {
	defer heartbeat(ctx)()
	shadow, err := a.find(ctx, in)
	if err != nil {
		return contract.Comparison{}, err
	}
	live, err := a.liveFrom(ctx, shadow.Cursor.Offset)
	if err != nil {
		return contract.Comparison{}, err
	}
	ofLive, err := a.Projections.Digest(ctx, live.ID)
	if err != nil {
		return contract.Comparison{}, fmt.Errorf("digest the live projection: %w", err)
	}
	if err := a.foldLog(ctx, &fold{store: a.Projections, into: shadow}, ofLive.Cursor.Offset, noDeadline); err != nil {
		return contract.Comparison{}, err
	}
	ofShadow, err := a.Projections.Digest(ctx, shadow.ID)
	if err != nil {
		return contract.Comparison{}, fmt.Errorf("digest the shadow: %w", err)
	}
	comparison := contract.Comparison{
		At:     ofLive.Cursor,
		Live:   digestsOf(live, ofLive),
		Shadow: digestsOf(shadow, ofShadow),
		Tables: compareTables(ofLive.Tables, ofShadow.Tables),
	}
	kept, err := json.Marshal(comparison)
	if err != nil {
		return contract.Comparison{}, fmt.Errorf("encode the comparison: %w", err)
	}
	return comparison, a.Projections.SaveComparison(ctx, shadow.ID, kept)
}

// liveFrom waits until the active projection has reached an offset: a fold of the log may be ahead of it.
func (a *Replays) liveFrom(ctx context.Context, offset lineage.Offset) (projection.Projection, error) {
	for {
		live, err := a.Projections.Active(ctx)
		if err != nil || live.Cursor.Offset >= offset {
			return live, err
		}
		if err := pause(ctx, catchUpInterval); err != nil {
			return live, err
		}
	}
}

func digestsOf(p projection.Projection, digests projection.Digests) contract.Digests {
	return contract.Digests{Projection: p.Name, Resolver: p.Resolver, NameRules: p.NameRules, State: digests.State, History: digests.History, Raw: digests.Raw}
}

// compareTables relies on the fixed order of tables in digests.
func compareTables(live, shadow []projection.TableDigest) []contract.TableComparison {
	tables := make([]contract.TableComparison, len(live))
	for i := range live {
		tables[i] = contract.TableComparison{
			Table: live[i].Table, LiveRows: live[i].Rows, ShadowRows: shadow[i].Rows, Equal: live[i] == shadow[i],
		}
	}
	return tables
}
