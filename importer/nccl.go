package importer

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/batopo/batopo/cluster"
)

// NCCL reads a topology file of NCCL or RCCL, version 1 or 2, as NCCL_TOPO_DUMP_FILE writes it or cloud providers ship
// it. PCIe links have the rates that NCCL computes from width and speed.
func NCCL(r io.Reader) (*Description, error) {
	root, err := readXML(r, "a topology file of NCCL")
	if err != nil {
		return nil, err
	}
	if root.name != "system" {
		return nil, fmt.Errorf("importer: the outermost element is %q; a topology file of NCCL has \"system\"",
			shorten(root.name))
	}
	if v := root.attr["version"]; v != "" && v != "1" && v != "2" {
		return nil, fmt.Errorf("importer: version is %q; this program reads 1 and 2", shorten(v))
	}
	n := ncclReader{d: &Description{}, bus: map[string]int{}}
	g, err := n.machine(root)
	if err != nil {
		return nil, err
	}
	if err := n.nvlinks(&g); err != nil {
		return nil, err
	}
	n.cards(&g)
	n.d.Tree = &g
	return n.d, nil
}

// machine makes the tree of processors, switches and GPUs.
func (n *ncclReader) machine(root *element) (cluster.Group, error) {
	g := cluster.Group{Name: "server"}
	for _, cpu := range root.inside {
		if cpu.name == "cpu" {
			n.path = append(n.path, cpu)
			g.Groups = appendAlike(g.Groups, n.socket(cpu, len(root.inside) > 1))
			n.path = n.path[:0]
		}
	}
	switch {
	case len(n.gpus) == 0:
		return g, errors.New("importer: no GPU was found in the file")
	case len(n.gpus) > mostDevices:
		return g, fmt.Errorf("importer: %d GPUs in one machine; at most %d are supported", len(n.gpus), mostDevices)
	case n.unknown > 0:
		n.d.note("%d devices without a class are taken to be GPUs", n.unknown)
	}
	if len(g.Groups) == 1 && g.Groups[0].Count <= 1 {
		g = g.Groups[0]
		g.Name, g.Uplink = "server", nil
	}
	return g, nil
}

// An ncclReader collects what it passes on its way through a file.
type ncclReader struct {
	d       *Description
	path    []*element // from the processor to where the reader is
	gpus    []device
	nics    []device
	bus     map[string]int // GPU by its address
	unknown int
}

// A device is a GPU or a network card and the elements around it.
type device struct {
	around []*element
	self   *element // its <pci>, <nic> or <gpu>
	gbs    float64  // of a card
}

// socket makes a group of a processor.
func (n *ncclReader) socket(cpu *element, several bool) cluster.Group {
	g := n.group(cpu.inside, "socket")
	if several {
		gbs, name := socketsOf(cpu.attr["arch"], cpu.attr["vendor"], int(cpu.number("modelid")))
		g.Uplink = link(gbs)
		n.d.assume("between sockets: %g GB/s for each (%s)", gbs, name)
	}
	return g
}

// group makes a group of what hangs on a processor or a PCIe switch: GPUs as nodes, switches with GPUs behind them as
// groups.
func (n *ncclReader) group(inside []*element, name string) cluster.Group {
	g := cluster.Group{Name: name}
	gpus := 0
	for _, e := range inside {
		if e.isGPU() {
			gpus++
		}
	}
	for _, e := range inside {
		switch {
		case e.name == "nic":
			n.card(e)
		case e.name != "pci":
		case e.isNIC():
			for _, nic := range e.inside {
				n.card(nic)
			}
			if len(e.inside) == 0 {
				n.card(e)
			}
		case e.isGPU():
			gbs := n.gpu(e)
			if g.Nodes == 0 || g.Link.GBs == gbs {
				g.Nodes, g.Link = g.Nodes+1, link(gbs)
				continue
			}
			g.Groups = append(g.Groups, cluster.Group{Name: "device", Nodes: 1, Link: link(gbs)})
		default:
			n.path = append(n.path, e)
			inner := n.group(e.inside, "switch")
			n.path = n.path[:len(n.path)-1]
			inner.Uplink = link(n.pcie(e))
			n.attach(&g, inner, gpus)
		}
	}
	return g
}

// attach adds an inner group, if there is a GPU in it. One that holds a single GPU or a single group is a bridge, and
// only its rate counts.
func (n *ncclReader) attach(g *cluster.Group, inner cluster.Group, gpus int) {
	switch {
	case count(&inner) == 0:
	case inner.Nodes == 1 && len(inner.Groups) == 0 && gpus == 0 &&
		(g.Nodes == 0 || g.Link.GBs == min(inner.Link.GBs, inner.Uplink.GBs)):
		g.Nodes, g.Link = g.Nodes+1, link(min(inner.Link.GBs, inner.Uplink.GBs))
	case inner.Nodes == 0 && len(inner.Groups) == 1 && inner.Groups[0].Count <= 1:
		only := inner.Groups[0]
		only.Uplink = link(min(only.Uplink.GBs, inner.Uplink.GBs))
		g.Groups = appendAlike(g.Groups, only)
	default:
		g.Groups = appendAlike(g.Groups, inner)
	}
}

