package importer

import (
	"fmt"
	"strings"

	"github.com/batopo/batopo/cluster"
)

// Rates that are assumed where a file gives only classes, in GB/s: what NCCL itself computes with. A class is no
// bandwidth: on one machine two GPUs of one PCIe switch measure 26 GB/s each way and two of different switches 52.
// Measured rates override all of these.
const (
	pcieGBs   = 12 // generation 3, 16 lanes
	socketGBs = 10 // between sockets, Intel Skylake
	amdGBs    = 16
	nicGBs    = 12 // 100 Gb/s
	nvlinkGBs = 20 // one NVLink, from Volta to Ampere
	hopperGBs = 20.6
)

// nvlinkOf is one NVLink of a compute capability such as 80.
func nvlinkOf(sm int) float64 {
	switch {
	case sm >= 100:
		return 40.1
	case sm >= 90:
		return hopperGBs
	case sm == 86:
		return 12
	case sm >= 60 && sm < 70:
		return 18
	}
	return nvlinkGBs
}

// socketsOf is the link between sockets of a processor as CPUID names it.
func socketsOf(arch, vendor string, model int) (gbs float64, name string) {
	switch {
	case strings.Contains(vendor, "AMD"):
		return amdGBs, "AMD"
	case strings.HasPrefix(arch, "arm"), strings.HasPrefix(arch, "aarch"):
		return 6, "ARM"
	case strings.HasPrefix(arch, "ppc"):
		return 32, "POWER9"
	case model >= 0xCF:
		return 40, "Emerald Rapids"
	case model >= 0x8F:
		return 22, "Sapphire Rapids"
	case model > 0 && model < 0x55:
		return 6, "Broadwell"
	}
	return socketGBs, "Skylake"
}

func link(gbs float64) *cluster.Link { return &cluster.Link{GBs: gbs} }

// fabric decides what NVLinks are: direct connections of pairs, or a switch between all. A GPU has at most 18 links, so
// equal bundles to all others that would need more of them must come from a switch.
func (d *Description) fabric(g *cluster.Group, links map[[2]int]int, nodes int, perLink float64) {
	const mostLinks = 18
	if len(links) == 0 {
		return
	}
	each, equal := 0, len(links) == nodes*(nodes-1)/2
	for _, k := range links {
		if each == 0 {
			each = k
		}
		equal = equal && k == each
	}
	if equal && nodes > 2 && each*(nodes-1) > mostLinks {
		g.NVSwitch = link(float64(each) * perLink)
		d.assume("NVSwitch: %d NVLinks of %g GB/s for each GPU", each, perLink)
		return
	}
	for i := range nodes {
		for j := i + 1; j < nodes; j++ {
			if k := links[[2]int{i, j}]; k > 0 {
				g.NVLinks = append(g.NVLinks, cluster.NVLink{Pair: []int{i, j}, Link: cluster.Link{GBs: float64(k) * perLink}})
			}
		}
	}
	d.assume("NVLink: %g GB/s for each link of a pair", perLink)
}

// label is the name of GPU i.
func label(i int) string { return fmt.Sprintf("GPU%d", i) }
