package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/internal/show/report"
)

// units are the GB/s that the label b counts in; where all edges are equal, the label is the largest degree d.
var units = map[string]float64{"node-level": 3.25, "intra-server": 4.88, "bcube-1to2": 4.88, "bcube-2to3": 9.76 / 3,
	"bcube-1to2-highest": 4.88, "bcube-2to3-highest": 9.76 / 3}

// A curve is one row of a figure: a known topology, the paper's method, ours, or what the paper leaves out.
type curve struct {
	kind, budget string // of rows made for a budget: paper or auto; plan chose its own
	Key, Name    string
	measure.Measurement
}

// Ours reports whether our search found it.
func (c curve) Ours() bool { return c.kind == "auto" || c.kind == "plan" }

// Round spells the time of a round; those of a schedule differ.
func (c curve) Round() string {
	if c.TimeMS < 0.999*float64(c.Iterations)*c.RoundMS {
		return fmt.Sprintf("≤ %.2f", c.RoundMS)
	}
	return fmt.Sprintf("%.2f", c.RoundMS)
}

// views draws a consensus figure of the paper twice: the known topologies and the paper's method, and that method
// and ours.
func (p page) views(scenario, title, hardware string) ([]report.Block, error) {
	known := slices.DeleteFunc(p.curves(scenario), func(c curve) bool { return c.Ours() || len(c.Errors) == 0 })
	if len(known) == 0 {
		return nil, nil // not computed yet
	}
	first, err := view(scenario+"-known", title, "the known topologies and the paper’s method", hardware, known)
	if err != nil {
		return nil, err
	}
	second, err := view(scenario+"-ours", title, "the paper’s method and ours", hardware, merge(p.curves(scenario)))
	return append(first, second...), err
}

func view(name, title, what, hardware string, curves []curve) ([]report.Block, error) {
	c := report.LineChart{
		Text: report.Text{Title: title, Subtitle: "Consensus error over time, " + what + ". " + hardware +
			". 1000 Gaussian starts; legend: time to error 10⁻⁴."},
		X:      report.Axis{Label: "time", Unit: "ms"},
		Y:      report.Axis{Label: "consensus error, root mean square", Log: true},
		Levels: []report.Level{{Name: "target 10⁻⁴", Value: 1e-4}},
	}
	for _, k := range curves {
		s := report.Series{Name: k.Name, Note: report.Duration(k.SimulatedMS), Strong: k.Ours()}
		for round, v := range k.Errors {
			s.X, s.Y = append(s.X, float64(round)*k.RoundMS), append(s.Y, v)
		}
		c.Series = append(c.Series, s)
	}
	return picture("figure-"+name, title+": consensus error over time, "+what+".", c)
}

// curves returns the rows of a scenario: known topologies, the paper's method, ours, and last what the paper leaves
// out, which has no simulated curve.
func (p page) curves(scenario string) (all []curve) {
	names := strings.NewReplacer("grid", "2D grid", "torus-doubled", "2D torus, doubled", "torus", "2D torus",
		"u-equistatic-m2", "U-EquiStatic", "u-equistatic-m3", "U-EquiStatic", "paper", "paper’s method", "auto", "ours",
		"literal", "printed method", "bounded", "bounded start",
		"plan", "ours, any budget")
	for _, row := range p.figures {
		topology, in := strings.CutPrefix(row.Key, scenario+"/")
		if !in {
			continue
		}
		c := curve{Key: row.Key, Name: topology, Measurement: row.Value}
		if len(c.Errors) > 0 {
			c.kind, c.budget, _ = strings.Cut(topology, "-r")
			c.Name = names.Replace(c.kind) + " " + label(c, units[scenario])
		}
		all = append(all, c)
	}
	order := map[string]int{"literal": 1, "bounded": 1, "paper": 1, "auto": 2, "plan": 2, "": 3}
	slices.SortStableFunc(all, func(a, b curve) int { return order[a.kind] - order[b.kind] })
	return all
}

// byTime returns the curves of a scenario, the fastest first and what the paper leaves out last.
func (p page) byTime(scenario string) []curve {
	all := p.curves(scenario)
	time := func(c curve) float64 {
		if c.kind == "" {
			return math.Inf(1)
		}
		return c.TimeMS
	}
	slices.SortStableFunc(all, func(a, b curve) int { return cmp.Compare(time(a), time(b)) })
	return all
}

// label is the paper's: budget of edges and largest degree, or budget and bandwidth of the slowest edge.
func label(c curve, unit float64) string {
	budget := cmp.Or(c.budget, fmt.Sprint(c.Edges))
	if unit == 0 {
		return fmt.Sprintf("(r=%s, d=%d)", budget, c.MaxDegree)
	}
	return fmt.Sprintf("(r=%s, b=%s)", budget, fraction(c.MinEdgeGBs/unit))
}

// fraction spells b as people say it.
func fraction(b float64) string {
	for q := 1; q <= 24; q++ {
		if whole := math.Round(b * float64(q)); whole > 0 && math.Abs(b-whole/float64(q)) < 0.002*b {
			return strings.TrimSuffix(fmt.Sprintf("%.0f/%d", whole, q), "/1")
		}
	}
	return fmt.Sprintf("%.3f", b)
}

// merge returns the curves of the paper's method and ours, and names a curve once where both methods found the same,
// or where the choice of any budget is one of ours.
func merge(curves []curve) (all []curve) {
	for _, c := range curves {
		twin := slices.IndexFunc(all, func(m curve) bool {
			sameQuestion := c.kind == "plan" || m.budget == c.budget
			return sameQuestion && math.Abs(m.RoundMS-c.RoundMS) < 1e-9 && math.Abs(m.RAsym-c.RAsym) < 1e-4
		})
		switch {
		case c.kind == "paper" || c.Ours() && twin < 0:
			all = append(all, c)
		case c.kind == "plan":
			all[twin].Name = strings.Replace(all[twin].Name, " (", ", best budget (", 1)
		case c.kind == "auto":
			all[twin].Name = strings.Replace(all[twin].Name, "paper’s method", "both", 1)
		}
	}
	return all
}
