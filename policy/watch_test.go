package policy_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policies"
)

const openToProducers = `package headwater.authz

grants contains "producers may look at lineage" if {
	input.principal.kind == "producer"
	input.procedure == "/headwater.v1.LineageService/Traverse"
}
`

func TestBadEditNeverTakesEffect(t *testing.T) {
	t.Parallel()
	dir := defaults(t, nil)
	engine := watch(t, dir)
	good := engine.Revision()

	// The edit allows the call, and the set's own tests say that it must not.
	write(t, filepath.Join(dir, "more.rego"), openToProducers)
	require.ErrorContains(t, engine.reloaded(t), "case a producer asks nothing")
	require.ErrorContains(t, engine.Failure(), "case a producer asks nothing")
	require.Equal(t, good, engine.Revision())
	require.False(t, allowed(t, engine.Engine, producer, traverse))

	// With the test corrected too, it takes effect.
	write(t, filepath.Join(dir, "authz_test.rego"), "package headwater.authz_test\n")
	engine.requireTaken(t)
	require.NoError(t, engine.Failure())
	require.NotEqual(t, good, engine.Revision())
	require.True(t, allowed(t, engine.Engine, producer, traverse))
}

func TestTakingBackABadEditEndsTheFailure(t *testing.T) {
	t.Parallel()
	dir := defaults(t, nil)
	engine := watch(t, dir)
	good := engine.Revision()

	write(t, filepath.Join(dir, "more.rego"), "packag")
	require.Error(t, engine.reloaded(t))
	require.NoError(t, os.Remove(filepath.Join(dir, "more.rego")))
	engine.requireTaken(t)
	require.NoError(t, engine.Failure())
	require.Equal(t, good, engine.Revision())
}

func TestVanishedDirectoryKeepsTheLastGoodSet(t *testing.T) {
	t.Parallel()
	dir := defaults(t, nil)
	engine := watch(t, dir)

	require.NoError(t, os.Rename(dir, dir+".away"))
	require.Error(t, engine.reloaded(t))
	require.True(t, allowed(t, engine.Engine, reader, traverse))

	require.NoError(t, os.Rename(dir+".away", dir))
	engine.requireTaken(t)
}

// TestEveryWayOfSavingIsNoticed makes two changes in each way that editors and deployments use: the first could be
// found by the look at the start, the second has to be announced.
func TestEveryWayOfSavingIsNoticed(t *testing.T) {
	t.Parallel()
	edited := map[string]string{"more.rego": "package more\n\nanswer := 42\n"}

	t.Run("write in place", func(t *testing.T) {
		t.Parallel()
		dir := defaults(t, edited)
		engine := watch(t, dir)
		for range 2 {
			file, err := os.OpenFile(filepath.Join(dir, "more.rego"), os.O_APPEND|os.O_WRONLY, 0)
			require.NoError(t, err)
			_, err = file.WriteString("\n# One more line.\n")
			require.NoError(t, err)
			require.NoError(t, file.Close())
			engine.requireTaken(t)
		}
	})
	t.Run("rename over the file", func(t *testing.T) {
		t.Parallel()
		dir := defaults(t, edited)
		engine := watch(t, dir)
		for answer := range 2 {
			write(t, filepath.Join(dir, "more.rego"), fmt.Sprintf("package more\n\nanswer := %d\n", answer))
			engine.requireTaken(t)
		}
	})
	t.Run("in a new folder", func(t *testing.T) {
		t.Parallel()
		dir := defaults(t, nil)
		engine := watch(t, dir)
		for answer := range 2 {
			write(t, filepath.Join(dir, "team", "more.rego"), fmt.Sprintf("package more\n\nanswer := %d\n", answer))
			engine.requireTaken(t)
		}
	})
	t.Run("link to another directory", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "current")
		first, second := defaults(t, nil), defaults(t, edited)
		relink(t, first, dir)
		engine := watch(t, dir)
		for _, target := range []string{second, first} {
			relink(t, target, dir)
			engine.requireTaken(t)
		}
		write(t, filepath.Join(first, "more.rego"), edited["more.rego"])
		engine.requireTaken(t) // behind the link
	})
	t.Run("Kubernetes volume", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		mount := func(version string, files map[string]string) {
			require.NoError(t, os.Rename(defaults(t, files), filepath.Join(dir, version)))
			relink(t, version, filepath.Join(dir, "..data"))
		}
		mount("..2026_07_19_1", nil)
		for _, name := range []string{
			"authz.rego", "authz_test.rego", "data.json", "publication.rego", "visibility.rego", "visibility_test.rego",
		} {
			require.NoError(t, os.Symlink(filepath.Join("..data", name), filepath.Join(dir, name)))
		}
		engine := watch(t, dir)
		mount("..2026_07_19_2", map[string]string{"data.json": hideOrders})
		engine.requireTaken(t)
		require.False(t, shown(t, engine.Engine, orders))
		mount("..2026_07_19_3", nil)
		engine.requireTaken(t)
		require.True(t, shown(t, engine.Engine, orders))
	})
}

// relink points a link elsewhere in one step.
func relink(t *testing.T, target, link string) {
	t.Helper()
	require.NoError(t, os.Symlink(target, link+".new"))
	require.NoError(t, os.Rename(link+".new", link))
}

func TestQuestionsDuringReloads(t *testing.T) {
	t.Parallel()
	dir := defaults(t, nil)
	engine := watch(t, dir)

	stop := make(chan struct{})
	var askers sync.WaitGroup
	for range 4 {
		askers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				decision, err := engine.Authorize(t.Context(), reader, traverse)
				if err != nil || !decision.Allow {
					t.Errorf("%+v: %v", decision, err)
					return
				}
				view, err := engine.Visibility(t.Context(), reader)
				if err != nil {
					t.Error(err)
					return
				}
				show, err := view.Show(t.Context(), []lineage.Node{orders})
				if err != nil || show[0] == view.Restricted() {
					t.Errorf("shown %v, restricted %v: %v", show, view.Restricted(), err)
					return
				}
			}
		})
	}
	shownToAll, err := policies.Files.ReadFile("data.json")
	require.NoError(t, err)
	for _, data := range []string{hideOrders, "{", string(shownToAll), hideOrders} {
		write(t, filepath.Join(dir, "data.json"), data)
		if data == "{" {
			require.Error(t, engine.reloaded(t))
		} else {
			engine.requireTaken(t)
		}
	}
	close(stop)
	askers.Wait()
}
