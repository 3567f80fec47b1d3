package cluster

import (
	"fmt"
	"unicode/utf8"

	"github.com/batopo/batopo/internal/limits"

	"github.com/goccy/go-yaml/token"
)

// plainText checks the encoding of a file. Errors begin with :line:column.
func plainText(source []byte) error {
	line, column := 1, 1
	for at := 0; at < len(source); {
		r, size := utf8.DecodeRune(source[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			return fmt.Errorf(":%d:%d: the byte %#x is not UTF-8; save the file as UTF-8", line, column, source[at])
		case r == '\n':
			line, column = line+1, 0
		case r < ' ' && r != '\t' && r != '\r':
			return fmt.Errorf(":%d:%d: the byte %#x is not text", line, column, source[at])
		}
		at += size
		column++
	}
	return nil
}

// plainTokens refuses what descriptions have no use for before anything is built from it: anchors, aliases and tags,
// whose meaning can be endless, and deep nesting, which parsers pay for with their stack.
func plainTokens(tokens token.Tokens) error {
	flow := 0         // brackets and braces that are open
	var columns []int // where the blocks that are open begin
	for k, t := range tokens {
		begins := 0
		switch t.Type {
		case token.AnchorType, token.AliasType, token.TagType, token.MergeKeyType:
			return at(t, "anchors, aliases and tags are not supported; write the value out, in quotes if it is text")
		case token.DirectiveType:
			return at(t, "directives are not supported; leave the line out")
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow = max(0, flow-1)
		case token.SequenceEntryType, token.MappingKeyType:
			begins = t.Position.Column
		case token.MappingValueType:
			if begins = t.Position.Column; k > 0 && tokens[k-1].Position.Line == t.Position.Line {
				begins = tokens[k-1].Position.Column
			}
		}
		if begins > 0 && flow == 0 {
			for len(columns) > 0 && columns[len(columns)-1] >= begins {
				columns = columns[:len(columns)-1]
			}
			columns = append(columns, begins)
		}
		if flow+len(columns) > limits.ClusterDepth {
			return at(t, fmt.Sprintf("nested more than %d levels deep, which no description needs", limits.ClusterDepth))
		}
	}
	return nil
}

func at(t *token.Token, message string) error {
	return fmt.Errorf(":%d:%d: %s", t.Position.Line, t.Position.Column, message)
}
