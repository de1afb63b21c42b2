package policy

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// capabilities is what a policy may use of Rego: nothing that reaches the network, the environment, the clock or
// chance. So one revision gives one answer to one question, and answers can be remembered and decisions repeated.
var capabilities = func() *ast.Capabilities {
	c := ast.CapabilitiesForThisVersion()
	c.Builtins = slices.DeleteFunc(c.Builtins, func(b *ast.Builtin) bool { return b.Nondeterministic })
	c.AllowNet = []string{} // no schema is fetched from elsewhere
	return c
}()
