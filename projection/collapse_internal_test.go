package projection

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// said is an edge of a job from one dataset to another, with the jobs that its run ran within.
type said struct {
	job, from, to string
	lapsed        bool
	within        []string
}

func TestEdgesOfPartsFoldIntoThoseOfTheWhole(t *testing.T) {
	action := said{job: "action", from: "in", to: "out", within: []string{"application", "task", "dag"}}
	task := said{job: "task", from: "in", to: "out", within: []string{"dag"}}
	for name, test := range map[string]struct {
		said []said
		want []string
	}{
		"both say the same":                {[]said{action, task}, []string{"in→out by task with [action]"}},
		"whatever comes first":             {[]said{task, action}, []string{"in→out by task with [action]"}},
		"the part alone says it":           {[]said{action}, []string{"in→out by action with []"}},
		"another input":                    {[]said{action, {job: "task", from: "other", to: "out"}}, []string{"in→out by action with []", "other→out by task with []"}},
		"a job beside it":                  {[]said{action, {job: "import", from: "in", to: "out"}}, []string{"in→out by action with []", "in→out by import with []"}},
		"a whole that ended before":        {[]said{action, {job: "task", from: "in", to: "out", lapsed: true}}, []string{"in→out by action with []", "in→out by task with []"}},
		"a part that ended before":         {[]said{{job: "action", from: "in", to: "out", lapsed: true, within: []string{"task"}}, task}, []string{"in→out by task with [action]"}},
		"all of a chain":                   {[]said{action, {job: "application", from: "in", to: "out", within: []string{"task"}}, task}, []string{"in→out by task with [action application]"}},
		"jobs that run within each other":  {[]said{{job: "a", from: "in", to: "out", within: []string{"b"}}, {job: "b", from: "in", to: "out", within: []string{"a"}}}, []string{"in→out by a with []", "in→out by b with []"}},
		"a job that starts itself again":   {[]said{{job: "a", from: "in", to: "out", within: []string{"a"}}, {job: "a", from: "in", to: "out"}}, []string{"in→out by a with []", "in→out by a with []"}},
		"a view has no runs to be part of": {[]said{action, {from: "in", to: "out"}}, []string{"in→out by action with []", "in→out by  with []"}},
	} {
		t.Run(name, func(t *testing.T) {
			edges, within := make([]Edge, len(test.said)), make([][]lineage.JobID, len(test.said))
			for i, s := range test.said {
				edges[i] = Edge{From: lineage.Node{Name: s.from}, To: lineage.Node{Name: s.to}, Lapsed: s.lapsed}
				if s.job != "" {
					edges[i].Job = &lineage.JobID{Name: s.job}
				}
				for _, job := range s.within {
					within[i] = append(within[i], lineage.JobID{Name: job})
				}
			}
			var got []string
			for _, edge := range collapsed(edges, parallel(edges), within) {
				job, folded := "", []string{}
				if edge.Job != nil {
					job = edge.Job.Name
				}
				for _, inner := range edge.Folded {
					folded = append(folded, inner.Name)
				}
				got = append(got, fmt.Sprintf("%s→%s by %s with %s", edge.From.Name, edge.To.Name, job, folded))
			}
			require.Equal(t, test.want, got)
		})
	}
}

func TestFieldsThatComeAboutOtherwiseDoNotFold(t *testing.T) {
	between := func(subtype string) Edge {
		field := lineage.DatasetID{Namespace: "n", Name: "t"}.Field("x")
		return Edge{From: field, To: field, Transformations: []lineage.Transformation{{Kind: lineage.Direct, Subtype: subtype}}}
	}
	require.Equal(t, [][]int{{0, 2}}, parallel([]Edge{between("IDENTITY"), between("AGGREGATION"), between("IDENTITY")}))
}
