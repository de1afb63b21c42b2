package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/tester"
)

// TestResult tells how one test rule of a policy set ended.
type TestResult struct {
	// Name is the rule with its package: data.headwater.authz_test.test_grant_says_why.
	Name string
	// Location is file and line of the rule.
	Location string
	// Problem is empty for a test that passed.
	Problem string
}

// testTimeout bounds one test. They take milliseconds; a machine that has other things to do must not make a good set bad, and
// one that never ends is an error all the same.
const testTimeout = time.Minute

// Test runs the tests of the set in fsys under the rules by which an Engine loads it, ordered by name. The error is
// for a set that cannot be tested, since it does not compile.
func Test(ctx context.Context, fsys fs.FS) ([]TestResult, error) {
	files, err := readFiles(fsys)
	if err != nil {
		return nil, err
	}
	source, err := parse(files)
	if err != nil {
		return nil, err
	}
	return source.runTests(ctx)
}

// runTests compiles policies and tests together and runs every rule that is named test_*. Rules named todo_test_* are
// left out.
func (p *parsed) runTests(ctx context.Context) ([]TestResult, error) {
	runner := tester.NewRunner().
		SetCompiler(p.newCompiler().WithEnablePrintStatements(true)).
		SetStore(p.data).
		SetModules(p.modules()).
		RaiseBuiltinErrors(true).
		SetTimeout(testTimeout)
	ended, err := runner.RunTests(ctx, nil)
	if err != nil {
		return nil, err
	}
	var results []TestResult
	for result := range ended {
		if !result.Skip {
			results = append(results, describe(result))
		}
	}
	slices.SortFunc(results, func(a, b TestResult) int { return cmp.Compare(a.Name, b.Name) })
	return results, ctx.Err()
}

func describe(result *tester.Result) TestResult {
	return TestResult{
		Name:     result.Package + "." + result.Name,
		Location: result.Location.String(),
		Problem:  problem(result),
	}
}

// problem says why a test did not pass: the error, the cases that failed, what the test printed.
func problem(result *tester.Result) string {
	if result.Pass() {
		return ""
	}
	if result.Error != nil {
		return result.Error.Error()
	}
	parts := []string{"failed"}
	for name, sub := range result.SubResults.Iter {
		if sub.Fail {
			parts = append(parts, "case "+strings.Join(name, "/"))
		}
	}
	if printed := strings.TrimSpace(string(result.Output)); printed != "" {
		parts = append(parts, printed)
	}
	return strings.Join(parts, "; ")
}

// failures is nil where every test passed.
func failures(results []TestResult) error {
	var failed []error
	for _, result := range results {
		if result.Problem != "" {
			failed = append(failed, fmt.Errorf("%s: %s: %s", result.Location, result.Name, result.Problem))
		}
	}
	return errors.Join(failed...)
}
