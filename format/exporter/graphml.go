package exporter

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"strconv"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// writeGraphML keeps self weights as an attribute of nodes, because many readers refuse loops.
func writeGraphML(out *bufio.Writer, p *design.Plan, s *mixing.Schedule) ([]string, error) {
	w := s.Rounds[0]
	direction := "undirected"
	if w.Directed() {
		direction = "directed"
	}
	fmt.Fprintf(out, `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
  <key id="self" for="node" attr.name="self_weight" attr.type="double"/>
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <graph id="batopo" edgedefault="%s">
`, direction)
	for i, self := range w.Self() {
		fmt.Fprintf(out, "    <node id=\"%d\"><data key=\"self\">%s</data>", i, number(self))
		if p.Names != nil {
			out.WriteString(`<data key="name">`)
			if err := xml.EscapeText(out, []byte(p.Names[i])); err != nil {
				return nil, err
			}
			out.WriteString("</data>")
		}
		out.WriteString("</node>\n")
	}
	for i := range w.Nodes() {
		from, weight := w.Row(i)
		for k, j := range from {
			if w.Directed() || j < i {
				fmt.Fprintf(out, "    <edge source=\"%d\" target=\"%d\"><data key=\"weight\">%s</data></edge>\n",
					j, i, number(weight[k]))
			}
		}
	}
	_, err := out.WriteString("  </graph>\n</graphml>\n") // the writer remembers earlier errors
	return nil, err
}

// number writes v so that reading it restores every bit.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
