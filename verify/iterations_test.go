package verify_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/verify"
)

// A count of rounds is a number that anyone can edit: none may cost more time than an honest one, or panic.
func TestAnyClaimedCountOfRoundsIsCheckedSoon(t *testing.T) {
	for name := range plans(t) {
		for _, count := range []int{math.MinInt, -5, math.MaxInt} {
			p := plans(t)[name]
			p.Iterations = count
			done := make(chan error, 1)
			go func() {
				report, err := verify.Check(context.Background(), p)
				if err == nil {
					err = report.Err()
				}
				done <- err
			}()
			select {
			case err := <-done:
				if err == nil || !strings.Contains(err.Error(), "iterations") {
					t.Errorf("%s with %d iterations: %v; want them called false", name, count, err)
				}
			case <-time.After(20 * time.Minute):
				t.Fatalf("%s with %d iterations: not checked after twenty minutes", name, count)
			}
		}
	}
}

// Large rings take 10¹⁰ rounds: rounding of the eigenvalue decides about the last of them, but not about one
// in ten thousand.
func TestRoundsOfLargeRings(t *testing.T) {
	for name, nodes := range map[string]int{"ring": 65536, "k-nearest": 16384} {
		p := familyPlan(t, name, nodes)
		honest := p.Iterations
		for _, tc := range []struct {
			count int
			want  verify.Status
		}{{honest, verify.OK}, {honest + honest/10000, verify.False}, {honest - honest/10000, verify.False}} {
			p.Iterations = tc.count
			report, err := verify.Check(context.Background(), p)
			if err != nil {
				t.Fatal(err)
			}
			got, found := verify.OK, 0
			for _, f := range report {
				if f.Claim == "iterations reach the target" || f.Claim == "iterations are the fewest" {
					found++
					if f.Status != verify.OK {
						got = verify.False
					}
				}
			}
			if found != 2 {
				t.Fatalf("%s: %d findings about the count, want 2", name, found)
			}
			if got != tc.want {
				t.Errorf("%s: %d rounds where %d are right: %s, want %s", name, tc.count, honest, got, tc.want)
			}
		}
	}
}

// What is not a number is explained in words, not by a 1 that turned out to be a 0.
func TestFalseClaimsAreExplained(t *testing.T) {
	p := familyPlan(t, "ring", 6)
	p.Hash = ""
	report, err := verify.Check(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	got := report.Err()
	if got == nil || !strings.HasPrefix(got.Error(), "hash: the file says nothing, its content gives ") {
		t.Errorf("an empty hash is called %v", got)
	}
}

// Calling a count an estimate does not excuse it where it can be recomputed.
func TestAnEstimateThatCanBeCheckedIs(t *testing.T) {
	for name, p := range plans(t) {
		p.Iterations, p.IterationsKind = p.Iterations+1, design.Estimate
		report, err := verify.Check(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		if got := report.Err(); got == nil || !strings.Contains(got.Error(), "iterations are the fewest") {
			t.Errorf("%s: one round too many, called an estimate: %v", name, got)
		}
	}
}

// A large graph without symmetry has no proved count, whatever its file says.
func TestLargeGraphsProveNoCount(t *testing.T) {
	p := familyPlan(t, "random-regular", 2100)
	p.IterationsKind = design.Proved
	report, err := verify.Check(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if got := report.Err(); got == nil || !strings.Contains(got.Error(), "not all eigenvalues are known") {
		t.Errorf("a count that is called proved: %v", got)
	}
}
