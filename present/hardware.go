package present

import (
	"errors"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/report"
)

// DrawCluster draws the hardware of a description that has a shape.
func DrawCluster(c *cluster.Cluster) (*report.Figure, error) {
	if c.Nodes() > report.FabricNodes {
		return nil, fmt.Errorf("hardware of up to %d nodes is drawn; this cluster has %d",
			report.FabricNodes, c.Nodes())
	}
	s := c.Spec()
	title := report.Text{Title: fmt.Sprintf("Cluster of %d nodes", c.Nodes())}
	switch {
	case s.Servers != nil:
		return serverDrawing(title, s.Servers).Draw()
	case s.BCube != nil:
		return bcubeDrawing(title, s.BCube).Draw()
	case s.LeafSpine != nil:
		levels := []string{"spine", "leaves"}
		return report.TreeDrawing{Text: title, Root: leafSpineTree(s.LeafSpine), Levels: levels}.Draw()
	case s.Tree != nil:
		return groupDrawing(title, c).Draw()
	case s.Links != nil:
		return wireDrawing(title, c)
	case s.Matrix != nil:
		return pairDrawing(title, c)
	}
	return nil, errors.New("bandwidth and resources descriptions have no shape to draw: " +
		"they are a list of nodes or resources")
}

func bcubeDrawing(title report.Text, b *cluster.BCube) report.BCubeDrawing {
	d := report.BCubeDrawing{Text: title, Ports: b.Ports, Layers: b.Layers}
	for _, gbs := range b.Bandwidth {
		d.Notes = append(d.Notes, short(gbs)+" GB/s")
	}
	return d
}

func serverDrawing(title report.Text, s *cluster.Servers) report.TreeDrawing {
	levels := []string{"socket link", "sockets", "PCIe switches"}
	if s.Count > 1 {
		levels = append([]string{"network"}, levels...)
	}
	return report.TreeDrawing{Text: title, Root: serverTree(s), Levels: levels}
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
		name := fmt.Sprintf("server %d SYS", k)
		servers = append(servers, report.Tree{Name: name, Note: gbs(s.Tree.Sys), Children: sockets})
	}
	if len(servers) == 1 {
		servers[0].Name = "SYS"
		return servers[0]
	}
	return report.Tree{Name: "network", Note: gbs(s.NIC) + " per card", Children: servers}
}

func leafSpineTree(f *cluster.LeafSpine) report.Tree {
	root := report.Tree{Name: "spine"}
	for leaf := range f.Leaves {
		t := report.Tree{Name: fmt.Sprintf("leaf %d", leaf), Note: "uplink " + short(f.Uplink) + " GB/s"}
		for h := range f.Hosts {
			t.Children = append(t.Children, report.Tree{Name: fmt.Sprint(leaf*f.Hosts + h)})
		}
		root.Children = append(root.Children, t)
	}
	return root
}
