package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"text/template"

	"github.com/batopo/batopo/experiments/internal/paper"
	"github.com/batopo/batopo/internal/show/report"
)

// functions are what page.txt can call.
func (p page) functions() template.FuncMap {
	return template.FuncMap{
		"fact":          p.fact,
		"number":        p.number,
		"sentences":     p.sentences,
		"shifts":        p.shifts,
		"curves":        p.byTime,
		"readings":      func() []string { return []string{"Table II", "Table II, second reading"} },
		"datasets":      func() []string { return paper.Datasets },
		"name":          printedName,
		"runs":          p.runs,
		"variant":       variant,
		"split":         strings.Split,
		"printedSolver": p.printedSolver,
		"starts":        p.starts,
	}
}

// fact spells a fact by its name, whose verbs take the arguments.
func (p page) fact(format, name string, arguments ...any) string {
	value, ok := p.Facts[fmt.Sprintf(name, arguments...)]
	if !ok {
		return "—"
	}
	return fmt.Sprintf(format, value)
}

// number spells a number with as many digits as people need.
func (p page) number(name string, arguments ...any) string {
	value, ok := p.Facts.Number(name, arguments...)
	if !ok {
		return "—"
	}
	return report.Number(value)
}

// shifts are the numbers of shifts for which U-EquiStatic was drawn.
func (p page) shifts(n int) (list []int) {
	for m := 1; m < n; m++ {
		if _, ok := p.Facts.Number("table1/n=%d/u-equistatic-m%d-best/r_asym", n, m); ok {
			list = append(list, m)
		}
	}
	return list
}

// A startRow is the single runs of the printed method with one ρ.
type startRow struct {
	Nodes      int
	Start, Rho string
	At         string // what the names of its facts begin with
}

// starts lists them, by size, warm start and ρ.
func (p page) starts() (list []startRow) {
	for _, n := range p.Paper.Table1.Nodes {
		for row, start := range map[string]string{"literal": "free", "bounded": "bounded"} {
			at := fmt.Sprintf("table1/n=%d/%s/rho=", n, row)
			for name := range p.Facts {
				if rho, ok := strings.CutSuffix(strings.TrimPrefix(name, at), "/runs"); ok && strings.HasPrefix(name, at) {
					list = append(list, startRow{n, start, rho, at + rho + "/"})
				}
			}
		}
	}
	rho := func(r startRow) float64 { return paper.Decimal(r.Rho).Value() }
	slices.SortFunc(list, func(a, b startRow) int {
		return cmp.Or(a.Nodes-b.Nodes, -cmp.Compare(a.Start, b.Start), cmp.Compare(rho(a), rho(b)))
	})
	return list
}

// printedSolver says how far the rows with the printed linear solver are from those in closed form.
func (p page) printedSolver() string {
	largest, apart := 0, 0.0
	for _, n := range p.Paper.Table1.Nodes {
		printed, ok := p.Facts.Number("table1/n=%d/paper/r_asym", n)
		if closed, both := p.Facts.Number("table1/n=%d/admm/r_asym", n); ok && both {
			largest, apart = n, max(apart, math.Abs(printed-closed))
		}
	}
	return fmt.Sprintf("with the printed solver, up to %d nodes, r_asym differs by %s at most",
		largest, report.Number(apart))
}

func printedName(topology string) string {
	return strings.NewReplacer("paper-r", "BA-Topo, r=", "u-equistatic-m2", "U-EquiStatic, r=32",
		"u-equistatic-m3", "U-EquiStatic, r=48").Replace(topology)
}

// runs are the ablations of one group.
func (p page) runs(group string) []string {
	return slices.DeleteFunc(slices.Clone(p.Keys["ablations"]), func(key string) bool {
		return !strings.HasPrefix(key, group+"/")
	})
}

// variant is what follows group and size in the key of an ablation.
func variant(key string) string {
	return strings.NewReplacer("/", ", ", "rho=", "ρ = ").Replace(strings.SplitN(key, "/", 3)[2])
}
