package main

import (
	"fmt"
	"slices"
	"strings"

	"batopo/experiments/internal/ledger"
	"batopo/experiments/internal/measure"
	"batopo/experiments/internal/verdict"
	"batopo/report"
)

// ablations shows what each ingredient is worth.
func ablations(e *verdict.Evidence) ([]report.Section, error) {
	if len(e.Ablations.Rows) == 0 {
		return nil, nil
	}
	section := report.Section{Heading: "Ablations: what each ingredient is worth"}
	for _, part := range []struct{ prefix, lead string }{
		{"warm start", "Single runs of the paper’s method from a graph annealed for short paths (half of the first weights on it, half at random), from random weights, from the ring with random chords (all of the first weights), and from the annealed graph alone (all of the first weights: the paper’s warm start as it reads)."},
		{"penalty", "Single runs with the penalty ρ fixed, and growing slowly as by default here. The paper gives no value."},
		{"weights", "Weights of known graphs by the Metropolis rule and the best possible on the same graph; the paper’s method before its weights are improved, with its own weights, and with the best weights on its graphs."},
		{"symmetry", "Search over symmetric graphs (lift), over all graphs by exchanging edges (swap), and both (auto), with equal numbers of evaluations; polishing by the paper’s method, never a part of lift, comes on top."},
	} {
		rows := withPrefix(e.Ablations, part.prefix+"/")
		if len(rows) > 0 {
			section.Blocks = append(section.Blocks, report.Paragraph(part.lead), spread(part.prefix, rows))
		}
	}
	if rows := withPrefix(e.Ablations, "scaling/"); len(rows) > 0 {
		chart, err := picture("ablation-scaling", "Time to solve the problems of Table I.", scalingChart(rows))
		if err != nil {
			return nil, err
		}
		section.Blocks = append(section.Blocks, report.Paragraph("Time of one solve: one start of the paper’s method with the linear step in closed form and as printed (ILU and Bi-CGSTAB), and our search."), spread("scaling", rows), chart)
	}
	return []report.Section{section}, nil
}

func withPrefix(f *ledger.File[measure.Outcomes], prefix string) []ledger.Row[measure.Outcomes] {
	var rows []ledger.Row[measure.Outcomes]
	for _, r := range f.Rows {
		if strings.HasPrefix(r.Key, prefix) {
			rows = append(rows, r)
		}
	}
	return rows
}

// spread lists best, median and worst of every variant.
func spread(what string, rows []ledger.Row[measure.Outcomes]) report.Table {
	t := report.Table{Caption: "r_asym by " + what, Columns: []report.Column{{Title: "n", Numeric: true}, {Title: "variant"}, {Title: "runs", Numeric: true},
		{Title: "best", Numeric: true}, {Title: "median", Numeric: true}, {Title: "worst", Numeric: true}, {Title: "seconds per run", Numeric: true}}}
	for _, r := range rows {
		v := r.Value
		_, variant, _ := strings.Cut(strings.TrimPrefix(r.Key, what+"/"), "/")
		runs := len(v.RAsym)
		if runs == 0 {
			continue
		}
		t.Add(fmt.Sprint(v.Nodes), strings.NewReplacer("/", ", ", "rho=", "ρ = ").Replace(variant), fmt.Sprint(runs), fmt.Sprintf("%.4f", v.Best()), fmt.Sprintf("%.4f", v.Median()),
			fmt.Sprintf("%.4f", slices.Max(v.RAsym)), report.Number(v.Seconds/float64(runs)))
	}
	return t
}

func scalingChart(rows []ledger.Row[measure.Outcomes]) report.LineChart {
	names := map[string]string{"admm": "paper’s method, closed form", "paper": "paper’s method, as printed", "auto": "our search"}
	chart := report.LineChart{
		Text: report.Text{Title: "Time of one solve over the number of nodes", Subtitle: "Problems of Table I. Paper’s method: one start. Our search: all graphs for 8 nodes, the default 15 million evaluations for more."},
		X:    report.Axis{Label: "nodes", Log: true, At: []float64{8, 16, 32, 64, 128}},
		Y:    report.Axis{Label: "time to solve", Unit: "s", Log: true},
	}
	for _, method := range []string{"admm", "paper", "auto"} {
		s := report.Series{Name: names[method], Strong: method == "auto"}
		for _, r := range rows {
			if strings.HasSuffix(r.Key, "/"+method) {
				s.X, s.Y = append(s.X, float64(r.Value.Nodes)), append(s.Y, r.Value.Seconds)
			}
		}
		if len(s.X) > 0 {
			chart.Series = append(chart.Series, s)
		}
	}
	return chart
}
