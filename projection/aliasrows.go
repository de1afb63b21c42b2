package projection

import "github.com/headwater-data/headwater/lineage"

// namesRow is what an author calls a dataset, with when that was first said.
type namesRow struct {
	*lineage.Names
	at lineage.Offset
}

const insertAliases = `INSERT INTO alias (projection_id, content_id, name_id, dataset_id, source, canonical, reason, recorded_from)
	SELECT $1, * FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::smallint[], $6::boolean[], $7::text[], $8::bigint[])
	ON CONFLICT DO NOTHING`

// addNames notes what statements call datasets.
func (c *changes) addNames(statements []lineage.Statement, at lineage.Offset) {
	for i := range statements {
		names, ok := statements[i].Content.(*lineage.Names)
		if !ok {
			continue
		}
		if _, known := c.called[names.ID()]; known {
			continue
		}
		if c.called == nil {
			c.called = map[lineage.Hash]namesRow{}
		}
		c.called[names.ID()] = namesRow{names, at}
		c.addNode(statements[i].Output, at)
		for _, alias := range names.Aliases {
			c.addNode(alias.Name.Node(), at)
			c.addNode(alias.Of.Node(), at)
		}
	}
}

func (w *writer) queueAliases(called map[lineage.Hash]namesRow) {
	var contents []lineage.Hash
	var aliases []lineage.Alias
	var recorded []int64
	for _, id := range sortedKeys(called) {
		for _, alias := range called[id].Aliases {
			contents, aliases, recorded = append(contents, id), append(aliases, alias), append(recorded, int64(called[id].at))
		}
	}
	if len(aliases) == 0 {
		return
	}
	w.batch.Queue(insertAliases, w.id, contents,
		column(aliases, func(a lineage.Alias) lineage.Hash { return lineage.Hash(a.Name.Node().ID()) }),
		column(aliases, func(a lineage.Alias) lineage.Hash { return lineage.Hash(a.Of.Node().ID()) }),
		column(aliases, func(a lineage.Alias) int16 { return int16(a.Source) }),
		column(aliases, func(a lineage.Alias) bool { return a.Canonical }),
		column(aliases, func(a lineage.Alias) string { return a.Reason }),
		recorded)
}
