package projection

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// AttributeSource is who said an attribute of a node.
type AttributeSource struct {
	Kind lineage.AttributeKind
	// Sender is the producer or person, and the event.
	lineage.Sender
	// Job is the job whose run or declaration said it; nil: none.
	Job *lineage.JobID
	// EventTime is that of the event.
	EventTime time.Time
}

// selectLastWords reads, of each attribute of nodes, what was said last by an offset: by jobs other than $4, in events other than
// those at offsets $5, and, unless $3, by events that count now.
const selectLastWords = `SELECT w.kind, v.value, w.said_at, w.said_key, w.log_offset, w.job_id,
		coalesce(e.producer, d.producer, ''), coalesce(e.event_id, d.event_id, ''), coalesce(e.event_time, d.event_time, w.said_at), e.run_key
	FROM unnest($1::uuid[]) AS of(node_id) CROSS JOIN unnest($6::smallint[]) AS asked(kind)
	CROSS JOIN LATERAL (
		SELECT * FROM attribute_word_p{}
		WHERE projection_id = {} AND node_id = of.node_id AND kind = asked.kind AND log_offset <= $2 AND (counts OR $3)
			AND (job_id IS NULL OR job_id <> ALL($4)) AND log_offset <> ALL($5)
		ORDER BY said_at DESC, said_key DESC LIMIT 1
	) AS w
	JOIN attribute_value_p{} v ON v.projection_id = {} AND v.value_id = w.value_id
	LEFT JOIN run_event_p{} e ON e.log_offset = w.log_offset
	LEFT JOIN declaration_p{} d ON d.projection_id = {} AND d.log_offset = w.log_offset`

// lastWord is a row of selectLastWords.
type lastWord struct {
	AttributeSource
	value []byte
	said  lineage.Moment
	at    lineage.Offset
	job   *lineage.Hash
	run   *lineage.Hash
}

// attributes reads what holds of a node under all of its names, and who said it: the last word, of those that counted at the
// point, that no job said which is hidden from the caller. Nearly always that is what was said last of all.
func (w *walk) attributes(ctx context.Context, members []lineage.NodeID) (lineage.Attributes, []AttributeSource, error) {
	hidden, withdrawn := []lineage.Hash{}, []int64{}
	for {
		words, err := w.lastWords(ctx, members, hidden, withdrawn)
		if err != nil {
			return lineage.Attributes{}, nil, err
		}
		left := len(hidden) + len(withdrawn)
		if hidden, err = w.addHidden(ctx, hidden, words); err != nil {
			return lineage.Attributes{}, nil, err
		}
		if withdrawn, err = w.addWithdrawn(ctx, withdrawn, words); err != nil {
			return lineage.Attributes{}, nil, err
		}
		if len(hidden)+len(withdrawn) == left {
			return w.holdingWords(words)
		}
	}
}

func (w *walk) lastWords(ctx context.Context, members []lineage.NodeID, hidden []lineage.Hash, withdrawn []int64) ([]lastWord, error) {
	rows, _ := w.tx.Query(ctx, w.at.projection.in(selectLastWords), hashesOf(members), w.at.recordedAt, w.past(), hidden, withdrawn,
		lineage.AttributeKinds) // CollectRows reports the error
	words, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (word lastWord, err error) {
		err = row.Scan(&word.Kind, &word.value, &word.said.EffectiveAt, &word.said.Key, &word.at, &word.job,
			&word.Producer, &word.EventID, &word.EventTime, &word.run)
		word.said.EffectiveAt, word.EventTime = word.said.EffectiveAt.UTC(), word.EventTime.UTC()
		return word, err
	})
	if err != nil {
		return nil, fmt.Errorf("read attributes: %w", err)
	}
	return words, nil
}

// past reports whether the point lies before what is known now, so that what counts now does not tell what counted then.
func (w *walk) past() bool { return w.at.recordedAt < w.view.Cursor.Offset }

// addHidden adds the jobs behind words that the caller may not see.
func (w *walk) addHidden(ctx context.Context, hidden []lineage.Hash, words []lastWord) ([]lineage.Hash, error) {
	var jobs []lineage.NodeID
	for _, word := range words {
		if word.job != nil {
			jobs = append(jobs, lineage.NodeID(*word.job))
		}
	}
	if err := w.learn(ctx, jobs); err != nil {
		return nil, err
	}
	for _, job := range jobs {
		if !w.known[job].shown {
			hidden = append(hidden, lineage.Hash(job))
		}
	}
	return hidden, nil
}

// addWithdrawn adds the offsets of words that were withdrawn at the point, with their events or runs.
func (w *walk) addWithdrawn(ctx context.Context, offsets []int64, words []lastWord) ([]int64, error) {
	if !w.past() {
		return offsets, nil
	}
	var subjects []lineage.Hash
	for _, word := range words {
		subjects = append(subjects, word.Sender.Hash())
		if word.run != nil {
			subjects = append(subjects, *word.run)
		}
	}
	withdrawn, err := withdrawnAt(ctx, w.tx, w.at, subjects)
	if err != nil {
		return nil, err
	}
	for _, word := range words {
		if withdrawn[word.Sender.Hash()] || word.run != nil && withdrawn[*word.run] {
			offsets = append(offsets, int64(word.at))
		}
	}
	return offsets, nil
}

// holdingWords are the attributes of the words said last under any name. What was taken back has no source.
func (w *walk) holdingWords(words []lastWord) (lineage.Attributes, []AttributeSource, error) {
	var attributes lineage.Attributes
	var sources []AttributeSource
	for _, kind := range lineage.AttributeKinds {
		var last *lastWord
		for i, word := range words {
			if word.Kind == kind && (last == nil || last.said.Compare(word.said) < 0) {
				last = &words[i]
			}
		}
		if last == nil || lineage.TakenBack(last.value) {
			continue
		}
		if err := attributes.Add(kind, last.value); err != nil {
			return attributes, nil, fmt.Errorf("read attribute %d: %w", kind, err)
		}
		if last.job != nil {
			job := w.known[lineage.NodeID(*last.job)].Node
			last.Job = &lineage.JobID{Namespace: job.Namespace, Name: job.Name}
		}
		sources = append(sources, last.AttributeSource)
	}
	return attributes, sources, nil
}
