package verdict

import (
	"fmt"
	"math"
	"strings"

	"batopo/experiments/internal/measure"
	"batopo/experiments/internal/paper"
	"batopo/report"
)

// A Quantity is one half of Table I.
type Quantity struct {
	Name string // as in the result files
	Of   func(measure.Measurement) float64
}

// The two halves.
var (
	Rate = Quantity{"r_asym", func(m measure.Measurement) float64 { return m.RAsym }}
	Time = Quantity{"time_ms", timeMS}
)

// printed returns what Table I prints for a row and column k.
func (q Quantity) printed(t paper.Table1, row string, k int) paper.Decimal {
	if q.Name == Rate.Name {
		return t.RAsym[row][k]
	}
	return t.TimeMS[row][k]
}

// A Column is a topology of Table I: what the paper prints and the rows of ours beside it.
type Column struct {
	Name    string
	Printed string   // row of the paper
	rows    []string // ours, of which the best counts
}

// Columns are the comparisons that Table I allows.
var (
	Exponential = Column{"exponential", paper.Exponential, []string{"exponential"}}
	EquiStatic  = Column{"U-EquiStatic", paper.EquiStatic, nil} // its row depends on the size
	Columns     = []Column{Exponential, EquiStatic, Method.Column(), Ours.Column()}
)

// Column puts a subject beside the paper's BA-Topo.
func (s Subject) Column() Column { return Column{s.Name, paper.BATopo, s.Sizes} }

// A Comparison is one printed number beside the best row of ours.
type Comparison struct {
	Column   Column
	Quantity Quantity
	Theirs   paper.Decimal
	Ours     measure.Measurement
	Missing  string // the row that has not been computed
}

// Verdict says how ours compares, smaller being better.
func (c Comparison) Verdict() string {
	switch ours := c.Quantity.Of(c.Ours); {
	case c.Missing != "":
		return "not run"
	case c.Theirs.Rounds(ours):
		return "same"
	case ours < c.Theirs.Value():
		return "better"
	}
	return "worse"
}

// Compare puts the number of column k of Table I beside ours.
func (e *Evidence) Compare(c Column, quantity Quantity, k int) Comparison {
	rows := c.rows
	if c.Printed == paper.EquiStatic {
		rows = []string{e.EquiStaticRow(k)}
	}
	out := Comparison{Column: c, Quantity: quantity, Theirs: quantity.printed(e.Paper.Table1, c.Printed, k)}
	for i, row := range rows {
		key := fmt.Sprintf("n=%d/%s", e.Paper.Table1.Nodes[k], row)
		m, ok := e.Table1.Find(key)
		if !ok {
			out.Missing = key
		}
		if i == 0 || quantity.Of(m) < quantity.Of(out.Ours) {
			out.Ours = m
		}
	}
	return out
}

// EquiStaticRow names our U-EquiStatic row with the number of shifts that the printed time implies.
func (e *Evidence) EquiStaticRow(k int) string {
	shifts := 0
	if ways := e.Paper.Table1.Implied(paper.EquiStatic, k); len(ways) > 0 {
		shifts = ways[0].MaxDegree / 2
	}
	return fmt.Sprintf("u-equistatic-m%d-best", shifts)
}

// ours compares and remembers what is missing.
func (q *question) ours(c Column, quantity Quantity, k int) measure.Measurement {
	out := q.Compare(c, quantity, k)
	if out.Missing != "" && q.missing == "" {
		q.missing = out.Missing
	}
	return out.Ours
}

// halfDegreeSum: in and out degrees of the exponential graph add up to 4 × what Measurement calls its edges.
func halfDegreeSum(q *question) (report.Result, string) {
	same := true
	shown := "edges"
	for k := range q.Paper.Table1.Nodes {
		mine := q.ours(q.who.Column(), Rate, k).Edges
		same = same && mine == q.ours(Exponential, Rate, k).Edges
		shown += fmt.Sprintf(" %d", mine)
	}
	return holds(same), shown
}

// closeDegreeSum reads the degree of U-EquiStatic from the printed times.
func closeDegreeSum(q *question) (report.Result, string) {
	near := true
	shown := []string{"edges"}
	for k, n := range q.Paper.Table1.Nodes {
		half := q.ours(Exponential, Rate, k).Edges
		ways := q.Paper.Table1.Implied(paper.EquiStatic, k)
		if len(ways) != 1 {
			q.err = fmt.Errorf("verdict: the time of U-EquiStatic at n = %d can be read in %d ways", n, len(ways))
			return report.Open, ""
		}
		edges := n * ways[0].MaxDegree / 2
		near = near && math.Abs(float64(edges-half)) <= q.value("within")*float64(half)
		shown = append(shown, fmt.Sprintf("%d/%d", edges, half))
	}
	return holds(near), strings.Join(shown, " ")
}

// generallySmaller counts the sizes at which a subject is at or below both others; "generally" is more than half.
// Printed numbers are compared with printed ones, ours with the best of our draws.
func generallySmaller(q *question) (report.Result, string) {
	quantity := Rate
	if q.Quantity == Time.Name {
		quantity = Time
	}
	wins, sizes := 0, len(q.Paper.Table1.Nodes)
	for k := range sizes {
		value := func(c Column) float64 {
			if q.who.ID == Printed.ID {
				return quantity.printed(q.Paper.Table1, c.Printed, k).Value()
			}
			return quantity.Of(q.ours(c, quantity, k))
		}
		const rounding = 1e-9
		if value(q.who.Column()) <= min(value(Exponential), value(EquiStatic))+rounding {
			wins++
		}
	}
	return holds(2*wins > sizes), fmt.Sprintf("at %d of %d sizes", wins, sizes)
}
