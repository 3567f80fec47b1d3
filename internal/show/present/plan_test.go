package present_test

import (
	"context"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/verify"
)

// Groups of three and two: rounds of two messages and of one, whose sum is the time to the target. Every claim that is
// a number is shown as one, also where it is 1.
func TestRoundsOfUnequalLengthAreBothNamed(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(6, 9.76))
	if err != nil {
		t.Fatal(err)
	}
	for degree, want := range map[int]string{2: "a round takes      5.01 ms to 10.02 ms\n", 1: "a round takes      5.01 ms\n"} {
		family := map[int]string{2: "hyper-hypercube", 1: "base"}[degree]
		s, err := mixing.FindSchedule(family)
		if err != nil {
			t.Fatal(err)
		}
		rounds, err := s.Build(mixing.ScheduleParams{Nodes: 6, Degree: degree})
		if err != nil {
			t.Fatal(err)
		}
		p, err := design.NewSchedulePlan(context.Background(), c, rounds)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := present.WritePlan(&out, p); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v; %q is missing in\n%s", err, want, out.String())
		}
		found, err := verify.Check(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		out.Reset()
		if err := present.WriteFindings(&out, "plan.json", found); err != nil {
			t.Fatal(err)
		}
		if fields := strings.Fields(lineWith(out.String(), "max_degree")); len(fields) != 4 {
			t.Errorf("max_degree is shown as %q", fields)
		}
	}
}

// One node is passed on to its neighbour, then two average: what the first round brings together is left alone by the
// second, so a period has a norm of 1, and yet all agree in the end.
func TestANormOfOneIsExplained(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(3, 9.76))
	if err != nil {
		t.Fatal(err)
	}
	var rounds []*mixing.Matrix
	for _, arcs := range [][]mixing.Arc{{{From: 1, To: 2, Weight: 1}, {From: 2, To: 1, Weight: 1}},
		{{From: 0, To: 1, Weight: 0.5}, {From: 1, To: 0, Weight: 0.5}}} {
		w, err := mixing.FromArcs(3, arcs)
		if err != nil {
			t.Fatal(err)
		}
		rounds = append(rounds, w)
	}
	p, err := design.NewSchedulePlan(t.Context(), c, &mixing.Schedule{Name: "swap", Rounds: rounds})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := present.WritePlan(&out, p); err != nil || !strings.Contains(out.String(), "1.000000 (one period does not") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func lineWith(text, word string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			return line
		}
	}
	return ""
}
