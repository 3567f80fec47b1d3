package cluster

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxFileBytes limits what is read from an untrusted file.
const maxFileBytes = 64 << 20

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
func Read(name string, r io.Reader) (*Cluster, error) {
	source, err := io.ReadAll(io.LimitReader(r, maxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(source) > maxFileBytes {
		return nil, fmt.Errorf("%s: larger than %d MiB, which no cluster description needs", name, maxFileBytes>>20)
	}
	file, err := parser.ParseBytes(source, 0)
	if err != nil {
		return nil, positioned(name, err)
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, fmt.Errorf("%s: holds %d YAML documents; one is needed, starting with \"format: %s\"", name, len(file.Docs), Format)
	}
	var spec Spec
	if err := yaml.NodeToValue(file.Docs[0].Body, &spec, yaml.Strict()); err != nil {
		return nil, positioned(name, err)
	}
	if spec.Format == "" {
		return nil, fmt.Errorf("%s: has no format; its first line should be \"format: %s\"", name, Format)
	}
	c, err := New(spec)
	if err != nil {
		return nil, locate(name, file, err)
	}
	return c, nil
}

// positioned turns the library's error into one line: name:line:column: message.
func positioned(name string, err error) error {
	var syntax yaml.Error
	if errors.As(err, &syntax) {
		if token := syntax.GetToken(); token != nil && token.Position != nil {
			return fmt.Errorf("%s:%d:%d: %s", name, token.Position.Line, token.Position.Column, readable(syntax.GetMessage()))
		}
	}
	return fmt.Errorf("%s: %s", name, readable(err.Error()))
}

// readable keeps one line of a message of reasonable length, without what a garbage file put into it.
func readable(message string) string {
	const most = 160
	first, _, _ := strings.Cut(message, "\n")
	first = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, first)
	if runes := []rune(first); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return first
}

// locate adds the position of each field that a FieldError names, where the file has it.
func locate(name string, file *ast.File, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return fmt.Errorf("%s: %w", name, err)
	}
	var out []error
	for _, e := range joined.Unwrap() {
		at := name
		var field *FieldError
		if errors.As(e, &field) {
			if path, pathErr := yaml.PathString(field.Path); pathErr == nil {
				if node, findErr := path.FilterFile(file); findErr == nil {
					p := node.GetToken().Position
					at = fmt.Sprintf("%s:%d:%d", name, p.Line, p.Column)
				}
			}
		}
		out = append(out, fmt.Errorf("%s: %w", at, e))
	}
	return errors.Join(out...)
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