// appendAlike adds a group, or counts it where the last one is alike.
func appendAlike(groups []cluster.Group, g cluster.Group) []cluster.Group {
	switch last := len(groups) - 1; {
	case count(&g) == 0:
		return groups
	case last >= 0 && alike(groups[last], g):
		groups[last].Count = max(1, groups[last].Count) + 1
		return groups
	}
	return append(groups, g)
}

func (e *element) isGPU() bool {
	if e.name != "pci" {
		return false
	}
	for _, inner := range e.inside {
		if inner.name == "gpu" {
			return true
		}
	}
	return strings.HasPrefix(e.attr["class"], "0x03") || e.attr["class"] == "" && len(e.inside) == 0
}

func (e *element) isNIC() bool {
	for _, inner := range e.inside {
		if inner.name == "nic" {
			return true
		}
	}
	return strings.HasPrefix(e.attr["class"], "0x02")
}

// gpu takes a device and returns the rate of its link.
func (n *ncclReader) gpu(e *element) float64 {
	if e.attr["class"] == "" && len(e.inside) == 0 {
		n.unknown++
	}
	n.bus[e.attr["busid"]] = len(n.gpus)
	name := label(len(n.gpus))
	for _, inner := range e.inside {
		if dev := inner.attr["dev"]; inner.name == "gpu" && dev != "" {
			name = "GPU" + dev
		}
	}
	n.gpus = append(n.gpus, device{around: append([]*element(nil), n.path...), self: e})
	n.d.Names = append(n.d.Names, name)
	return n.pcie(e)
}

// pcie is the rate of a PCIe link: what is said of it, or as NCCL has it, lanes times speed.
func (n *ncclReader) pcie(e *element) float64 {
	if gbs := e.number("gb_s"); gbs > 0.01 && gbs < 1e4 {
		return gbs
	}
	speed, _, _ := strings.Cut(strings.TrimSpace(e.attr["link_speed"]), " ")
	lanes := map[string]float64{"2.5": 15, "5": 30, "8": 60, "16": 120, "32": 240, "64": 480}
	lane := lanes[strings.TrimSuffix(speed, ".0")]
	width := e.number("link_width")
	if lane == 0 || !(width >= 1 && width <= 32) {
		n.d.assume("PCIe: %g GB/s where a link has no speed and width", float64(pcieGBs))
		return pcieGBs
	}
	return width * lane / 80
}

// card takes a network card.
func (n *ncclReader) card(e *element) {
	gbs := 0.
	for _, net := range e.inside {
		if net.name == "net" {
			gbs += net.number("speed") / 8000 // Mb/s
		}
	}
	if !(gbs > 0 && gbs < 1e6) {
		gbs = nicGBs
		n.d.assume("network cards: %g GB/s (100 Gb/s) each", float64(nicGBs))
	}
	n.nics = append(n.nics, device{around: append([]*element(nil), n.path...), self: e, gbs: gbs})
}

// nvlinks reads what GPUs say about their NVLinks; class 0x0680 is a switch.
func (n *ncclReader) nvlinks(g *cluster.Group) error {
	pairs, perLink, switched := map[[2]int]int{}, float64(nvlinkGBs), 0
	for i, gpu := range n.gpus {
		for _, e := range gpu.self.inside {
			if e.name != "gpu" {
				continue
			}
			if sm := e.number("sm"); sm >= 60 && e.attr["gcn"] == "" {
				perLink = nvlinkOf(int(sm))
			}
			ports := 0
			for _, nv := range e.inside {
				links := int(max(0, min(nv.number("count"), 64)))
				if j, ok := n.bus[nv.attr["target"]]; ok && nv.name == "nvlink" && i != j {
					pair := [2]int{min(i, j), max(i, j)}
					if other, known := pairs[pair]; known && other != links {
						return fmt.Errorf("importer: %s has %d NVLinks to %s, which has %d to it; one of them is damaged",
							n.d.Names[i], links, n.d.Names[j], other)
					}
					pairs[pair] = links
				} else if nv.name == "nvlink" && strings.HasPrefix(nv.attr["tclass"], "0x0680") {
					ports += links
				}
			}
			switched = max(switched, ports)
		}
	}
	if switched > 0 {
		g.NVSwitch = link(float64(switched) * perLink)
		n.d.assume("NVSwitch: %d NVLinks of %g GB/s for each GPU", switched, perLink)
		return nil
	}
	n.d.fabric(g, pairs, len(n.gpus), perLink)
	return nil
}

// cards gives every GPU its closest network card: the one with the most elements around in common.
func (n *ncclReader) cards(g *cluster.Group) {
	if len(n.nics) == 0 {
		return
	}
	const farthest = 1000
	of, far := dealt(len(n.gpus), len(n.nics), func(i, k int) int {
		common := 0
		a, b := n.gpus[i].around, n.nics[k].around
		for common < min(len(a), len(b)) && a[common] == b[common] {
			common++
		}
		return farthest - common
	})
	g.NICs = &cluster.NICs{Link: cluster.Link{GBs: n.nics[0].gbs}, OfNodes: of}
	for _, nic := range n.nics {
		g.NICs.GBs = min(g.NICs.GBs, nic.gbs)
	}
	// The processor and at least one switch in common: the card hangs on that switch.
	if far <= farthest-2 && hasGroup(g, "switch") && allWithin(g, "switch") {
		g.NICs.At = "switch"
	}
}
