package importer

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// tiers are the classes of PCIe connections in nvidia-smi, closest first: what joins devices of that class, and what
// crosses it. SOC is what SYS was called.
var tiers = []struct {
	class, joins string
	crossing     float64
}{
	{"PIX", "switch", pcieGBs}, {"PXB", "switches", pcieGBs}, {"PHB", "bridge", pcieGBs}, {"NODE", "socket", pcieGBs},
	{"SYS", "server", socketGBs},
}

var (
	gpuLabel = regexp.MustCompile(`^GPU[0-9]+$`)
	nicLabel = regexp.MustCompile(`^(NIC[0-9]+|(mlx|bnxt|efa|rdmap|irdma|hfi|qedr|rocep|ibp|ib)[A-Za-z0-9_]*)$`)
	// A line of a legend, which names cards that have no column.
	legend = regexp.MustCompile(`^\s*\S+\s*[:=]`)
	// What stands behind the first name of a header.
	headed     = regexp.MustCompile(`^(GPU|NIC|CPU|NUMA|mlx)`)
	cores      = regexp.MustCompile(`^[0-9]+([-,][0-9]+)*$`)
	classLabel = regexp.MustCompile(`^(PIX|PXB|PHB|NODE|SYS|SOC|NV[0-9]{1,3})`)
)

// A topo is the table of nvidia-smi topo -m: classes between GPUs, and from GPUs to network cards.
type topo struct {
	gpus, nics []string
	cells      [][]string // by GPU: to every GPU, then to every card
	cores      []string   // by GPU: the CPU cores of its NUMA node; "" where that is not said
}

// readNvidiaSMI reads nvidia-smi topo -m. Rates are not in it: they are those of the classes, all of them assumed.
func readNvidiaSMI(source []byte) (*Description, error) {
	t, err := readTopo(string(source))
	if err != nil {
		return nil, err
	}
	d := &Description{}
	g, order := t.group(topology.InOrder(len(t.gpus)), len(tiers)-1)
	g.Name = "server"
	links := gpuLinks{kind: nvlink, pairs: map[[2]int]int{}, gbs: nvlinkGBs}
	for a, i := range order {
		d.Names = append(d.Names, t.gpus[i])
		for b := a + 1; b < len(order); b++ {
			if k, ok := strings.CutPrefix(t.cells[i][order[b]], "NV"); ok {
				links.pairs[[2]int{a, b}], _ = strconv.Atoi(k)
				if k == "18" { // only Hopper and later have this many
					links.gbs = hopperGBs
				}
			}
		}
	}
	d.assume("PCIe: %g GB/s for every link of a GPU and uplink of a switch", float64(pcieGBs))
	if len(g.Groups) > 0 && g.Groups[0].Uplink.GBs == socketGBs {
		d.assume("between sockets: %g GB/s for each", float64(socketGBs))
	}
	d.fabric(&g, links, len(order))
	d.cards(&g, t, order)
	d.Tree = &g
	return d, nil
}

// A row is a line of the table behind its name.
type row struct {
	line  int
	cells []string
}

// readRows takes every line that begins with the name of a GPU or of a network card for a row.
func (t *topo) readRows(text string) (map[string]row, error) {
	rows, columns := map[string]row{}, []string(nil)
	for k, line := range strings.Split(text, "\n") {
		if legend.MatchString(line) {
			continue
		}
		cells := strings.Fields(line)
		if len(cells) < 2 || headed.MatchString(cells[1]) {
			columns = append(columns, cells...)
			continue
		}
		name := cells[0]
		switch _, twice := rows[name]; {
		case twice:
			return nil, fmt.Errorf("importer: line %d: %s has a second row; give one topology at a time", k+1, name)
		case gpuLabel.MatchString(name):
			t.gpus = append(t.gpus, name)
		case nicLabel.MatchString(name):
			t.nics = append(t.nics, name)
		default:
			continue
		}
		rows[name] = row{k + 1, cells[1:]}
	}
	if len(t.gpus) == 0 {
		return nil, fmt.Errorf("importer: no row begins with GPU0, GPU1, …; is this what \"nvidia-smi topo -m\" prints?")
	}
	for _, name := range columns {
		if _, ok := rows[name]; !ok && (gpuLabel.MatchString(name) || nicLabel.MatchString(name)) {
			return nil, fmt.Errorf("importer: %s has a column and no row; is the end of the table missing?", name)
		}
	}
	if len(t.gpus) > mostDevices {
		return nil, fmt.Errorf("importer: %d GPUs in one machine; at most %d are supported", len(t.gpus), mostDevices)
	}
	return rows, nil
}

