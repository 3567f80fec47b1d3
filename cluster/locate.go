package cluster

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// A positionError is a complaint about what stands at one place of a file.
type positionError struct {
	line, column int
	message      string
}

func (e *positionError) Error() string { return e.message }

// at complains about a place of the file.
func (c *checker) at(t *token.Token, format string, args ...any) {
	if len(c.errs) == limits.Complaints {
		c.more++
		return
	}
	c.errs = append(c.errs, &positionError{t.Position.Line, t.Position.Column, fmt.Sprintf(format, args...)})
}

// locate adds name:line:column to each of the joined errors: the position of the field that it names, or of the nearest
// field around it. Where the file has neither, it adds the name alone.
func locate(name string, body ast.Node, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return fmt.Errorf("%s: %w", name, err)
	}
	var out []error
	for _, e := range joined.Unwrap() {
		place := name
		var field *FieldError
		var position *positionError
		switch {
		case errors.As(e, &position):
			place = fmt.Sprintf("%s:%d:%d", name, position.line, position.column)
		case errors.As(e, &field):
			n, whole := find(body, field.Path)
			if n != body {
				p := n.GetToken().Position
				place = fmt.Sprintf("%s:%d:%d", name, p.Line, p.Column)
			}
			if _, fields := n.(ast.MapNode); fields && !whole {
				e = field.leftOut()
			}
		}
		out = append(out, fmt.Errorf("%s: %w", place, e))
	}
	return errors.Join(out...)
}

// find follows a path such as $.routes[3].pair as far as the file has it, and says whether that is the whole path.
func find(n ast.Node, path string) (at ast.Node, whole bool) {
	separates := func(r rune) bool { return r == '.' || r == '[' || r == ']' }
	for _, step := range strings.FieldsFunc(strings.TrimPrefix(path, "$"), separates) {
		next := child(n, step)
		if next == nil {
			return n, false
		}
		n = next
	}
	return n, true
}

// child returns the entry of a mapping or of a list, or nil.
func child(n ast.Node, step string) ast.Node {
	if list, ok := n.(*ast.SequenceNode); ok {
		if k, err := strconv.Atoi(step); err == nil && k < len(list.Values) {
			return list.Values[k]
		}
		return nil
	}
	mapping, ok := n.(ast.MapNode)
	if !ok {
		return nil
	}
	for entries := mapping.MapRange(); entries.Next(); {
		if key, ok := scalar(entries.Key()); ok && key == step {
			return entries.Value()
		}
	}
	return nil
}
