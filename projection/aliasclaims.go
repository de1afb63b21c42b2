package projection

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// aliasClaim is lineage.AliasClaim between nodes whose names were not looked up.
type aliasClaim struct {
	name, of lineage.NodeID
	// timeline is whose word it is: an author's about one dataset.
	timeline lineage.Hash
	lineage.AliasClaim
}

// selectAliasClaims reads all that is claimed, at any valid time, of the names that touch nodes $3: of themselves, and of
// what stands for them. Only all claims of a name tell which of them holds. The last lateral query walks the primary key
// of statement backwards from the point; it finds none for what is claimed from later on.
const selectAliasClaims = `
	SELECT a.name_id, a.dataset_id, a.source, a.canonical, a.reason, w.timeline_id, w.valid_from, w.valid_to,
		coalesce(s.effective_at, w.valid_from), coalesce(s.statement_key, w.first_key), coalesce(s.producer, ''), coalesce(s.source_event, '')
	FROM (
		SELECT name_id FROM alias_p{} WHERE dataset_id = ANY($3)
		UNION SELECT name_id FROM alias_p{} WHERE name_id = ANY($3)
	) AS touching
	CROSS JOIN LATERAL (SELECT * FROM alias_p{} WHERE name_id = touching.name_id OFFSET 0) AS a
	CROSS JOIN LATERAL (
		SELECT * FROM write_p{} WHERE level = 4 AND content_id = a.content_id AND recorded_from <= $2 AND recorded_to > $2 OFFSET 0
	) AS w
	LEFT JOIN LATERAL (
		SELECT * FROM statement_p{}
		WHERE projection_id = {} AND timeline_id = w.timeline_id AND content_id = w.content_id
			AND effective_at BETWEEN coalesce(w.stated_from, w.valid_from) AND least(w.valid_to, $1)
			AND recorded_from <= $2 AND recorded_to > $2
		ORDER BY effective_at DESC, statement_key DESC LIMIT 1
	) AS s ON true`

func readAliasClaims(ctx context.Context, tx pgx.Tx, at point, nodes []lineage.NodeID) ([]aliasClaim, error) {
	rows, _ := tx.Query(ctx, at.projection.in(selectAliasClaims), at.validAt, at.recordedAt, nodes) // CollectRows reports the error
	claims, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (aliasClaim, error) {
		var c aliasClaim
		var name, of lineage.Hash
		err := row.Scan(&name, &of, &c.Source, &c.Canonical, &c.Reason, &c.timeline, &c.From, &c.To,
			&c.Said.EffectiveAt, &c.Said.Key, &c.Producer, &c.EventID)
		c.name, c.of = lineage.NodeID(name), lineage.NodeID(of)
		c.From, c.To, c.Said.EffectiveAt = c.From.UTC(), c.To.UTC(), c.Said.EffectiveAt.UTC()
		return c, err
	})
	if err != nil {
		return nil, fmt.Errorf("read aliases: %w", err)
	}
	return joinClaims(claims, at.validAt), nil
}

// joinClaims joins what follows each other without a gap: an author who says more, or less, of other names in between goes
// on to say this one. What is said after a time only tells how long it holds.
func joinClaims(claims []aliasClaim, at time.Time) []aliasClaim {
	slices.SortFunc(claims, func(a, b aliasClaim) int {
		return cmp.Or(compareIDs(a.name, b.name), compareIDs(a.of, b.of), bytes.Compare(a.timeline[:], b.timeline[:]), a.From.Compare(b.From))
	})
	var joined []aliasClaim
	for _, claim := range claims {
		if n := len(joined) - 1; n >= 0 && joined[n].name == claim.name && joined[n].of == claim.of &&
			joined[n].timeline == claim.timeline && joined[n].To.Equal(claim.From) {
			if !claim.From.After(at) {
				claim.From = joined[n].From
				joined[n].AliasClaim = claim.AliasClaim
			}
			joined[n].To = claim.To
			continue
		}
		joined = append(joined, claim)
	}
	return joined
}

func compareIDs(a, b lineage.NodeID) int { return bytes.Compare(a[:], b[:]) }
