package exporter

import (
	"bufio"
	"fmt"
	"math"
	"strings"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// writeDot draws nodes on circles. The attribute "weight" means something else to Graphviz, so the exact
// numbers are in mixing_weight and self_weight, which it ignores and keeps.
func writeDot(out *bufio.Writer, p *design.Plan, s *mixing.Schedule) ([]string, error) {
	w := s.Rounds[0]
	kind, joins := "graph", "--"
	if w.Directed() {
		kind, joins = "digraph", "->"
	}
	fmt.Fprintf(out, "%s batopo {\n  layout=circo;\n  node [shape=circle, fontname=\"Helvetica\"];\n  edge "+
		"[fontname=\"Helvetica\", fontsize=10];\n", kind)
	for i, self := range w.Self() {
		label := fmt.Sprint(i)
		if p.Names != nil {
			label = p.Names[i]
		}
		fmt.Fprintf(out, "  %d [label=%s, self_weight=%q, tooltip=\"self weight %.4g\"];\n",
			i, quoteDot(label), number(self), self)
	}
	heaviest := 0.0
	for i := range w.Nodes() {
		_, weight := w.Row(i)
		for _, v := range weight {
			heaviest = max(heaviest, math.Abs(v))
		}
	}
	for i := range w.Nodes() {
		from, weight := w.Row(i)
		for k, j := range from {
			if !w.Directed() && j > i {
				continue
			}
			style := ""
			if weight[k] < 0 {
				style = ", style=dashed"
			}
			width := 1.0
			if heaviest > 0 {
				width += 3 * math.Abs(weight[k]) / heaviest
			}
			fmt.Fprintf(out, "  %d %s %d [mixing_weight=%q, penwidth=%.3g, tooltip=\"%d %s %d: %.4g\"%s];\n",
				j, joins, i, number(weight[k]), width, j, joins, i, weight[k], style)
		}
	}
	_, err := out.WriteString("}\n")
	return nil, err
}

// quoteDot quotes a string as Graphviz reads it: only quotes and backslashes need care, and
// newlines would end up in the label.
func quoteDot(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ").Replace(s) + `"`
}
