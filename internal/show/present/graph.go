package present

import (
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/show/report"
	"github.com/batopo/batopo/mixing"
)

// DrawGraph draws a plan's graph: over its hardware where that has a shape and there is room, anything
// else on a circle. A schedule has a panel for each of its rounds.
func DrawGraph(p *design.Plan) (*report.Figure, error) {
	hardware, err := cluster.New(p.Cluster) // which fills in what the description leaves out
	if err != nil {
		return nil, err
	}
	if p.Kind == design.CollectiveKind || p.Inside != nil { // its rounds are no graphs between nodes
		w, err := p.Traffic()
		if err != nil {
			return nil, err
		}
		return drawRound(p, hardware, planTitle(p), w, true)
	}
	return eachRound(p, func(title report.Text, w *mixing.Matrix) (*report.Figure, error) {
		return drawRound(p, hardware, title, w, false)
	})
}

// drawRound draws a matrix of weights, or of traffic.
func drawRound(p *design.Plan, hardware *cluster.Cluster, title report.Text, w *mixing.Matrix, traffic bool) (
	*report.Figure, error) {
	layers := layersOf(hardware)
	if divides(layers, p.Nodes) && p.Nodes <= report.FabricNodes {
		return report.HardwareDrawing{Text: title, Nodes: nodeNames(hardware), Layers: layers, Matrix: w,
			Traffic: traffic}.Draw()
	}
	return report.GraphDrawing{Text: title, Matrix: w, Names: p.Names, Traffic: traffic}.Draw()
}

// divides reports whether hardware has groups of nodes: one switch above all of them, or a box for each, would say
// nothing about who averages with whom.
func divides(layers []report.Layer, nodes int) bool {
	return slices.ContainsFunc(layers, func(l report.Layer) bool {
		return slices.ContainsFunc(l.Parts, func(p report.Part) bool { return len(p.Nodes) > 1 && len(p.Nodes) < nodes })
	})
}

// mostPanels is how many rounds of a schedule are drawn; a reader does not compare more.
const mostPanels = 12

// eachRound draws the matrix of a static plan, or those of a schedule side by side.
func eachRound(p *design.Plan, draw func(report.Text, *mixing.Matrix) (*report.Figure, error)) (
	*report.Figure, error) {
	s, err := p.Averages()
	if err != nil {
		return nil, err
	}
	rounds := s.Rounds
	if len(rounds) == 1 {
		return draw(planTitle(p), rounds[0])
	}
	panels := report.Panels{Text: planTitle(p)}
	panels.Subtitle = fmt.Sprintf("a schedule of %d rounds, which repeat", len(rounds))
	if len(rounds) > mostPanels {
		panels.Subtitle += fmt.Sprintf("; the first %d are drawn", mostPanels)
	}
	for k, w := range rounds[:min(len(rounds), mostPanels)] {
		panel, err := draw(report.Text{Title: fmt.Sprintf("round %d", k)}, w)
		if err != nil {
			return nil, err
		}
		panels.Figures = append(panels.Figures, panel)
	}
	return panels.Draw()
}

func planTitle(p *design.Plan) report.Text {
	return report.Text{Title: fmt.Sprintf("%s, %d nodes", p.Method, p.Nodes)}
}
