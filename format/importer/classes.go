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

// xgmiOf is one xGMI link, each way, of a GPU generation as RCCL computes with it (ncclTopoXGMISpeed in
// src/graph/topo.h; some versions have 24 for gfx940 and gfx941). Old files have a number in place of the name.
func xgmiOf(gcn string) (gbs float64, generation string, known bool) {
	const vega, mi200, mi300 = 24, 36, 48
	generation, _, _ = strings.Cut(gcn, ":") // features follow
	switch generation {
	case "906", "908", "940", "941", "942":
		generation = "gfx" + generation
	case "910":
		generation = "gfx90a"
	}
	switch {
	case generation == "gfx906", generation == "gfx908":
		return vega, generation, true
	case generation == "gfx90a":
		return mi200, generation, true
	case strings.HasPrefix(generation, "gfx94"), strings.HasPrefix(generation, "gfx95"):
		return mi300, generation, true
	}
	return vega, generation, false // which is what RCCL takes too
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

// label is the name of GPU i.
func label(i int) string { return fmt.Sprintf("GPU%d", i) }
