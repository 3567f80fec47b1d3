package cli

import (
	"context"
	"errors"
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

// planFigure draws a plan's graph: over its hardware where that has a shape and there is room, a lift by its
// orbits, a grid as a grid, anything else on a circle.
func planFigure(p *design.Plan) (*report.Figure, error) {
	hardware, err := cluster.New(p.Cluster) // which fills in what the description leaves out
	if err != nil {
		return nil, err
	}
	rounds, err := p.Matrices()
	if err != nil {
		return nil, err
	}
	if len(rounds) > 1 {
		return nil, fmt.Errorf("a time-varying plan has %d graphs; static ones are drawn (compare --plot shows its error over time)", len(rounds))
	}
	title := report.Text{Title: fmt.Sprintf("%s, %d nodes", p.Method, p.Nodes)}
	spec, fits := hardware.Spec(), p.Nodes <= report.FabricNodes
	switch {
	case spec.Servers != nil && fits:
		return report.TreeDrawing{Text: title, Root: serverTree(spec.Servers), Levels: treeLevels(spec.Servers), Matrix: rounds[0]}.Draw()
	case spec.BCube != nil && fits:
		return bcubeDrawing(title, spec.BCube, rounds[0]).Draw()
	case p.Lift != nil:
		lift, weights, err := liftOf(*p.Lift, rounds[0])
		if err != nil {
			return nil, err
		}
		return report.LiftDrawing{Text: title, Lift: lift, Weights: weights}.Draw()
	}
	drawing := report.GraphDrawing{Text: title, Matrix: rounds[0], Names: p.Names}
	if p.Method == "grid" || p.Method == "torus" {
		drawing.Rows, drawing.Columns = topology.GridShape(p.Nodes)
	}
	return drawing.Draw()
}

// liftOf checks that a matrix has the edges of a lift, and reads one weight per arc off it.
func liftOf(l topology.Lift, w *mixing.Matrix) (lift topology.Lift, weights []float64, err error) {
	if lift, err = topology.NewLift(l.Orbits, l.Size, l.Arcs); err != nil {
		return lift, nil, fmt.Errorf("the plan's lift: %w", err)
	}
	missing := 2*lift.Edges() != w.Arcs()
	weights = make([]float64, len(lift.Arcs))
	if !missing { // else there may be very many
		lift.EachEdge(func(e topology.Edge, arc int) {
			var there bool
			weights[arc], there = w.At(e.I, e.J)
			missing = missing || !there
		})
	}
	if missing {
		return lift, nil, errors.New("the plan's lift has other edges than the plan")
	}
	return lift, weights, nil
}

// serverTree is the hardware of a servers description as a tree with the GPUs as leaves.
func serverTree(s *cluster.Servers) report.Tree {
	gbs := func(v float64) string {
		if v == 0 {
			return "" // a link that no pair needs
		}
		return short(v) + " GB/s"
	}
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
