package report

import (
	"fmt"

	"github.com/batopo/batopo/mixing"
)

// A BCubeDrawing shows BCube(p, k): Ports^Layers servers, and in each layer the switches
// that join the p servers which differ in one digit of their number. Below them are the edges of a mixing
// matrix, coloured by the layer whose switch they use. An edge between servers that share no switch must be
// relayed and is drawn as such.
type BCubeDrawing struct {
	Text
	Ports, Layers int            // at least 2 and 1
	Notes         []string       // one per layer, such as "4.88 GB/s"; nil for none
	Matrix        *mixing.Matrix // nil: only the hardware
}

// Draw lays out the network. It refuses more than 256 servers.
func (d BCubeDrawing) Draw() (*Figure, error) {
	n := 1
	for range d.Layers {
		if n *= d.Ports; n > FabricNodes {
			return nil, fmt.Errorf("report: BCube(%d, %d) has more than the %d servers that a drawing has room for",
				d.Ports, d.Layers, FabricNodes)
		}
	}
	h := fabric{Text: d.Text, matrix: d.Matrix, nodes: numbered(n)}
	weight := 1 // of the layer's digit
	for k := range d.Layers {
		l := level{name: fmt.Sprintf("layer %d switches", k), edges: fmt.Sprintf("through layer %d", k)}
		for server := range n {
			if server/weight%d.Ports != 0 {
				continue // a switch is found at its server with digit 0
			}
			b := fabricBox{name: fmt.Sprintf("%d.%d", k, len(l.boxes))}
			if d.Notes != nil {
				b.note = d.Notes[k]
			}
			for digit := range d.Ports {
				b.nodes = append(b.nodes, server+digit*weight)
			}
			l.boxes = append(l.boxes, b)
		}
		h.levels = append(h.levels, l)
		weight *= d.Ports
	}
	return h.draw()
}
