package present

import (
	"fmt"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/show/report"
)

// DrawCluster draws the hardware of a description.
func DrawCluster(c *cluster.Cluster) (*report.Figure, error) {
	title := report.Text{Title: fmt.Sprintf("Cluster of %d nodes", c.Nodes())}
	switch spec := c.Spec(); {
	case spec.Links != nil:
		return wireDrawing(title, c)
	case spec.Matrix != nil, spec.Routes != nil:
		return routeDrawing(title, c)
	}
	if c.Nodes() > report.FabricNodes {
		return nil, fmt.Errorf("hardware of up to %d nodes is drawn; this cluster has %d",
			report.FabricNodes, c.Nodes())
	}
	layers := layersOf(c)
	if c.PerNode() {
		layers = nodeLayers(c)
	}
	return report.HardwareDrawing{Text: title, Nodes: nodeNames(c), Layers: layers}.Draw()
}

func nodeNames(c *cluster.Cluster) []string {
	names := make([]string, c.Nodes())
	for i := range names {
		names[i] = c.NodeName(i)
	}
	return names
}

// layersOf is what joins the nodes of a cluster, from below; nil where the description does not say.
func layersOf(c *cluster.Cluster) []report.Layer {
	switch spec := c.Spec(); {
	case spec.Servers != nil:
		return serverLayers(spec.Servers)
	case spec.BCube != nil:
		return switchLayers(spec.BCube, c.Nodes())
	case spec.LeafSpine != nil:
		leaf := func(i int) int { return i / spec.LeafSpine.Hosts }
		uplink := "uplink " + short(spec.LeafSpine.Uplink) + " GB/s"
		return []report.Layer{
			{Name: "leaves", Parts: parts(c.Nodes(), "leaf #", uplink, leaf)},
			{Name: "spine", Parts: parts(c.Nodes(), "spine", "", together)},
		}
	case spec.Tree != nil:
		return groupLayers(c)
	}
	return nil
}

// nodeLayers is a network that every node joins with a bandwidth of its own; neighbours of the same share a part.
func nodeLayers(c *cluster.Cluster) []report.Layer {
	var ports []report.Part
	for i, r := range c.Resources() {
		name := rate(r.GBs, r.UpGBs, r.DownGBs) + " GB/s"
		if len(ports) == 0 || ports[len(ports)-1].Name != name {
			ports = append(ports, report.Part{Name: name, Note: "each"})
		}
		last := &ports[len(ports)-1]
		last.Nodes = append(last.Nodes, i)
	}
	return []report.Layer{
		{Name: "bandwidth", Parts: ports},
		{Name: "network", Parts: parts(c.Nodes(), "network", "", together)},
	}
}

// parts puts node i of 0 … n−1 into part of(i), numbered from 0. A # in the name stands for the number.
func parts(n int, name, note string, of func(node int) int) []report.Part {
	var all []report.Part
	for i := range n {
		k := of(i)
		for len(all) <= k {
			all = append(all, report.Part{Name: strings.ReplaceAll(name, "#", fmt.Sprint(len(all))), Note: note})
		}
		all[k].Nodes = append(all[k].Nodes, i)
	}
	return all
}

// together puts all nodes into one part.
func together(int) int { return 0 }

// switchLayers are the switches of a BCube: those of layer k join the servers that differ in digit k only.
func switchLayers(b *cluster.BCube, servers int) []report.Layer {
	var layers []report.Layer
	below := 1 // weight of the layer's digit
	for k := range b.Layers {
		without := func(server int) int { return server/(below*b.Ports)*below + server%below }
		layers = append(layers, report.Layer{Name: fmt.Sprintf("layer %d switches", k),
			Parts: parts(servers, fmt.Sprintf("%d.#", k), short(b.Bandwidth[k])+" GB/s", without)})
		below *= b.Ports
	}
	return layers
}

// serverLayers are the PCIe switches, sockets and servers of a servers description, and the network between servers.
func serverLayers(s *cluster.Servers) []report.Layer {
	gpus := s.Count * s.GPUs
	layer := func(name, part string, gbs float64, size int) report.Layer {
		note := ""
		if gbs != 0 { // else a link that no pair needs
			note = short(gbs) + " GB/s"
		}
		perServer := (s.GPUs + size - 1) / size
		of := func(i int) int { return i/s.GPUs*perServer + i%s.GPUs/size }
		return report.Layer{Name: name, Parts: parts(gpus, part, note, of)}
	}
	name := "SYS"
	if s.Count > 1 {
		name = "server # SYS"
	}
	layers := []report.Layer{
		layer("PCIe switches", "PIX", s.Tree.PIX, s.GPUsPerSwitch),
		layer("sockets", "NODE", s.Tree.Node, s.GPUsPerSwitch*s.SwitchesPerSocket),
		layer("socket link", name, s.Tree.Sys, s.GPUs),
	}
	if s.Count > 1 {
		network := parts(gpus, "network", short(s.NIC)+" GB/s per card", together)
		layers = append(layers, report.Layer{Name: "network", Parts: network})
	}
	return layers
}
