package importer

import (
	"fmt"
	"strings"

	"github.com/batopo/batopo/cluster"
)

// cardModels are network cards by vendor and device number, as Linux's drivers mlx5 and efa list them. A model has the
// rate of its fastest card; the four EFA cards of AWS p4d have 400 Gb/s together. Later EFA models differ by machine.
var cardModels = map[string]struct {
	name string
	rate float64 // Gb/s
}{
	"0x15b3 0x1013": {"ConnectX-4", 100}, "0x15b3 0x1017": {"ConnectX-5", 100}, "0x15b3 0x1019": {"ConnectX-5 Ex", 100},
	"0x15b3 0x101b": {"ConnectX-6", 200}, "0x15b3 0x1021": {"ConnectX-7", 400}, "0x15b3 0x1023": {"ConnectX-8", 800},
	"0x1d0f 0xefa0": {"EFA", 100}, "0x1d0f 0xefa1": {"EFA", 100},
}

// card takes a network card on a PCIe device.
func (n *ncclReader) card(e, pci *element) {
	n.nics = append(n.nics, device{around: append([]*element(nil), n.path...), self: e, gbs: n.cardRate(e, pci)})
}

// cardRate is the rate of a card: the speed in the file, else its model's speed, else the fastest that is sold for its
// PCIe link. All but the first are assumptions.
func (n *ncclReader) cardRate(e, pci *element) float64 {
	gbs := 0.
	for _, net := range e.inside {
		if net.name == "net" {
			gbs += net.number("speed") / 8000 // Mb/s
		}
	}
	if gbs > 0 && gbs < 1e6 {
		return gbs
	}
	if model, known := cardModels[strings.ToLower(pci.attr["vendor"]+" "+pci.attr["device"])]; known {
		n.d.assume("network cards: %g GB/s (%g Gb/s) each, as %s has", model.rate/8, model.rate, model.name)
		return model.rate / 8
	}
	pcie, words := pci.number("gb_s"), fmt.Sprintf("%.3g GB/s", pci.number("gb_s"))
	if speed, width := pci.lanes(); width > 0 {
		pcie, words = speed*width/8*0.8, fmt.Sprintf("%g GT/s and %g lanes", speed, width) // encoding takes up to a fifth
	}
	for _, sold := range []float64{800, 400, 200, 100, 50, 25, 10} {
		if sold/8 <= pcie && pcie < 1e4 {
			n.d.assume("network cards: %g GB/s (%g Gb/s) each, the fastest on PCIe of %s", sold/8, sold, words)
			return sold / 8
		}
	}
	n.d.assume("network cards: %g GB/s (100 Gb/s) each", float64(nicGBs))
	return nicGBs
}

// cards gives every GPU its closest network card: the one with the most elements around in common. All cards get the
// rate of the slowest in use.
func (n *ncclReader) cards(g *cluster.Group) {
	if len(n.nics) == 0 {
		return
	}
	const farthest = 1000
	of, used, far := dealt(len(n.gpus), len(n.nics), func(i, k int) int {
		common := 0
		a, b := n.gpus[i].around, n.nics[k].around
		for common < min(len(a), len(b)) && a[common] == b[common] {
			common++
		}
		return farthest - common
	})
	g.NICs = &cluster.NICs{Link: cluster.Link{GBs: n.nics[used[0]].gbs}, OfNodes: of}
	for _, k := range used {
		g.NICs.GBs = min(g.NICs.GBs, n.nics[k].gbs)
	}
	// The processor and at least one switch in common: the card hangs on that switch, which is a group if it has several
	// GPUs.
	switch {
	case far > farthest-2:
	case !hasGroup(g, "switch"):
		g.NICs.At = cluster.AtNode
	case allWithin(g, "switch"):
		g.NICs.At = "switch"
	}
}
