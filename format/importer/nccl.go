package importer

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// readNCCL reads a topology file of NCCL or RCCL, version 1 or 2, as NCCL_TOPO_DUMP_FILE writes it or cloud providers
// ship it. PCIe links have the rates that NCCL computes from width and speed, NVLinks and xGMI links those of their
// generation.
func readNCCL(source []byte) (*Description, error) {
	root, err := readXML(source, "a topology file of NCCL")
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
	if err := n.fabric(&g); err != nil {
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
		n.d.warn("%d devices without a class are taken to be GPUs; are network cards among them?", n.unknown)
	}
	n.names()
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
			n.card(e, &element{})
		case e.name != "pci":
		case e.isNIC():
			for _, nic := range e.inside {
				n.card(nic, e)
			}
			if len(e.inside) == 0 {
				n.card(e, e)
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
			if inner.Size() > 0 {
				inner.Uplink = link(n.pcie(e))
				n.attach(&g, inner, gpus)
			}
		}
	}
	return g
}

// attach adds an inner group. One that holds a single GPU or a single group is a bridge, and only its rate counts.
func (n *ncclReader) attach(g *cluster.Group, inner cluster.Group, gpus int) {
	switch {
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
	case g.Size() == 0:
		return groups
	case last >= 0 && alike(groups[last], g):
		groups[last].Count = max(1, groups[last].Count) + 1
		return groups
	}
	return append(groups, g)
}

// isGPU: class 0x03 is a display controller, 0x12 a processing accelerator, as MI300 is.
func (e *element) isGPU() bool {
	if e.name != "pci" {
		return false
	}
	for _, inner := range e.inside {
		if inner.name == "gpu" {
			return true
		}
	}
	class := e.attr["class"]
	return strings.HasPrefix(class, "0x03") || strings.HasPrefix(class, "0x12") || class == "" && len(e.inside) == 0
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
	n.bus[strings.ToLower(e.attr["busid"])] = len(n.gpus)
	n.gpus = append(n.gpus, device{around: append([]*element(nil), n.path...), self: e})
	return n.pcie(e)
}

// names numbers GPUs as their library does, where the file has these numbers. Where it has none, or one twice, they
// are numbered by their bus addresses, as nvidia-smi numbers them.
func (n *ncclReader) names() {
	seen := map[string]bool{}
	for _, gpu := range n.gpus {
		for _, inner := range gpu.self.inside {
			if dev := inner.attr["dev"]; inner.name == "gpu" && dev != "" {
				n.d.Names, seen[dev] = append(n.d.Names, "GPU"+dev), true
			}
		}
	}
	if len(n.d.Names) == len(n.gpus) && len(seen) == len(n.gpus) {
		return
	}
	order := topology.InOrder(len(n.gpus))
	if len(n.bus) == len(n.gpus) {
		bus := func(i int) string { return strings.ToLower(n.gpus[i].self.attr["busid"]) }
		slices.SortFunc(order, func(i, j int) int { return strings.Compare(bus(i), bus(j)) })
	}
	n.d.Names = make([]string, len(n.gpus))
	for number, i := range order {
		n.d.Names[i] = label(number)
	}
	if !slices.IsSorted(order) {
		n.d.note("GPUs are numbered by their bus addresses, as nvidia-smi does; the file has another order")
	}
}

// pcie is the rate of a PCIe link: what is said of it, or as NCCL has it, lanes times speed.
func (n *ncclReader) pcie(e *element) float64 {
	if gbs := e.number("gb_s"); gbs > 0.01 && gbs < 1e4 {
		return gbs
	}
	speed, width := e.lanes()
	switch {
	case width == 0:
		n.d.assume("PCIe: %g GB/s where a link has no speed and width", float64(pcieGBs))
		return pcieGBs
	case speed < 8: // GT/s: generations 1 and 2 carry 8 bits in 10
		return width * speed / 8 * 0.6
	}
	return width * speed / 8 * 0.75
}

// lanes returns speed in GT/s and number of lanes of a PCIe link, 0 where the file does not have both.
func (e *element) lanes() (speed, width float64) {
	text, _, _ := strings.Cut(strings.TrimSpace(e.attr["link_speed"]), " ")
	speed, err := strconv.ParseFloat(text, 64)
	width = e.number("link_width")
	if err != nil || !slices.Contains([]float64{2.5, 5, 8, 16, 32, 64}, speed) || !(width >= 1 && width <= 32) {
		return 0, 0
	}
	return speed, width
}
