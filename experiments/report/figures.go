package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"batopo/experiments/internal/measure"
	"batopo/experiments/internal/verdict"
	"batopo/report"
)

// A panel is one consensus figure of the paper.
type panel struct {
	scenario, title, hardware string
	unit                      float64 // GB/s that the label b counts in; 0: label the largest degree d
}

var panels = []panel{
	{"homogeneous", "Homogeneous bandwidth, 16 nodes", "9.76 GB/s per node", 0},
	{"node-level", "Node-level heterogeneity, 16 nodes, 3 : 1", "8 nodes of 9.76 GB/s, 8 of 3.25 GB/s; b in units of 3.25 GB/s", 3.25},
	{"intra-server", "Intra-server heterogeneity, 8 GPUs, 1 : 1 : 2", "PIX and NODE 4.88 GB/s, SYS 9.76 GB/s, an edge loads the highest link it crosses; b in units of 4.88 GB/s", 4.88},
	{"bcube-1to2", "Inter-server heterogeneity, BCube(4,2), 1 : 2", "layer 0 ports 4.88 GB/s, layer 1 ports 9.76 GB/s; edges between servers without a common switch are relayed; b in units of 4.88 GB/s", 4.88},
	{"bcube-2to3", "Inter-server heterogeneity, BCube(4,2), 2 : 3", "layer 0 ports 6.51 GB/s, layer 1 ports 9.76 GB/s; b in units of 3.25 GB/s", 9.76 / 3},
}

// A curve is one topology of a panel.
type curve struct {
	key, name string
	measure.Measurement
}

// figures shows the consensus error over time on every kind of hardware.
func figures(e *verdict.Evidence) ([]report.Section, error) {
	var out []report.Section
	for _, p := range panels {
		known, method, ours := p.curves(e)
		if len(known) == 0 {
			continue
		}
		section := report.Section{Heading: p.title}
		if p.unit == 0 {
			section.Blocks = append(section.Blocks, report.Paragraph("The paper’s method limits the number of edges r only. Ours is besides given at most ⌈2r/n⌉ edges at a node, since a round is as slow as its busiest node; r_asym alone may be smaller without."))
		}
		section.Blocks = append(section.Blocks, p.table(slices.Concat(known, method, ours), others(e, p.scenario)))
		for _, view := range []struct {
			file, title string
			curves      []curve
		}{
			{"known", "the known topologies and the paper’s method", slices.Concat(known, method)},
			{"ours", "the paper’s method and ours", merge(method, ours)},
		} {
			if len(view.curves) == 0 {
				continue
			}
			picture, err := picture("figure-"+p.scenario+"-"+view.file, p.title+": consensus error over time, "+view.title+".", p.chart(view.title, view.curves))
			if err != nil {
				return nil, err
			}
			section.Blocks = append(section.Blocks, picture)
		}
		out = append(out, section)
	}
	return out, nil
}

// curves sorts the rows of a scenario into known topologies, the paper's method and ours.
func (p panel) curves(e *verdict.Evidence) (known, method, ours []curve) {
	names := map[string]string{"ring": "ring", "grid": "2D grid", "torus": "2D torus", "torus-doubled": "2D torus, doubled", "exponential": "exponential", "u-equistatic-m2": "U-EquiStatic", "u-equistatic-m3": "U-EquiStatic"}
	for _, row := range e.Figures.Rows {
		scenario, topology, _ := strings.Cut(row.Key, "/")
		if scenario != p.scenario || len(row.Value.Errors) == 0 {
			continue
		}
		c := curve{key: topology, Measurement: row.Value}
		kind, budget, _ := strings.Cut(topology, "-r")
		switch kind {
		case "paper":
			c.name = "paper’s method " + p.label(budget, row.Value)
			method = append(method, c)
		case "auto":
			c.name = "ours " + p.label(budget, row.Value)
			ours = append(ours, c)
		case "plan":
			c.name = "ours, any budget " + p.label(fmt.Sprint(row.Value.Edges), row.Value)
			ours = append(ours, c)
		default:
			c.name = names[topology] + " " + p.label(fmt.Sprint(row.Value.Edges), row.Value)
			known = append(known, c)
		}
	}
	return known, method, ours
}

// label is the paper's: budget of edges and largest degree, or budget and bandwidth of the slowest edge.
func (p panel) label(budget string, m measure.Measurement) string {
	if p.unit == 0 {
		return fmt.Sprintf("(r=%s, d=%d)", budget, m.MaxDegree)
	}
	return fmt.Sprintf("(r=%s, b=%s)", budget, fraction(m.MinEdgeGBs/p.unit))
}

