package page

import (
	"fmt"
	"slices"
	"strings"

	"batopo/experiments/internal/verdict"
	"batopo/report"
)

// runs lists best, median and worst of every variant in one group of ablations.
func runs(e *verdict.Evidence, group string) ([]report.Block, error) {
	t := Table("r_asym by "+group, "#n", "variant", "#runs", "#best", "#median", "#worst", "#seconds per run")
	for _, r := range e.Ablations.Rows {
		key, in := strings.CutPrefix(r.Key, group+"/")
		v := r.Value
		if !in || len(v.RAsym) == 0 {
			continue
		}
		_, variant, _ := strings.Cut(key, "/")
		t.Add(fmt.Sprint(v.Nodes), strings.NewReplacer("/", ", ", "rho=", "ρ = ").Replace(variant), fmt.Sprint(len(v.RAsym)),
			fmt.Sprintf("%.4f", v.Best()), fmt.Sprintf("%.4f", v.Median()), fmt.Sprintf("%.4f", slices.Max(v.RAsym)),
			report.Number(v.Seconds/float64(len(v.RAsym))))
	}
	return []report.Block{t}, nil
}

func scalingChart(e *verdict.Evidence, _ string) ([]report.Block, error) {
	chart := report.LineChart{
		Text: report.Text{Title: "Time of one solve over the number of nodes", Subtitle: "Problems of Table I. Paper’s method: " +
			"one start. Our search: all graphs for 8 nodes, the default 15 million evaluations for more."},
		X: report.Axis{Label: "nodes", Log: true, At: []float64{8, 16, 32, 64, 128}},
		Y: report.Axis{Label: "time to solve", Unit: "s", Log: true},
	}
	for _, method := range []struct{ row, name string }{
		{"admm", "paper’s method, closed form"}, {"paper", "paper’s method, as printed"}, {"auto", "our search"},
	} {
		s := report.Series{Name: method.name, Strong: method.row == "auto"}
		for _, r := range e.Ablations.Rows {
			if r.Key == fmt.Sprintf("scaling/n=%d/%s", r.Value.Nodes, method.row) {
				s.X, s.Y = append(s.X, float64(r.Value.Nodes)), append(s.Y, r.Value.Seconds)
			}
		}
		if len(s.X) > 0 {
			chart.Series = append(chart.Series, s)
		}
	}
	return picture("ablation-scaling", "Time to solve the problems of Table I.", chart)
}
