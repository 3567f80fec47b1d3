package present

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/show/report"
)

// A Trace is the steps of Algorithm 2, run after run.
type Trace []design.Step

// WriteCSV writes the steps as comma-separated values, a line each.
func (steps Trace) WriteCSV(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "run,step,rho,gap,dual,lambda,r_asym")
	for _, s := range steps {
		fmt.Fprintf(out, "%d,%d,%g,%g,%g,%g,%g\n", s.Run, s.Number, s.Rho, s.Gap, s.Dual, s.Lambda, s.RAsym)
	}
	return out.Flush()
}

// Draw draws the run whose last graph is best: both residuals, and r_asym of the graph at every step.
func (steps Trace) Draw() (*report.Figure, error) {
	if len(steps) == 0 {
		return nil, errors.New("there is no step to draw; the search ended before the first one")
	}
	best := steps[len(steps)-1]
	for k, s := range steps[:len(steps)-1] {
		if ended := steps[k+1].Run != s.Run; ended && s.RAsym < best.RAsym {
			best = s
		}
	}
	gap, dual, rounded := report.Series{Name: "‖X − Y‖²"}, report.Series{Name: "dual residual"},
		report.Series{Name: "r_asym of the graph", Note: fmt.Sprintf("%.4f", best.RAsym), Strong: true}
	var firstRho float64
	for _, s := range steps {
		if s.Run != best.Run {
			continue
		}
		firstRho = cmp.Or(firstRho, s.Rho)
		x := float64(s.Number)
		gap.X, gap.Y = append(gap.X, x), append(gap.Y, s.Gap)
		dual.X, dual.Y = append(dual.X, x), append(dual.Y, s.Dual)
		rounded.X, rounded.Y = append(rounded.X, x), append(rounded.Y, s.RAsym)
	}
	return report.LineChart{
		Text: report.Text{Title: "Algorithm 2, step by step", Subtitle: fmt.Sprintf("run %d, ρ from %.3g to %.3g",
			best.Run, firstRho, best.Rho)},
		X: report.Axis{Label: "steps", Whole: true}, Y: report.Axis{Label: "value", Log: true},
		Series: []report.Series{rounded, gap, dual},
	}.Draw()
}
