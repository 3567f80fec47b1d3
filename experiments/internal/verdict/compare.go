package verdict

import (
	"fmt"
	"math"

	"batopo/experiments/internal/measure"
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
	// A finder returns the row whose quantity is compared; of ours, the plan that is better in it.
	type finder = func(quantity func(measure.Measurement) float64) (measure.Measurement, error)
	t := e.Paper.Table1
	var all []Comparison
	for k, n := range t.Nodes {
		row := func(topology string) finder {
			return func(func(measure.Measurement) float64) (measure.Measurement, error) { return e.table1(n, topology) }
		}
		solved := func(who Subject) finder {
			return func(value func(measure.Measurement) float64) (measure.Measurement, error) {
				return e.Solved(who, n, value)
			}
		}
		for _, pair := range []struct {
			name, printed string
			ours          finder
		}{
			{"exponential", paper.Exponential, row("exponential")},
			{"U-EquiStatic", paper.EquiStatic, row(e.EquiStaticRow(k))},
			{"BA-Topo, reproduced", paper.BATopo, solved(Method)},
			{"BA-Topo, our best", paper.BATopo, solved(Ours)},
		} {
			for _, quantity := range []struct {
				name    string
				printed map[string][]float64
				half    float64
				value   func(measure.Measurement) float64
			}{{"r_asym", t.RAsym, paper.HalfRAsym, Rate}, {"time (ms)", t.TimeMS, paper.HalfTimeMS, Time}} {
				c := Comparison{Item: fmt.Sprintf("n = %d, %s, %s", n, pair.name, quantity.name), Theirs: quantity.printed[pair.printed][k], Half: quantity.half}
				if m, err := pair.ours(quantity.value); err != nil {
					c.Missing = err.Error()
				} else {
					c.Ours = quantity.value(m)
				}
				all = append(all, c)
			}
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
