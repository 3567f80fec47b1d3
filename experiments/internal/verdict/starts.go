package verdict

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/internal/show/report"
)

// ten is how many starts of one ρ Table I shows the median and the best of.
const ten = 10

// addStarts adds how the single runs of the printed method ended that a row is the best of: for every ρ, and of the
// first ten with the ρ whose median is least.
func (f Facts) addStarts(row string, settings json.RawMessage) error {
	var asked struct{ Question measure.Question }
	r, ok := f[row+"starts_r_asym"].([]float64)
	if !ok {
		return nil
	}
	if err := json.Unmarshal(settings, &asked); err != nil || asked.Question.BestOf == nil {
		return fmt.Errorf("%s has starts, but its settings name no grid (%v)", row, err)
	}
	grid := *asked.Question.BestOf
	degree, steps := f[row+"starts_degree"].([]float64), f[row+"starts_steps"].([]float64)
	if n := len(grid.Rho) * grid.Seeds; n == 0 || len(r) != n || len(degree) != n || len(steps) != n {
		return fmt.Errorf("%s has %d starts, and %d seeds for %d values of ρ", row, len(r), grid.Seeds, len(grid.Rho))
	}
	for k, rho := range grid.Rho {
		first, last := k*grid.Seeds, (k+1)*grid.Seeds
		f.addEnds(fmt.Sprintf("%srho=%g/", row, rho), r[first:last], degree[first:last], steps[first:last], grid.Steps)
		last = first + min(ten, grid.Seeds)
		if least, known := f.Number("%sten/median", row); !known || median(r[first:last]) < least {
			f.addEnds(row+"ten/", r[first:last], degree[first:last], steps[first:last], grid.Steps)
			f[row+"ten/rho"] = rho
		}
	}
	return nil
}

// addEnds describes runs of one ρ, which have settled when they ended before the last step that they were allowed.
func (f Facts) addEnds(at string, r, degree, steps []float64, most int) {
	best := slices.Index(r, slices.Min(r))
	f[at+"runs"], f[at+"settled"] = float64(len(r)), 0.0
	for _, s := range steps {
		if s < float64(most) {
			f.count(at + "settled")
		}
	}
	f[at+"best"], f[at+"median"], f[at+"worst"] = r[best], median(r), slices.Max(r)
	f[at+"degree"], f[at+"best degree"], f[at+"steps"] = median(degree), degree[best], median(steps)
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// StartsTable is Table I with both warm starts of the printed method: r_asym, and in brackets the largest degree.
func (e *Evidence) StartsTable() report.Table {
	t := report.Table{Caption: "Table I with both warm starts of the printed method: r_asym (largest degree); median " +
		"and best of ten starts with the ρ of the least median, and how many of them settled"}
	for _, title := range []string{"n", "r", "paper", "free start, median", "best", "settled", "ρ",
		"bounded start, median", "best", "settled", "ρ", "ours"} {
		t.Columns = append(t.Columns, report.Column{Title: title, Numeric: true})
	}
	for k, n := range e.Paper.Table1.Nodes {
		spell := func(format, name string) string {
			if value, ok := e.Facts[fmt.Sprintf(name, n)]; ok {
				return fmt.Sprintf(format, value)
			}
			return "—"
		}
		cells := []string{fmt.Sprint(n), spell("%v", "Table I/n=%d/exponential/edges"),
			fmt.Sprintf("%s (%d)", e.Paper.Table1.RAsym["ba-topo"][k], e.Paper.Table1.Implied("ba-topo", k)[0].MaxDegree)}
		for _, start := range []string{"literal", "bounded"} {
			at := "table1/n=%d/" + start + "/ten/"
			cells = append(cells, spell("%.4f", at+"median")+spell(" (%g)", at+"degree"),
				spell("%.4f", at+"best")+spell(" (%v)", at+"best degree"),
				spell("%v", at+"settled")+spell("/%v", at+"runs"), spell("%g", at+"rho"))
		}
		cells = append(cells, spell("%.4f", "Table I/n=%d/our best/r_asym")+spell(" (%v)", "Table I/n=%d/our best/degree"))
		t.Add(cells...)
	}
	return t
}
