// Package plainyaml lets only plain YAML reach the parser. What it refuses can stand for endless content, or costs a
// parser gigabytes of stack.
package plainyaml

import (
	"fmt"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// A Refusal says what is not plain, and where.
type Refusal struct {
	Line, Column int
	Message      string
}

func (r *Refusal) Error() string { return fmt.Sprintf("line %d: %s", r.Line, r.Message) }

// Tokens splits a text for a parser. Anchors, aliases, tags, directives and values nested deeper than levels are a
// [Refusal].
func Tokens(text string, levels int) (token.Tokens, error) {
	tokens := lexer.Tokenize(text)
	var d depth
	for k, t := range tokens {
		switch t.Type {
		case token.AnchorType, token.AliasType, token.TagType, token.MergeKeyType:
			return nil, at(t, "anchors, aliases and tags are not supported; write the value out, in quotes if it is text")
		case token.DirectiveType:
			return nil, at(t, "directives are not supported; leave the line out")
		}
		if d.pass(tokens, k); d.flow+len(d.columns) > levels {
			return nil, at(t, fmt.Sprintf("nested more than %d levels deep, which no description needs", levels))
		}
	}
	return tokens, nil
}

// A depth is how deep the tokens so far nest.
type depth struct {
	flow    int   // brackets and braces that are open
	columns []int // where the blocks that are open begin
}

// pass goes over token k.
func (d *depth) pass(tokens token.Tokens, k int) {
	t, begins := tokens[k], 0
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		d.flow++
	case token.SequenceEndType, token.MappingEndType:
		d.flow = max(0, d.flow-1)
	case token.SequenceEntryType, token.MappingKeyType:
		begins = t.Position.Column
	case token.MappingValueType:
		if begins = t.Position.Column; k > 0 && tokens[k-1].Position.Line == t.Position.Line {
			begins = tokens[k-1].Position.Column
		}
	}
	if begins == 0 || d.flow > 0 {
		return
	}
	for len(d.columns) > 0 && d.columns[len(d.columns)-1] >= begins {
		d.columns = d.columns[:len(d.columns)-1]
	}
	d.columns = append(d.columns, begins)
}

func at(t *token.Token, message string) error {
	return &Refusal{t.Position.Line, t.Position.Column, message}
}
