package cli

import (
	"context"
	"fmt"

	"batopo/cluster"
	"batopo/design"
	"batopo/mixing"
	"batopo/report"
	"batopo/topology"
)

// drawPlan draws a plan's graph into a file.
func drawPlan(ctx context.Context, file string, p *design.Plan) error {
	figure, err := planFigure(p)
	if err != nil {
		return err
	}
	return writeFigure(ctx, file, figure)
}

// planFigure draws a plan's graph: over its hardware where that has a shape, a lift by its
// orbits, a grid as a grid, anything else on a circle.
func planFigure(p *design.Plan) (*report.Figure, error) {
	rounds, err := p.Matrices()
	if err != nil {
		return nil, err
	}
	if len(rounds) > 1 {
		return nil, fmt.Errorf("a time-varying plan has %d graphs; --plot draws static ones (compare --plot shows its error over time)", len(rounds))
	}
	title := report.Text{Title: fmt.Sprintf("%s, %d nodes", p.Method, p.Nodes)}
	switch {
	case p.Cluster.Servers != nil:
		return report.TreeDrawing{Text: title, Root: serverTree(p.Cluster.Servers), Levels: treeLevels(p.Cluster.Servers), Matrix: rounds[0]}.Draw()
	case p.Cluster.BCube != nil:
		return bcubeDrawing(title, p.Cluster.BCube, rounds[0]).Draw()
	case p.Lift != nil:
		return report.LiftDrawing{Text: title, Lift: *p.Lift, Weights: arcWeights(*p.Lift, rounds[0])}.Draw()
	}
	drawing := report.GraphDrawing{Text: title, Matrix: rounds[0], Names: p.Names}
	if p.Method == "grid" || p.Method == "torus" {
		drawing.Rows, drawing.Columns = topology.GridShape(p.Nodes)
	}
	return drawing.Draw()
}

// arcWeights reads one weight per arc off the lift's matrix.
func arcWeights(l topology.Lift, w *mixing.Matrix) []float64 {
	weights := make([]float64, len(l.Arcs))
	l.EachEdge(func(e topology.Edge, arc int) { weights[arc], _ = w.At(e.I, e.J) })
	return weights
}

// serverTree is the hardware of a servers description as a tree with the GPUs as leaves.
func serverTree(s *cluster.Servers) report.Tree {
	gbs := func(v float64) string { return fmt.Sprintf("%.4g GB/s", v) }
	var servers []report.Tree
	gpu := 0
	for k := range s.Count {
		var sockets []report.Tree
		for left := s.GPUs; left > 0; left -= s.GPUsPerSwitch * s.SwitchesPerSocket {
			var switches []report.Tree
			for inSocket := min(left, s.GPUsPerSwitch*s.SwitchesPerSocket); inSocket > 0; inSocket -= s.GPUsPerSwitch {
				var leaves []report.Tree
				for range min(inSocket, s.GPUsPerSwitch) {
					leaves = append(leaves, report.Tree{Name: fmt.Sprint(gpu)})
					gpu++
				}
				switches = append(switches, report.Tree{Name: "PIX", Note: gbs(s.Tree.PIX), Children: leaves})
			}
			sockets = append(sockets, report.Tree{Name: "NODE", Note: gbs(s.Tree.Node), Children: switches})
		}
		servers = append(servers, report.Tree{Name: fmt.Sprintf("server %d SYS", k), Note: gbs(s.Tree.Sys), Children: sockets})
	}
	if len(servers) == 1 {
		servers[0].Name = "SYS"
		return servers[0]
	}
	return report.Tree{Name: "network", Note: gbs(s.NIC) + " per card", Children: servers}
}

func treeLevels(s *cluster.Servers) []string {
	levels := []string{"socket link", "sockets", "PCIe switches"}
	if s.Count > 1 {
		levels = append([]string{"network"}, levels...)
	}
	return levels
}
