package projection

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// selectCreatedAgain finds when names $3 were first created again after times $4: as such ($5 is the hash of that
// content), or since another dataset was renamed to one of them.
const selectCreatedAgain = `
	SELECT asked.name_id, asked.after, min(created.at)
	FROM (SELECT DISTINCT * FROM unnest($3::uuid[], $4::timestamptz[]) AS u(name_id, after)) AS asked
	CROSS JOIN LATERAL (
		SELECT effective_at AS at FROM statement_p{}
		WHERE level = 5 AND output_id = asked.name_id AND content_id = $5 AND effective_at > asked.after AND valid_until > $1
			AND recorded_from <= $2 AND recorded_to > $2
		UNION ALL
		SELECT s.effective_at FROM alias_p{} AS a
		CROSS JOIN LATERAL (
			SELECT timeline_id, content_id FROM write_p{}
			WHERE level = 4 AND content_id = a.content_id AND recorded_from <= $2 AND recorded_to > $2 OFFSET 0
		) AS w
		CROSS JOIN LATERAL (
			SELECT effective_at FROM statement_p{}
			WHERE projection_id = {} AND timeline_id = w.timeline_id AND content_id = w.content_id
				AND effective_at > asked.after AND valid_until > $1 AND recorded_from <= $2 AND recorded_to > $2
			ORDER BY effective_at LIMIT 1
		) AS s
		WHERE a.dataset_id = asked.name_id AND a.source = 2
	) AS created
	GROUP BY asked.name_id, asked.after`

// endRenames ends renamings where the old name was created again: it is the name of another dataset from then on.
func endRenames(ctx context.Context, tx pgx.Tx, at point, claims []aliasClaim) error {
	type renaming struct {
		name lineage.NodeID
		// after is in microseconds since 1970.
		after int64
	}
	var names []lineage.NodeID
	var after []time.Time
	for _, claim := range claims {
		if claim.Source == lineage.ByRename {
			names, after = append(names, claim.name), append(after, claim.Said.EffectiveAt)
		}
	}
	if len(names) == 0 {
		return nil
	}
	rows, _ := tx.Query(ctx, at.projection.in(selectCreatedAgain), at.validAt, at.recordedAt, names, after, lineage.Created.ID()) // ForEachRow reports the error
	created := map[renaming]time.Time{}
	var name lineage.Hash
	var said, again time.Time
	_, err := pgx.ForEachRow(rows, []any{&name, &said, &again}, func() error {
		created[renaming{lineage.NodeID(name), said.UnixMicro()}] = again.UTC()
		return nil
	})
	if err != nil {
		return fmt.Errorf("read when old names were created again: %w", err)
	}
	for i := range claims {
		claim := &claims[i]
		again, ok := created[renaming{claim.name, claim.Said.EffectiveAt.UnixMicro()}]
		if ok && claim.Source == lineage.ByRename && again.Before(claim.To) {
			claim.To = again
		}
	}
	return nil
}
