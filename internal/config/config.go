// Package config lets settings also come from a file. A setting is looked for in this order, and the first one found
// holds: the flag on the command line, its HEADWATER_* environment variable, the YAML file, the default. What is said
// anew each time, such as a reason or the time that one asks about, is no setting: it comes from the command line alone.
//
// The file has the names of the flags. Nesting joins names by a hyphen, so that these two are the same:
//
//	s3-endpoint: http://localhost:9000
//	s3:
//	  endpoint: http://localhost:9000
//
// One file serves all commands: each takes what it knows. A name that is no setting of any command is an error.
package config

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// Environment makes settings of the flags of some commands, and of all flags of the same names: --s3-endpoint may come from
// HEADWATER_S3_ENDPOINT. A flag with a tag env is a setting as well.
func Environment(commands ...string) kong.Option {
	return kong.PostBuild(func(k *kong.Kong) error {
		settings := map[string]bool{}
		for _, command := range k.Model.Children {
			if slices.Contains(commands, command.Name) {
				for _, flag := range command.Flags {
					settings[flag.Name] = true
				}
			}
		}
		for _, flag := range flags(k.Model.Node) {
			if settings[flag.Name] {
				name := "HEADWATER_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))
				flag.Envs = []string{name}     // what help shows
				flag.Tag.Envs = []string{name} // what parsing reads
			}
		}
		return nil
	})
}

// flags returns the flags of a command and of those below it.
func flags(command *kong.Node) []*kong.Flag {
	found := slices.Clone(command.Flags)
	for _, child := range command.Children {
		found = append(found, flags(child)...)
	}
	return found
}

// Load reads a configuration file. It is a [kong.ConfigurationLoader].
func Load(r io.Reader) (kong.Resolver, error) {
	var content map[string]any
	if err := yaml.NewDecoder(r).Decode(&content); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	f := file{}
	f.flatten("", content)
	return f, nil
}

// file holds the settings by the name of their flag.
type file map[string]any

func (f file) flatten(prefix string, content map[string]any) {
	for name, value := range content {
		if nested, ok := value.(map[string]any); ok {
			f.flatten(prefix+name+"-", nested)
		} else {
			f[prefix+name] = value
		}
	}
}

// Validate refuses names that are no setting of any command.
func (f file) Validate(app *kong.Application) error {
	known := map[string]bool{}
	for _, flag := range flags(app.Node) {
		known[flag.Name] = len(flag.Envs) > 0 || known[flag.Name]
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if !known[name] {
			errs = append(errs, fmt.Errorf("configuration: there is no setting %q", name))
		}
	}
	return errors.Join(errs...)
}

// Resolve gives way to the environment: kong asks it for every flag that is not on the command line.
func (f file) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if len(flag.Envs) == 0 {
		return nil, nil
	}
	for _, name := range flag.Envs {
		if _, set := os.LookupEnv(name); set {
			return nil, nil
		}
	}
	return f[flag.Name], nil
}
