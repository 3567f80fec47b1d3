package importer

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
)

// gpuLinks are the direct links between the GPUs of a machine.
type gpuLinks struct {
	kind        linkKind
	generations []string       // of the GPUs, where that decides about xGMI
	pairs       map[[2]int]int // how many links join two GPUs
	ports       int            // links of each GPU to a switch
	gbs         float64        // of one link, each way
}

// A linkKind is what direct links are called, one and several.
type linkKind struct{ one, several string }

var (
	nvlink = linkKind{"NVLink", "NVLinks"}
	xgmi   = linkKind{"xGMI", "xGMI links"}
)

// fabric decides what links are: direct connections of pairs, or a switch between all. A GPU has at most 18 NVLinks, so
// equal bundles to all others that would need more of them must come from a switch. xGMI joins pairs only.
func (d *Description) fabric(g *cluster.Group, l gpuLinks, nodes int) {
	const mostLinks = 18
	each, equal := 0, len(l.pairs) == nodes*(nodes-1)/2
	for _, k := range l.pairs {
		if each == 0 {
			each = k
		}
		equal = equal && k == each
	}
	if l.ports == 0 && l.kind == nvlink && equal && nodes > 2 && each*(nodes-1) > mostLinks {
		l.ports = each
	}
	if l.ports > 0 {
		g.NVSwitch = link(float64(l.ports) * l.gbs)
		d.assume("NVSwitch: %d %s of %g GB/s for each GPU", l.ports, l.kind.several, l.gbs)
		return
	}
	if len(l.pairs) == 0 {
		return
	}
	for i := range nodes {
		for j := i + 1; j < nodes; j++ {
			if k := l.pairs[[2]int{i, j}]; k > 0 {
				g.NVLinks = append(g.NVLinks, cluster.NVLink{Pair: []int{i, j}, Link: cluster.Link{GBs: float64(k) * l.gbs}})
			}
		}
	}
	of := ""
	if len(l.generations) > 0 {
		of = " (" + strings.Join(l.generations, ", ") + ")"
	}
	d.assume("%s: %g GB/s for each link of a pair%s", l.kind.one, l.gbs, of)
	if len(g.NVLinks) < nodes*(nodes-1)/2 {
		d.assume("%s: GPUs without a link of their own exchange over PCIe", l.kind.one)
	}
}

// noFabric is the warning about files that say nothing about direct links: NCCL finds these itself, so the files that
// cloud providers give it leave them out, and hwloc needs the library of the GPUs' vendor.
const noFabric = "the file does not say whether the GPUs have NVLink or xGMI, so all their traffic is priced over " +
	"PCIe, which is several times slower. Import what NCCL finds (run a job with NCCL_TOPO_DUMP_FILE=topo.xml), or add " +
	"--links nvidia-smi:FILE, where FILE is the output of nvidia-smi topo -m"

// Linked gives a machine the NVLinks that another file about it has.
func Linked(machine, links *Description) (*Description, error) {
	switch {
	case machine.Tree == nil || links.Tree == nil:
		return nil, errors.New("importer: NVLinks join GPUs of a machine; one of the two files is none")
	case machine.Tree.NVSwitch != nil || machine.Tree.NVLinks != nil:
		return nil, errors.New("importer: the file about the machine has NVLinks itself; leave the other out")
	case links.Tree.NVSwitch == nil && links.Tree.NVLinks == nil:
		return nil, errors.New("importer: the file about NVLinks has none; leave it out")
	case len(machine.Names) != len(links.Names):
		return nil, fmt.Errorf("importer: the machine has %d GPUs, the file about NVLinks %d",
			len(machine.Names), len(links.Names))
	}
	order, err := sameNames(links.Names, machine.Names)
	if err != nil {
		return nil, err
	}
	tree, out := *machine.Tree, *machine
	tree.NVSwitch = links.Tree.NVSwitch
	for _, v := range links.Tree.NVLinks {
		i, j := order[v.Pair[0]], order[v.Pair[1]]
		v.Pair = []int{min(i, j), max(i, j)}
		tree.NVLinks = append(tree.NVLinks, v)
	}
	out.Tree, out.Assumed, out.Warnings = &tree, slices.Clone(machine.Assumed), nil
	for _, line := range links.Assumed {
		if of, _, _ := strings.Cut(line, ":"); of == nvlink.one || of == xgmi.one || of == "NVSwitch" {
			out.assume("%s", line)
		}
	}
	for _, line := range slices.Concat(machine.Warnings, links.Warnings) {
		if line != noFabric {
			out.warn("%s", line)
		}
	}
	return &out, nil
}

// fabric reads what GPUs say about their NVLinks or xGMI links.
func (n *ncclReader) fabric(g *cluster.Group) error {
	l, said, astray := gpuLinks{pairs: map[[2]int]int{}}, false, 0
	for i, gpu := range n.gpus {
		for _, e := range gpu.self.inside {
			if e.name != "gpu" {
				continue
			}
			said = true
			lost, err := n.linksOf(i, e, &l)
			if err != nil {
				return err
			}
			astray += lost
		}
	}
	if !said {
		n.d.warn(noFabric)
	}
	if astray > 0 {
		n.d.warn("%d %s lead to GPUs that the file does not list; they do not count", astray, l.kind.several)
	}
	n.d.fabric(g, l, len(n.gpus))
	return nil
}

// linksOf adds the links of GPU i. A target of class 0x068000 is a switch, 0x068001 a processor. It returns how many
// links lead to GPUs that are not there.
func (n *ncclReader) linksOf(i int, gpu *element, l *gpuLinks) (astray int, err error) {
	kinds := map[string]linkKind{"nvlink": nvlink, "xgmi": xgmi}
	ports := 0
	for _, e := range gpu.inside {
		kind, isLink := kinds[e.name]
		if !isLink {
			continue
		}
		if l.gbs > 0 && l.kind != kind {
			return 0, errors.New("importer: the file has both NVLinks and xGMI links; a machine has one kind")
		}
		l.kind = kind
		n.rate(gpu, l)
		links := int(max(0, min(e.number("count"), 64)))
		j, known := n.bus[strings.ToLower(e.attr["target"])]
		switch pair := [2]int{min(i, j), max(i, j)}; {
		case e.attr["tclass"] == "0x068000":
			ports += links
		case e.attr["tclass"] == "0x068001", known && i == j:
		case !known:
			astray += links
		default:
			if other, twice := l.pairs[pair]; twice && other != links {
				return 0, fmt.Errorf("importer: %s has %d %s to %s, which has %d to it; one of them is damaged",
					n.d.Names[i], links, kind.several, n.d.Names[j], other)
			}
			l.pairs[pair] = links
		}
	}
	l.ports = max(l.ports, ports)
	return astray, nil
}

// rate takes over what one link of a GPU carries: of several generations the slowest counts.
func (n *ncclReader) rate(gpu *element, l *gpuLinks) {
	gbs := nvlinkOf(int(gpu.number("sm")))
	if l.kind == xgmi {
		generation, known := "", false
		gbs, generation, known = xgmiOf(gpu.attr["gcn"])
		if !slices.Contains(l.generations, generation) {
			l.generations = append(l.generations, generation)
		}
		if !known {
			n.d.warn("the xGMI rate of the GPU generation %q is not known; %g GB/s for each link is the slowest of all "+
				"generations. Measure it, and correct gb_s in nvlinks", shorten(generation), gbs)
		}
	}
	if l.gbs == 0 || gbs < l.gbs {
		l.gbs = gbs
	}
}
