package verdict

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/experiments/internal/paper"
)

// A column of Table I is what the paper prints of a topology and our rows for it; the best row counts.
type column struct {
	name, printed string
	rows          []string
}

// addSize adds what Table I prints for its k-th number of nodes, our best numbers beside it and how they compare.
func (e *Evidence) addSize(k int) {
	all := e.Facts
	n := e.Paper.Table1.Nodes[k]
	// Every printed time has one reading; the one of U-EquiStatic says how many shifts were drawn.
	shifts := e.Paper.Table1.Implied(paper.EquiStatic, k)[0].MaxDegree / 2
	for _, c := range []column{
		{"exponential", paper.Exponential, []string{"exponential"}},
		{"U-EquiStatic", paper.EquiStatic, []string{fmt.Sprintf("u-equistatic-m%d-best", shifts)}},
		{Literal.Name, paper.BATopo, Literal.Sizes},
		{Bounded.Name, paper.BATopo, Bounded.Sizes},
		{Method.Name, paper.BATopo, Method.Sizes},
		{Ours.Name, paper.BATopo, Ours.Sizes},
	} {
		at := fmt.Sprintf("Table I/n=%d/%s/", n, c.name)
		for _, quantity := range []string{"r_asym", "time_ms"} {
			e.addCell(at, quantity, c, k)
		}
		way := e.Paper.Table1.Implied(c.printed, k)[0]
		all[at+"implied steps"], all[at+"implied edges"] = way.String(), float64(n*way.MaxDegree/2)
	}
	all[fmt.Sprintf("Table I/n=%d/U-EquiStatic/shifts", n)] = shifts
	if edges, ok := all.Number("Table I/n=%d/exponential/edges", n); ok {
		all[fmt.Sprintf("Table I/n=%d/even degree", n)] = 2 * edges / float64(n)
	}
	bound, known := all.Number("table1/n=%d/auto/bound", n)
	if rate, ok := all.Number("Table I/n=%d/%s/r_asym", n, Ours.Name); ok && known {
		all[fmt.Sprintf("Table I/n=%d/%s/gap", n, Ours.Name)] = 100 * (rate/bound - 1)
	}
}

// addCell adds one quantity of a column and what else is asked of the row that has it.
func (e *Evidence) addCell(at, quantity string, c column, k int) {
	all, best, ours, run := e.Facts, "", math.Inf(1), true
	for _, row := range c.rows {
		row = fmt.Sprintf("table1/n=%d/%s/", e.Paper.Table1.Nodes[k], row)
		value, found := all.Number("%s", row+quantity)
		run = run && found
		if best == "" || value < ours {
			best, ours = row, value
		}
	}
	theirs := e.Paper.Table1.Printed(quantity)[c.printed][k]
	result := judge(theirs, ours, run)
	all[at+"printed "+quantity], all[at+quantity+" verdict"] = theirs, result
	all.count("Table I/" + c.name + "/" + result)
	all.count("Table I/" + c.name + "/" + quantity + "/" + result)
	switch {
	case run && quantity == "r_asym":
		all[at+quantity], all[at+"edges"], all[at+"degree"] = ours, all[best+"edges"], all[best+"max_degree"]
	case run:
		all[at+quantity], all[at+"simulated_ms"] = ours, all[best+"simulated_ms"]
		all[at+"steps"] = fmt.Sprintf("%v × %v", all[best+"iterations"], all[best+"max_degree"])
		all[at+"times as fast"] = theirs.Value() / ours
	}
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

// generallySmaller counts the sizes at which a subject is at or below both others; "generally" is more than half.
// Printed numbers are compared with printed ones, ours with the best of our draws.
func generallySmaller(q *question) (Result, string) {
	const rounding = 1e-9
	wins, sizes := 0, q.Table1.Nodes
	mine, quantity := q.who.Name, q.Quantity
	if q.who.ID == Printed.ID {
		mine, quantity = Ours.Name, "printed "+quantity
	}
	for _, n := range sizes {
		value := func(column string) float64 { return q.number("Table I/n=%d/%s/%s", n, column, quantity) }
		if value(mine) <= min(value("exponential"), value("U-EquiStatic"))+rounding {
			wins++
		}
	}
	return holds(2*wins > len(sizes)), fmt.Sprintf("at %d of %d sizes", wins, len(sizes))
}
