package verdict

import (
	"fmt"
	"math"

	"batopo/experiments/internal/paper"
)

// A Comparison is one printed number beside ours.
type Comparison struct {
	Item         string
	Theirs, Ours float64
	Half         float64 // half of the last printed digit
	Missing      string  // why there is no number of ours
}

// Difference returns ours − theirs.
func (c Comparison) Difference() float64 { return c.Ours - c.Theirs }

// Verdict says how ours compares, smaller being better.
func (c Comparison) Verdict() string {
	const rounding = 1e-9
	switch d := c.Difference(); {
	case c.Missing != "":
		return "not run"
	case math.Abs(d) <= c.Half+rounding:
		return "same"
	case d < 0:
		return "better"
	}
	return "worse"
}

// Comparisons puts Table I beside our rows: the known topologies, the paper's method as
// reproduced, and our best.
func (e *Evidence) Comparisons() []Comparison {
	t := e.Paper.Table1
	var all []Comparison
	for k, n := range t.Nodes {
		for _, pair := range []struct{ name, row, rate, time string }{
			{"exponential", paper.Exponential, "exponential", "exponential"},
			{"U-EquiStatic", paper.EquiStatic, e.EquiStaticRow(k), e.EquiStaticRow(k)},
			{"BA-Topo, reproduced", paper.BATopo, "admm", "admm"},
			{"BA-Topo, our best", paper.BATopo, rates, times},
		} {
			rate := Comparison{Item: fmt.Sprintf("n = %d, %s, r_asym", n, pair.name), Theirs: t.RAsym[pair.row][k], Half: paper.HalfRAsym}
			if m, err := e.table1(n, pair.rate); err != nil {
				rate.Missing = err.Error()
			} else {
				rate.Ours = m.RAsym
			}
			clock := Comparison{Item: fmt.Sprintf("n = %d, %s, time (ms)", n, pair.name), Theirs: t.TimeMS[pair.row][k], Half: paper.HalfTimeMS}
			if m, err := e.table1(n, pair.time); err != nil {
				clock.Missing = err.Error()
			} else {
				clock.Ours = time(m)
			}
			all = append(all, rate, clock)
		}
	}
	return all
}

// A Quotient is a speedup that the text claims beside the one its own table gives.
type Quotient struct {
	paper.Speedup
	Value float64
}

// Quotients divides the paper's own times.
func (e *Evidence) Quotients() []Quotient {
	t := e.Paper.Table2
	var all []Quotient
	for _, s := range t.Speedups {
		all = append(all, Quotient{s, t.FastestOther(s.Dataset, s.Scenario) / t.Seconds[s.Dataset][s.Scenario][s.Topology].Value()})
	}
	return all
}
