package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestOurClaimsHold(t *testing.T) {
	var out bytes.Buffer
	broken, err := check(&out, "../..", "../results")
	if err != nil {
		t.Fatal(err)
	}
	if broken > 0 {
		_, claims, _ := strings.Cut(out.String(), "Claims of our documents")
		t.Errorf("%d claims do not hold:%s", broken, claims)
	}
}

// Without results every claim about a number is broken: the check can fail.
func TestCheckFailsWithoutResults(t *testing.T) {
	broken, err := check(io.Discard, "../..", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if broken == 0 {
		t.Error("no results, and all claims hold")
	}
}

func TestCheckNeedsTheRepository(t *testing.T) {
	if _, err := check(io.Discard, t.TempDir(), t.TempDir()); err == nil {
		t.Error("no expected.json, no error")
	}
}
