package cluster

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/ground/plainyaml"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// ReadFile builds a cluster from a file of YAML, as [Read] does.
func ReadFile(name string) (*Cluster, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(name, f)
}

// Read builds a cluster from YAML. Errors say name:line:column, the field, and what
// would be right; unknown fields are errors.
//
// The YAML is plain: no anchors, aliases or tags, nested as little as descriptions are, at most limits.ClusterBytes.
func Read(name string, r io.Reader) (*Cluster, error) {
	return ReadIf(name, r, func(Spec) error { return nil })
}

// ReadIf is [Read] for descriptions that a check lets pass; it comes before anything is built.
func ReadIf(name string, r io.Reader, check func(Spec) error) (*Cluster, error) {
	source, err := limits.ReadText(r, limits.ClusterBytes, "a cluster description")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := plainText(source); err != nil {
		return nil, fmt.Errorf("%s%w", name, err)
	}
	body, err := parse(string(source))
	if err != nil {
		return nil, fmt.Errorf("%s%w", name, err)
	}
	d := decoder{}
	spec := d.spec(body)
	if d.check.bad() {
		return nil, locate(name, body, d.check.err())
	}
	if spec.Format == "" {
		return nil, fmt.Errorf("%s: has no format; its first line should be \"format: %s\"", name, FormatV2)
	}
	if err := check(spec); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c, err := New(spec)
	if err != nil {
		return nil, locate(name, body, err)
	}
	if c.joinAll(&d.check); d.check.bad() {
		return nil, locate(name, body, d.check.err())
	}
	return c, nil
}

// parse returns the one document of a YAML file. Errors begin with :line:column.
func parse(text string) (ast.Node, error) {
	tokens, err := plainyaml.Tokens(text, limits.ClusterDepth)
	if r := (*plainyaml.Refusal)(nil); errors.As(err, &r) {
		return nil, fmt.Errorf(":%d:%d: %s", r.Line, r.Column, r.Message)
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, positioned(err)
	}
	var bodies []ast.Node
	for _, doc := range file.Docs {
		if doc.Body != nil {
			bodies = append(bodies, doc.Body)
		}
	}
	switch {
	case len(bodies) == 0:
		return nil, fmt.Errorf(": is empty; a description begins with \"format: %s\"", FormatV2)
	case len(bodies) > 1 || len(file.Docs) > 1:
		return nil, fmt.Errorf(": holds %d YAML documents; remove the --- between them or all but one", len(file.Docs))
	}
	return bodies[0], nil
}

// positioned turns the library's error into one line: :line:column: message.
func positioned(err error) error {
	var syntax yaml.Error
	if errors.As(err, &syntax) {
		if token := syntax.GetToken(); token != nil && token.Position != nil {
			return fmt.Errorf(":%d:%d: %s", token.Position.Line, token.Position.Column, readable(syntax.GetMessage()))
		}
	}
	return fmt.Errorf(": %s", readable(err.Error()))
}

// readable keeps one line of a message of reasonable length, without what a garbage file put into it.
func readable(message string) string {
	const most = 160
	if strings.Contains(message, "'\t'") {
		return "YAML is indented with spaces, and here is a tab"
	}
	first, _, _ := strings.Cut(message, "\n")
	first = strings.Map(func(r rune) rune {
		if r == '\uFFFD' || unprintable(r) {
			return -1
		}
		return r
	}, first)
	return limits.Shorten(first, most)
}

// Write writes the description as YAML; Read gives the same cluster back.
func (c *Cluster) Write(w io.Writer) error {
	b, err := yaml.MarshalWithOptions(c.spec, yaml.Indent(2))
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}
