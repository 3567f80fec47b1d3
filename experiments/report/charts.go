package main

import (
	"fmt"

	"github.com/batopo/batopo/report"
)

// A line is one series of a chart: a fact for each number of nodes.
type line struct{ name, fact string }

// picture draws what page.txt names.
func (p page) picture(name string) (report.Block, error) {
	var file, caption string
	var chart report.LineChart
	switch name {
	case "rates":
		file, caption = "table1-rate", "Asymptotic convergence factor over the number of nodes, with half the degree sum "+
			"of the exponential graph as edge budget."
		chart = p.tableOne("r_asym", "r_asym")
		chart.Series = append(chart.Series, p.series(line{"lower bound", "table1/n=%d/auto/bound"}))
	case "times":
		file, caption = "table1-time", "Time to consensus error 10⁻⁴ over the number of nodes."
		chart = p.tableOne("time to error 10⁻⁴", "time_ms")
		chart.Y.Unit = "ms"
	case "solving":
		file, caption, chart = "ablation-scaling", "Time to solve the problems of Table I.", p.solving()
	default:
		file = "figure-" + name
		caption, chart = p.panel(name)
	}
	drawn, err := chart.Draw()
	if err != nil {
		return nil, fmt.Errorf("picture %s: %w", name, err)
	}
	return report.Picture{Figure: drawn, Caption: caption, File: "images/" + file + ".svg"}, nil
}

// tableOne draws one quantity of every topology over n.
func (p page) tableOne(label, quantity string) report.LineChart {
	chart := p.overNodes(label+" over the number of nodes", "n equal nodes, at most n⌈log₂ n⌉/2 edges (exponential: "+
		"directed, U-EquiStatic: more edges). Printed: Table I of the paper.",
		line{"exponential", "Table I/n=%d/exponential/" + quantity},
		line{"U-EquiStatic, printed", "Table I/n=%d/U-EquiStatic/printed " + quantity},
		line{"BA-Topo, printed", "Table I/n=%d/our best/printed " + quantity},
		line{"paper’s method", "Table I/n=%d/paper's method/" + quantity},
		line{"ours", "Table I/n=%d/our best/" + quantity})
	chart.Y.Label = label
	return chart
}

// solving draws how long one solve takes.
func (p page) solving() report.LineChart {
	chart := p.overNodes("Time of one solve over the number of nodes", "Problems of Table I. Paper’s method: one start. "+
		"Our search: all graphs for 8 nodes, the default 15 million evaluations for more.",
		line{"paper’s method, closed form", "ablations/scaling/n=%d/admm/seconds"},
		line{"paper’s method, as printed", "ablations/scaling/n=%d/paper/seconds"},
		line{"our search", "ablations/scaling/n=%d/auto/seconds"})
	chart.X.At = []float64{8, 16, 32, 64, 128}
	chart.Y = report.Axis{Label: "time to solve", Unit: "s", Log: true}
	return chart
}

func (p page) overNodes(title, subtitle string, lines ...line) report.LineChart {
	chart := report.LineChart{Text: report.Text{Title: title, Subtitle: subtitle},
		X: report.Axis{Label: "nodes", Log: true}}
	for _, n := range p.Paper.Table1.Nodes {
		chart.X.At = append(chart.X.At, float64(n))
	}
	for _, l := range lines {
		if s := p.series(l); len(s.X) > 0 {
			chart.Series = append(chart.Series, s)
		}
	}
	return chart
}

// series reads a fact for every size that has it; ours stands out.
func (p page) series(l line) report.Series {
	s := report.Series{Name: l.name, Strong: l.name == "ours" || l.name == "our search"}
	for _, n := range p.Paper.Table1.Nodes {
		var value float64
		if _, err := fmt.Sscan(p.fact("%v", l.fact, n), &value); err == nil {
			s.X, s.Y = append(s.X, float64(n)), append(s.Y, value)
		}
	}
	return s
}
