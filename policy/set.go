package policy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage"
)

// evalTimeout bounds one evaluation. The default policies need about a hundred microseconds, 500 nodes a few
// milliseconds; what takes this long is a mistake in a policy or a machine in distress.
const evalTimeout = time.Second

// ErrUndecided says that a policy gave no answer or none that can be used. Whoever asked must refuse.
var ErrUndecided = errors.New("the policy gave no usable answer")

// set is one revision of the policies, compiled and tested. What it answers never changes, so it is remembered.
type set struct {
	revision string
	queries  map[entryPoint]rego.PreparedEvalQuery
	memory   memory
}

// entryPoint is a rule that a set must define, by the path of its value.
type entryPoint string

const (
	authzDecision        entryPoint = "data.headwater.authz.decision"
	visibilityDecisions  entryPoint = "data.headwater.visibility.decisions"
	visibilityRestricted entryPoint = "data.headwater.visibility.restricted"
	publication          entryPoint = "data.headwater.publication.requirement"
)

var entryPoints = []entryPoint{authzDecision, visibilityDecisions, visibilityRestricted, publication}

// compile makes a set of its files. The error holds all that is wrong at the first stage that fails: parsing,
// compiling, entry points, tests.
func compile(ctx context.Context, files source) (*set, error) {
	source, err := parse(files)
	if err != nil {
		return nil, err
	}
	compiler, err := source.compile(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkEntryPoints(compiler); err != nil {
		return nil, err
	}
	results, err := source.runTests(ctx)
	if err != nil {
		return nil, err
	}
	if err := failures(results); err != nil {
		return nil, err
	}
	compiled := &set{revision: files.revision(), queries: map[entryPoint]rego.PreparedEvalQuery{}}
	for _, entry := range entryPoints {
		compiled.queries[entry], err = rego.New(
			rego.Query(string(entry)),
			rego.Compiler(compiler),
			rego.Store(source.data),
			// Otherwise a built-in that fails makes a hiding rule undefined, and what it hides shows.
			rego.StrictBuiltinErrors(true),
		).PrepareForEval(ctx)
		if err != nil {
			return nil, fmt.Errorf("prepare %s: %w", entry, err)
		}
	}
	return compiled, nil
}

// compile compiles the policies without their tests.
func (p *parsed) compile(ctx context.Context) (*ast.Compiler, error) {
	var compiler *ast.Compiler
	err := storage.Txn(ctx, p.data, storage.TransactionParams{}, func(txn storage.Transaction) error {
		compiler = p.newCompiler().WithPathConflictsCheck(storage.NonEmpty(ctx, p.data, txn))
		compiler.Compile(p.policies)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if compiler.Failed() {
		return nil, compiler.Errors
	}
	return compiler, nil
}

func (p *parsed) newCompiler() *ast.Compiler {
	return ast.NewCompiler().
		WithCapabilities(capabilities).
		WithSchemas(p.schemas).
		WithUseTypeCheckAnnotations(true).
		WithStrict(true)
}

func checkEntryPoints(compiler *ast.Compiler) error {
	var missing []error
	for _, entry := range entryPoints {
		if len(compiler.GetRules(ast.MustParseRef(string(entry)))) == 0 {
			missing = append(missing, fmt.Errorf("no rule defines %s", entry))
		}
	}
	return errors.Join(missing...)
}

// ask evaluates one entry point. Its error wraps ErrUndecided where the rule is undefined for the input.
func (s *set) ask(ctx context.Context, entry entryPoint, input map[string]any) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, evalTimeout)
	defer cancel()
	results, err := s.queries[entry].Eval(ctx, rego.EvalInput(input))
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("evaluate %s: %w", entry, ctx.Err())
	case err != nil:
		return nil, fmt.Errorf("evaluate %s: %w", entry, err)
	case len(results) == 0:
		return nil, fmt.Errorf("%s is undefined: %w", entry, ErrUndecided)
	}
	return results[0].Expressions[0].Value, nil
}

// unusable is the error for an answer of the wrong type.
func unusable(entry entryPoint, answer any, want string) error {
	return fmt.Errorf("%s is %v, not %s: %w", entry, answer, want, ErrUndecided)
}
