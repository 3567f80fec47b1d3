package verdict

import (
	"fmt"
	"math"
	"strings"

	"batopo/experiments/internal/measure"
	"batopo/experiments/internal/paper"
)

// Rate and Time are the two quantities of Table I.
func Rate(m measure.Measurement) float64 { return m.RAsym }

// Time is the computed time to the target in ms, +Inf for never.
func Time(m measure.Measurement) float64 {
	if m.Iterations == 0 {
		return math.Inf(1)
	}
	return m.TimeMS
}

// Solved returns what a subject reaches for n equal nodes: the paper's method, or the better of our two searches,
// with at most r edges and with at most r edges evenly spread.
func (e *Evidence) Solved(who Subject, n int, value func(measure.Measurement) float64) (measure.Measurement, error) {
	if who == Method {
		return e.table1(n, "admm")
	}
	free, err := e.table1(n, "auto")
	if err != nil {
		return free, err
	}
	even, err := e.table1(n, "auto-even")
	if err != nil || value(free) <= value(even) {
		return free, err
	}
	return even, nil
}

// halfDegreeSum: in and out degrees of the exponential graph add up to 4 × what Measurement calls its edges.
func halfDegreeSum(e *Evidence, who Subject) (answer, error) {
	a := answer{holds: true}
	var shown []string
	for _, n := range e.Paper.Table1.Nodes {
		exponential, err := e.table1(n, "exponential")
		if err != nil {
			return a, err
		}
		mine, err := e.Solved(who, n, Rate)
		if err != nil {
			return a, err
		}
		a.holds = a.holds && mine.Edges == exponential.Edges
		shown = append(shown, fmt.Sprint(mine.Edges))
	}
	a.shown = "edges " + strings.Join(shown, " ")
	return a, nil
}

// equiStaticClose reads the degree of U-EquiStatic from the printed times; "close" is within a tenth, at every size.
func equiStaticClose(e *Evidence, _ Subject) (answer, error) {
	t := e.Paper.Table1
	a := answer{holds: true}
	var shown []string
	for k, n := range t.Nodes {
		exponential, err := e.table1(n, "exponential")
		if err != nil {
			return a, err
		}
		ways := t.Implied(paper.EquiStatic, k)
		if len(ways) != 1 {
			return a, fmt.Errorf("verdict: the time of U-EquiStatic at n = %d can be read in %d ways", n, len(ways))
		}
		edges := n * ways[0].MaxDegree / 2
		a.holds = a.holds && 10*abs(edges-exponential.Edges) <= exponential.Edges
		shown = append(shown, fmt.Sprintf("%d/%d", edges, exponential.Edges))
	}
	a.shown = "edges " + strings.Join(shown, " ")
	a.note = "iterations × degree, read from the printed times and r_asym, over half the degree sum of the exponential graph; close: within a tenth at every size"
	return a, nil
}

func abs(k int) int { return max(k, -k) }

func factorSmaller(e *Evidence, who Subject) (answer, error) {
	return e.generallySmaller(who, e.Paper.Table1.RAsym, Rate)
}

func timeSmaller(e *Evidence, who Subject) (answer, error) {
	return e.generallySmaller(who, e.Paper.Table1.TimeMS, Time)
}

// generallySmaller counts the sizes at which a subject is at or below both opponents; "generally"
// is more than half. Printed numbers meet printed ones, ours the best of our draws.
func (e *Evidence) generallySmaller(who Subject, printed map[string][]float64, value func(measure.Measurement) float64) (answer, error) {
	sizes := e.Paper.Table1.Nodes
	wins := 0
	for k, n := range sizes {
		three := []float64{printed[paper.BATopo][k], printed[paper.Exponential][k], printed[paper.EquiStatic][k]}
		if who != Printed {
			mine, err := e.Solved(who, n, value)
			if err != nil {
				return answer{}, err
			}
			three[0] = value(mine)
			for i, topology := range []string{"exponential", e.EquiStaticRow(k)} {
				m, err := e.table1(n, topology)
				if err != nil {
					return answer{}, err
				}
				three[1+i] = value(m)
			}
		}
		const rounding = 1e-9
		if three[0] <= min(three[1], three[2])+rounding {
			wins++
		}
	}
	return answer{holds: 2*wins > len(sizes), shown: fmt.Sprintf("at %d of %d sizes", wins, len(sizes)),
		note: "at or below both others; U-EquiStatic with the degree that its printed time implies, which means more edges at most sizes"}, nil
}

// EquiStaticRow names our U-EquiStatic row with the number of shifts that the printed time implies.
func (e *Evidence) EquiStaticRow(k int) string {
	shifts := 0
	if ways := e.Paper.Table1.Implied(paper.EquiStatic, k); len(ways) > 0 {
		shifts = ways[0].MaxDegree / 2
	}
	return fmt.Sprintf("u-equistatic-m%d-best", shifts)
}