// fraction spells b as people say it.
func fraction(b float64) string {
	for q := 1; q <= 24; q++ {
		if whole := math.Round(b * float64(q)); whole > 0 && math.Abs(b-whole/float64(q)) < 0.002*b {
			if q == 1 {
				return fmt.Sprintf("%.0f", whole)
			}
			return fmt.Sprintf("%.0f/%d", whole, q)
		}
	}
	return fmt.Sprintf("%.3f", b)
}

// merge names a curve once where both methods found the same, or where the choice of any budget is one of ours.
func merge(method, ours []curve) []curve {
	all := slices.Clone(method)
	for _, c := range ours {
		twin := slices.IndexFunc(all, func(m curve) bool {
			sameQuestion := c.key == "plan" || strings.TrimPrefix(m.key, "paper") == strings.TrimPrefix(c.key, "auto")
			return sameQuestion && math.Abs(m.RoundMS-c.RoundMS) < 1e-9 && math.Abs(m.RAsym-c.RAsym) < 1e-4
		})
		switch {
		case twin < 0:
			all = append(all, c)
		case c.key == "plan":
			all[twin].name = strings.Replace(all[twin].name, " (", ", best budget (", 1)
		default:
			all[twin].name = strings.Replace(all[twin].name, "paper’s method", "both", 1)
		}
	}
	return all
}

func (p panel) chart(what string, curves []curve) report.LineChart {
	c := report.LineChart{
		Text:   report.Text{Title: p.title, Subtitle: "Consensus error over time, " + what + ". " + strings.ToUpper(p.hardware[:1]) + p.hardware[1:] + ". 1000 Gaussian starts; legend: time to error 10⁻⁴."},
		X:      report.Axis{Label: "time", Unit: "ms"},
		Y:      report.Axis{Label: "consensus error, root mean square", Log: true},
		Levels: []report.Level{{Name: "target 10⁻⁴", Value: 1e-4}},
	}
	// The slow ones leave the picture, so that the fast ones can be told apart.
	var ends []float64
	for _, k := range curves {
		ends = append(ends, k.SimulatedMS)
	}
	slices.Sort(ends)
	c.X.Max = min(1.25*ends[len(ends)-1], 2*ends[len(ends)/2])
	for _, k := range curves {
		s := report.Series{Name: k.name, Note: report.Duration(k.SimulatedMS), Strong: !strings.HasPrefix(k.key, "paper-") && strings.HasPrefix(k.name, "ours")}
		for round, v := range k.Errors {
			s.X, s.Y = append(s.X, float64(round)*k.RoundMS), append(s.Y, v)
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// others are what the paper leaves out: rows without a curve.
func others(e *verdict.Evidence, scenario string) []curve {
	var out []curve
	for _, row := range e.Figures.Rows {
		if s, name, _ := strings.Cut(row.Key, "/"); s == scenario && len(row.Value.Errors) == 0 {
			out = append(out, curve{key: name, name: name, Measurement: row.Value})
		}
	}
	return out
}

func (p panel) table(curves, extra []curve) report.Table {
	t := report.Table{Caption: "By time to error 10⁻⁴; the last two rows are exact and not in the paper. Edges of weight 0 are not used", Columns: []report.Column{{Title: "topology"}, {Title: "edges used", Numeric: true}, {Title: "r_asym", Numeric: true}, {Title: "slowest edge, GB/s", Numeric: true},
		{Title: "a round, ms", Numeric: true}, {Title: "rounds", Numeric: true}, {Title: "time, ms", Numeric: true}, {Title: "simulated, ms", Numeric: true}}}
	slices.SortStableFunc(curves, func(a, b curve) int { return cmp.Compare(a.TimeMS, b.TimeMS) })
	for _, c := range curves {
		cells := []string{c.name, fmt.Sprint(c.Edges), fmt.Sprintf("%.4f", c.RAsym), report.Number(c.MinEdgeGBs), fmt.Sprintf("%.2f", c.RoundMS), fmt.Sprint(c.Iterations), fmt.Sprintf("%.1f", c.TimeMS), fmt.Sprintf("%.1f", c.SimulatedMS)}
		if strings.HasPrefix(c.name, "ours") {
			t.AddStrong(cells...)
		} else {
			t.Add(cells...)
		}
	}
	for _, c := range extra {
		round := fmt.Sprintf("%.2f", c.RoundMS)
		if c.TimeMS < 0.999*float64(c.Iterations)*c.RoundMS {
			round = "≤ " + round // rounds of a schedule differ
		}
		t.Add(c.name, "—", "—", report.Number(c.MinEdgeGBs), round, fmt.Sprint(c.Iterations), fmt.Sprintf("%.1f", c.TimeMS), "—")
	}
	return t
}
