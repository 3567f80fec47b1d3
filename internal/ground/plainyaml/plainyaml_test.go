package plainyaml_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/ground/plainyaml"
)

func TestWhatIsNotPlainIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"a: &x 1\nb: *x\n":                 "line 1: anchors, aliases and tags are not supported",
		"a: 1\nb: !!float 2\n":             "line 2: anchors, aliases and tags are not supported",
		"a:\n  <<: {b: 1}\n":               "line 2: anchors, aliases and tags are not supported",
		"%YAML 1.2\n---\na: 1\n":           "line 1: directives are not supported",
		"a: [[[[1]]]]\n":                   "line 1: nested more than 4 levels deep",
		"a:\n b:\n  c:\n   d:\n    e: 1\n": "line 5: nested more than 4 levels deep",
		"- - - - - 1\n":                    "line 1: nested more than 4 levels deep",
	} {
		_, err := plainyaml.Tokens(text, 4)
		var refusal *plainyaml.Refusal
		if !errors.As(err, &refusal) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Levels that end are open no longer: a long file is not a deep one.
func TestPlainYAMLPasses(t *testing.T) {
	text := "# a cluster\nnodes: 4\nlinks:\n" + strings.Repeat("  - {between: [a, b], gb_s: 12.5}\n", 1000) +
		"model:\n  message_mb: 50\nname: 'a & b, not *an* alias'\n"
	tokens, err := plainyaml.Tokens(text, 4)
	if err != nil || len(tokens) < 10_000 {
		t.Errorf("%d tokens, %v", len(tokens), err)
	}
}
