package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
)

// parsed is a policy set after parsing. Tests stand apart, so that no policy can lean on a rule of a test.
type parsed struct {
	policies map[string]*ast.Module
	tests    map[string]*ast.Module
	schemas  *ast.SchemaSet // nil where the set brings none; then inputs are not type-checked
	data     storage.Store
}

// parse reads all files of the set and reports all that is wrong with them.
func parse(files source) (*parsed, error) {
	p := &parsed{policies: map[string]*ast.Module{}, tests: map[string]*ast.Module{}}
	data := map[string]any{}
	var problems []error
	for name, content := range files {
		var err error
		switch {
		case strings.HasSuffix(name, "_test.rego"):
			p.tests[name], err = parseModule(name, content)
		case path.Ext(name) == ".rego":
			p.policies[name], err = parseModule(name, content)
		case name == dataFile:
			err = parseJSON(name, content, &data)
		default:
			err = p.addSchema(name, content)
		}
		problems = append(problems, err)
	}
	p.data = inmem.NewFromObjectWithOpts(data, inmem.OptReturnASTValuesOnRead(true))
	return p, errors.Join(problems...)
}

// modules are the policies and the tests together.
func (p *parsed) modules() map[string]*ast.Module {
	all := maps.Clone(p.policies)
	maps.Copy(all, p.tests)
	return all
}

func parseModule(name string, content []byte) (*ast.Module, error) {
	return ast.ParseModuleWithOpts(name, string(content), ast.ParserOptions{
		Capabilities:      capabilities,
		ProcessAnnotation: true,
	})
}

func parseJSON(name string, content []byte, into any) error {
	if err := json.Unmarshal(content, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// addSchema makes schemas/<name>.json known to annotations as schema.<name>.
func (p *parsed) addSchema(name string, content []byte) error {
	var schema any
	if err := parseJSON(name, content, &schema); err != nil {
		return err
	}
	if p.schemas == nil {
		p.schemas = ast.NewSchemaSet()
	}
	base := strings.TrimSuffix(path.Base(name), ".json")
	p.schemas.Put(ast.SchemaRootRef.Append(ast.StringTerm(base)), schema)
	return nil
}
