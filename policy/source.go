package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/headwater-data/headwater/lineage"
)

// The files of a set beside its modules.
const (
	dataFile  = "data.json"
	schemaDir = "schemas"
)

// source is a policy set as it stands in its files: content by slash-separated path.
type source map[string][]byte

// readFiles reads what belongs to a set: *.rego at any depth, data.json at the top and schemas/*.json. Files and
// folders whose name begins with a dot are skipped; Kubernetes keeps the versions of a mounted volume in such.
func readFiles(fsys fs.FS) (source, error) {
	files := source{}
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir() || !belongs(name):
			return nil
		case entry.Name() == dataFile && name != dataFile:
			return fmt.Errorf("%s: data stands in %s at the top of the set", name, dataFile)
		}
		files[name], err = fs.ReadFile(fsys, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("there is no policy file")
	}
	return files, nil
}

func belongs(name string) bool {
	return path.Ext(name) == ".rego" ||
		path.Base(name) == dataFile ||
		path.Dir(name) == schemaDir && path.Ext(name) == ".json"
}

// revision is the hash of all names and contents.
func (s source) revision() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		parts = append(parts, name, string(s[name]))
	}
	return lineage.HashOf(parts...).String()
}