// readTopo returns the GPUs and network cards of the table, with the link class of every pair that has a GPU.
func readTopo(text string) (*topo, error) {
	t := &topo{}
	rows, err := t.readRows(text)
	if err != nil {
		return nil, err
	}
	labels := slices.Concat(t.gpus, t.nics)
	for i, name := range t.gpus {
		r := rows[name]
		cells := make([]string, len(labels))
		for j, other := range labels {
			cell := ""
			if j < len(r.cells) {
				cell = r.cells[j]
			}
			class, ok := readClass(cell, i == j)
			if !ok && j >= len(t.gpus) {
				class, ok = "SYS", cell == "" // a row that ends early says nothing about cards
			}
			if !ok {
				return nil, fmt.Errorf("importer: line %d: row %s, column %s is %q; it must be one of "+
					"X, PIX, PXB, PHB, NODE, SYS, SOC or NV with a number",
					r.line, name, other, shorten(cell))
			}
			cells[j] = class
		}
		t.cells, t.cores = append(t.cells, cells), append(t.cores, "")
		if len(r.cells) > len(labels) {
			switch next := r.cells[len(labels)]; {
			case cores.MatchString(next):
				t.cores[i] = next
			case next == classLabel.FindString(next):
				return nil, fmt.Errorf("importer: line %d: row %s has a %s for a device that has no row; is the end of the table "+
					"missing?", r.line, name, next)
			}
		}
	}
	return t, t.symmetric()
}

// readClass reads one cell. Behind a class may stand what belongs to the next column.
func readClass(cell string, self bool) (string, bool) {
	if self {
		return "X", cell == "X"
	}
	class := classLabel.FindString(cell)
	if class == "SOC" {
		class = "SYS"
	}
	return class, class != "" && !strings.HasSuffix(class, "NV0")
}

// symmetric complains about two GPUs that say different things of each other.
func (t *topo) symmetric() error {
	for i := range t.gpus {
		for j := range i {
			if t.cells[i][j] != t.cells[j][i] {
				return fmt.Errorf("importer: row %s, column %s is %s, but row %s, column %s is %s; one of them is damaged",
					t.gpus[i], t.gpus[j], t.cells[i][j], t.gpus[j], t.gpus[i], t.cells[j][i])
			}
		}
	}
	return nil
}

// tier is how far apart two devices are over PCIe. Behind NVLinks that is not said: as far as can be.
func tier(class string) int {
	for k, t := range tiers {
		if t.class == class {
			return k
		}
	}
	return len(tiers) - 1
}

// group makes the tree of some GPUs that are at most a tier apart, and says in which order it holds them. GPUs closer
// than that are groups inside.
func (t *topo) group(gpus []int, level int) (cluster.Group, []int) {
	for level > 0 && len(t.parts(gpus, level)) == 1 {
		level--
	}
	g := cluster.Group{Name: tiers[level].joins}
	parts := t.parts(gpus, level)
	if level == 0 || len(parts) == len(gpus) {
		g.Nodes, g.Link = len(gpus), link(pcieGBs)
		return g, gpus
	}
	var order []int
	for _, part := range parts {
		inner, inside := t.group(part, level-1)
		inner.Uplink = link(tiers[level].crossing)
		order = append(order, inside...)
		g.Groups = appendAlike(g.Groups, inner)
	}
	return g, order
}

// parts divides GPUs into those that are closer than a tier, directly or over others.
func (t *topo) parts(gpus []int, level int) [][]int {
	var parts [][]int
	for _, i := range gpus {
		joined := []int{i}
		parts = slices.DeleteFunc(parts, func(p []int) bool {
			near := slices.ContainsFunc(p, func(j int) bool { return tier(t.cells[i][j]) < level })
			if near {
				joined = append(joined, p...)
			}
			return near
		})
		slices.Sort(joined)
		parts = append(parts, joined)
	}
	slices.SortFunc(parts, func(a, b []int) int { return a[0] - b[0] })
	return parts
}

// cards gives every GPU its closest network card. Of cards that are equally far those of its own NUMA node are closer:
// cards that one of the GPUs with the same CPU cores reaches without leaving the node.
func (d *Description) cards(g *cluster.Group, t *topo, order []int) {
	if len(t.nics) == 0 {
		return
	}
	apart := func(gpu, k int) int { return tier(t.cells[gpu][len(t.gpus)+k]) }
	distance := func(i, k int) int {
		for other, cores := range t.cores {
			if cores != "" && cores == t.cores[order[i]] && apart(other, k) < len(tiers)-1 {
				return 2 * apart(order[i], k)
			}
		}
		return 2*apart(order[i], k) + 1
	}
	of, _, far := dealt(len(order), len(t.nics), distance)
	g.NICs = &cluster.NICs{Link: cluster.Link{GBs: nicGBs}, OfNodes: of}
	if hasGroup(g, "switch") && allWithin(g, "switch") && far/2 <= 1 {
		g.NICs.At = "switch"
	}
	d.assume("network cards: %g GB/s (100 Gb/s) each", float64(nicGBs))
}
