package verdict

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/experiments/internal/paper"
	"github.com/batopo/batopo/report"
)

// A quantity is one half of Table I.
type quantity func(measure.Measurement) float64

// The two halves, as the result files call them.
var quantities = map[string]quantity{
	"r_asym":  func(m measure.Measurement) float64 { return m.RAsym },
	"time_ms": timeMS,
}

// addSize adds what Table I prints in column k, our best numbers beside it and how they compare.
func (e *Evidence) addSize(all Facts, k int) {
	n := e.Paper.Table1.Nodes[k]
	add := func(name, printed string, rows ...string) {
		at := fmt.Sprintf("Table I/n=%d/%s/", n, name)
		for quantity, value := range quantities {
			theirs := e.Paper.Table1.Printed(quantity)[printed][k]
			ours, ok := e.best(n, rows, value)
			result := judge(theirs, value(ours), ok)
			all[at+"printed "+quantity], all[at+quantity+" verdict"] = string(theirs), result
			all.count("Table I/" + name + "/" + result)
			all.count("Table I/" + name + "/" + quantity + "/" + result)
			if ok {
				all[at+quantity] = value(ours)
			}
		}
		if m, ok := e.best(n, rows, quantities["r_asym"]); ok {
			all[at+"edges"] = float64(m.Edges)
		}
		if m, ok := e.best(n, rows, timeMS); ok {
			all[at+"simulated_ms"] = m.SimulatedMS
			all[at+"steps"] = paper.Factor{Iterations: m.Iterations, MaxDegree: m.MaxDegree}.String()
			all[at+"times as fast"] = e.Paper.Table1.TimeMS[printed][k].Value() / m.TimeMS
		}
		if ways := e.Paper.Table1.Implied(printed, k); len(ways) == 1 {
			all[at+"implied steps"], all[at+"implied edges"] = ways[0].String(), float64(n*ways[0].MaxDegree/2)
		}
	}
	add("exponential", paper.Exponential, "exponential")
	add("U-EquiStatic", paper.EquiStatic, e.EquiStaticRow(k))
	for _, who := range []Subject{Method, Ours} {
		add(who.Name, paper.BATopo, who.Sizes...)
	}
	bound, known := all.Number("table1/n=%d/auto/bound", n)
	if rate, ok := all.Number("Table I/n=%d/%s/r_asym", n, Ours.Name); ok && known {
		all[fmt.Sprintf("Table I/n=%d/%s/gap", n, Ours.Name)] = 100 * (rate/bound - 1)
	}
}

// best returns the row with the least value.
func (e *Evidence) best(n int, rows []string, value quantity) (least measure.Measurement, ok bool) {
	for k, row := range rows {
		m, found := e.Table1.Find(fmt.Sprintf("n=%d/%s", n, row))
		if !found {
			return least, false
		}
		if k == 0 || value(m) < value(least) {
			least = m
		}
	}
	return least, true
}

// judge says how ours compares with a printed number, smaller being better.
func judge(theirs paper.Decimal, ours float64, run bool) string {
	switch {
	case !run:
		return "not run"
	case theirs.Rounds(ours):
		return "same"
	case ours < theirs.Value():
		return "better"
	}
	return "worse"
}

// EquiStaticRow names our U-EquiStatic row with the number of shifts that the printed time implies.
func (e *Evidence) EquiStaticRow(k int) string {
	shifts := 0
	if ways := e.Paper.Table1.Implied(paper.EquiStatic, k); len(ways) > 0 {
		shifts = ways[0].MaxDegree / 2
	}
	return fmt.Sprintf("u-equistatic-m%d-best", shifts)
}

// halfDegreeSum: in and out degrees of the exponential graph add up to 4 × what Measurement calls its edges.
func halfDegreeSum(q *question) (report.Result, string) {
	same, shown := true, "edges"
	for _, n := range q.Paper.Table1.Nodes {
		mine := q.number("Table I/n=%d/%s/edges", n, q.who.Name)
		same = same && mine == q.number("Table I/n=%d/exponential/edges", n)
		shown += fmt.Sprintf(" %v", mine)
	}
	return holds(same), shown
}

// closeDegreeSum reads the degree of U-EquiStatic from the printed times.
func closeDegreeSum(q *question) (report.Result, string) {
	near, shown := true, "edges"
	for _, n := range q.Paper.Table1.Nodes {
		half := q.number("Table I/n=%d/exponential/edges", n)
		edges := q.number("Table I/n=%d/U-EquiStatic/implied edges", n)
		near = near && math.Abs(edges-half) <= q.value("within")*half
		shown += fmt.Sprintf(" %v/%v", edges, half)
	}
	return holds(near), shown
}

// generallySmaller counts the sizes at which a subject is at or below both others; "generally" is more than half.
// Printed numbers are compared with printed ones, ours with the best of our draws.
func generallySmaller(q *question) (report.Result, string) {
	const rounding = 1e-9
	wins, sizes := 0, q.Paper.Table1.Nodes
	for k, n := range sizes {
		value := func(column, printed string) float64 {
			if q.who.ID == Printed.ID {
				return q.Paper.Table1.Printed(q.Quantity)[printed][k].Value()
			}
			return q.number("Table I/n=%d/%s/%s", n, column, q.Quantity)
		}
		others := min(value("exponential", paper.Exponential), value("U-EquiStatic", paper.EquiStatic))
		if value(q.who.Name, paper.BATopo) <= others+rounding {
			wins++
		}
	}
	return holds(2*wins > len(sizes)), fmt.Sprintf("at %d of %d sizes", wins, len(sizes))
}
