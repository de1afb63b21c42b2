package policy_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

var (
	orders = lineage.DatasetID{Namespace: "warehouse", Name: "mart.daily_orders"}.Node()
	raw    = lineage.DatasetID{Namespace: "warehouse", Name: "raw.orders"}.Node()
	loader = lineage.JobID{Namespace: "airflow", Name: "load_orders"}.Node()
)

const hideOrders = `{"headwater": {"hidden": [{"namespace": "warehouse", "name": "mart.*", "unless_roles": ["finance"]}]}}`

func shown(t *testing.T, engine *policy.Engine, node lineage.Node) bool {
	t.Helper()
	view, err := engine.Visibility(t.Context(), reader)
	require.NoError(t, err)
	show, err := view.Show(t.Context(), []lineage.Node{node})
	require.NoError(t, err)
	return show[0]
}

func TestDefaultShowsEverything(t *testing.T) {
	t.Parallel()
	view, err := load(t, "").Visibility(t.Context(), reader)
	require.NoError(t, err)
	require.False(t, view.Restricted())
	show, err := view.Show(t.Context(), []lineage.Node{orders, raw, loader})
	require.NoError(t, err)
	require.Equal(t, []bool{true, true, true}, show)
}

func TestWhatIsRememberedOfOneCallerIsNotShownToAnother(t *testing.T) {
	t.Parallel()
	engine := load(t, defaults(t, map[string]string{"data.json": hideOrders}))
	finance := policy.Principal{Kind: policy.User, Roles: []string{"reader", "finance"}}
	for range 3 {
		for _, asks := range []struct {
			caller policy.Principal
			sees   bool
		}{{finance, true}, {reader, false}} {
			view, err := engine.Visibility(t.Context(), asks.caller)
			require.NoError(t, err)
			show, err := view.Show(t.Context(), []lineage.Node{orders})
			require.NoError(t, err)
			require.Equal(t, []bool{asks.sees}, show)
		}
	}
}

func TestHiddenByData(t *testing.T) {
	t.Parallel()
	engine := load(t, defaults(t, map[string]string{"data.json": hideOrders}))
	nodes := []lineage.Node{orders, raw, loader, orders}

	view, err := engine.Visibility(t.Context(), reader)
	require.NoError(t, err)
	require.True(t, view.Restricted())
	show, err := view.Show(t.Context(), nodes)
	require.NoError(t, err)
	require.Equal(t, []bool{false, true, true, false}, show)

	view, err = engine.Visibility(t.Context(), policy.Principal{Kind: policy.User, Roles: []string{"reader", "finance"}})
	require.NoError(t, err)
	require.False(t, view.Restricted())
	show, err = view.Show(t.Context(), nodes)
	require.NoError(t, err)
	require.Equal(t, []bool{true, true, true, true}, show)
}

func TestRestrictedBeforeAnythingIsHidden(t *testing.T) {
	t.Parallel()
	view, err := load(t, defaults(t, map[string]string{"data.json": hideOrders})).Visibility(t.Context(), reader)
	require.NoError(t, err)
	_, err = view.Show(t.Context(), []lineage.Node{raw})
	require.NoError(t, err)
	require.True(t, view.Restricted())
}

func TestMoreNodesThanOneBatch(t *testing.T) {
	t.Parallel()
	view, err := load(t, defaults(t, map[string]string{"data.json": hideOrders})).Visibility(t.Context(), reader)
	require.NoError(t, err)
	var nodes []lineage.Node
	for i := range 1201 {
		schema := "raw"
		if i%3 == 0 {
			schema = "mart"
		}
		nodes = append(nodes, lineage.DatasetID{Namespace: "warehouse", Name: fmt.Sprintf("%s.t%d", schema, i)}.Node())
	}
	show, err := view.Show(t.Context(), nodes)
	require.NoError(t, err)
	require.Len(t, show, len(nodes))
	for i, visible := range show {
		require.Equal(t, i%3 != 0, visible, nodes[i].Name)
	}
}

func TestViewKeepsItsRevision(t *testing.T) {
	t.Parallel()
	dir := defaults(t, nil)
	engine := watch(t, dir)
	before, err := engine.Visibility(t.Context(), reader)
	require.NoError(t, err)

	write(t, filepath.Join(dir, "data.json"), hideOrders)
	require.NoError(t, engine.reloaded(t))

	show, err := before.Show(t.Context(), []lineage.Node{orders})
	require.NoError(t, err)
	require.Equal(t, []bool{true}, show)
	require.NotEqual(t, engine.Revision(), before.Revision())
	require.False(t, shown(t, engine.Engine, orders))
}

func TestWhatThePolicyLeavesOpenIsHidden(t *testing.T) {
	t.Parallel()
	for name, decisions := range map[string]string{
		"no decision":      `decisions := {}`,
		"unknown decision": `decisions := {id: "reveal" | some id, _ in input.nodes}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine := load(t, defaults(t, map[string]string{
				"visibility.rego":      "package headwater.visibility\n\nrestricted := true\n\n" + decisions + "\n",
				"visibility_test.rego": "",
			}))
			require.False(t, shown(t, engine, orders))
		})
	}
}

func TestUnusableVisibilityShowsNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		rules string
		want  string
	}{
		"undefined": {
			rules: "restricted := true\n\ndecisions := {} if input.caller.name == \"nobody\"",
			want:  "data.headwater.visibility.decisions is undefined",
		},
		"not an object": {
			rules: "restricted := true\n\ndecisions := \"show\"",
			want:  "not an object",
		},
		"a node hidden from an unrestricted caller": {
			rules: "restricted := false\n\ndecisions := {id: \"hide\" | some id, _ in input.nodes}",
			want:  "data.headwater.visibility.restricted is false",
		},
		"a built-in that fails in a hiding rule": {
			rules: `restricted := true

decisions := {id: verdict(node) | some id, node in input.nodes}

verdict(node) := "hide" if {
	glob.match(concat("", [node.name, "["]), null, node.name)
} else := "show"`,
			want: "glob.match",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine := load(t, defaults(t, map[string]string{
				"visibility.rego":      "package headwater.visibility\n\n" + test.rules + "\n",
				"visibility_test.rego": "",
			}))
			view, err := engine.Visibility(t.Context(), reader)
			require.NoError(t, err)
			show, err := view.Show(t.Context(), []lineage.Node{orders})
			require.ErrorContains(t, err, test.want)
			require.Nil(t, show)
		})
	}
}

func BenchmarkVisibility(b *testing.B) {
	engine := load(b, defaults(b, map[string]string{"data.json": hideOrders}))
	for _, size := range []int{1, 100, 1000} {
		nodes := make([]lineage.Node, size)
		for i := range nodes {
			schema := "raw"
			if i%10 == 0 {
				schema = "mart" // hidden
			}
			nodes[i] = lineage.DatasetID{Namespace: "warehouse", Name: fmt.Sprintf("%s.table_%d", schema, i)}.Node()
		}
		b.Run(fmt.Sprintf("nodes=%d", size), func(b *testing.B) {
			for b.Loop() {
				view, err := engine.Visibility(b.Context(), reader)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := view.Show(b.Context(), nodes); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAuthorize(b *testing.B) {
	engine := load(b, "")
	for b.Loop() {
		if _, err := engine.Authorize(b.Context(), producer, "POST /api/v1/lineage"); err != nil {
			b.Fatal(err)
		}
	}
}
