package importer

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/batopo/batopo/cluster"
)

// readHWLoc reads the XML of hwloc (lstopo machine.xml), version 2 or 3. PCIe links have the speed that is in the file,
// and so have NVLinks and xGMI links where hwloc was built with the library of the GPUs' vendor.
func readHWLoc(source []byte) (*Description, error) {
	root, err := readXML(source, "a topology of hwloc")
	if err != nil {
		return nil, err
	}
	if root.name != "topology" {
		return nil, fmt.Errorf("importer: the outermost element is %q; a topology of hwloc has \"topology\"",
			shorten(root.name))
	}
	h := hwlocReader{arch: root.info("Architecture"), gpuOf: map[string]int{}}
	system := &element{name: "system"}
	h.sockets(root, system)
	n := ncclReader{d: &Description{}, bus: map[string]int{}}
	g, err := n.machine(system)
	if err != nil {
		return nil, err
	}
	said := true
	for i, gpu := range n.gpus {
		for _, dev := range strings.Fields(gpu.self.attr["osdevs"]) {
			h.gpuOf[dev] = i
		}
		said = said && gpu.self.attr["vendor_library"] != ""
	}
	for _, e := range root.inside {
		if name := e.attr["name"]; slices.Contains([]string{"NVLinkBandwidth", "XGMIBandwidth", "XeLinkBandwidth"}, name) {
			if err := h.links(name, e, &g, len(n.gpus)); err != nil {
				return nil, err
			}
			said = true
		}
	}
	if !said {
		n.d.warn(noFabric)
	}
	n.cards(&g)
	n.d.Tree = &g
	return n.d, nil
}

// A hwlocReader turns the objects of hwloc into elements as NCCL writes them.
type hwlocReader struct {
	arch  string         // of the processors
	gpuOf map[string]int // by the numbers of its OSDevs
}

// info is what hwloc says about an object, or about one inside it.
func (e *element) info(name string) string {
	for _, o := range e.inside {
		if o.name == "info" && o.attr["name"] == name {
			return o.attr["value"]
		}
	}
	for _, o := range e.inside {
		if value := o.info(name); value != "" {
			return value
		}
	}
	return ""
}

// sockets finds the packages of a machine, or takes it for one.
func (h *hwlocReader) sockets(e, system *element) {
	for _, o := range e.inside {
		switch {
		case o.attr["type"] == "Package":
			cpu := &element{name: "cpu", attr: map[string]string{
				"arch": h.arch, "vendor": o.info("CPUVendor"), "modelid": o.info("CPUModelNumber"),
			}}
			h.devices(o, cpu)
			system.inside = append(system.inside, cpu)
		case o.attr["type"] == "Bridge": // on the machine itself
			cpu := &element{name: "cpu", attr: map[string]string{}}
			h.devices(&element{inside: []*element{o}}, cpu)
			system.inside = append(system.inside, cpu)
		case o.name == "object":
			h.sockets(o, system)
		}
	}
}

// devices adds the bridges and devices below an object; caches and cores are passed by.
func (h *hwlocReader) devices(o, into *element) {
	for _, inner := range o.inside {
		if inner.name != "object" {
			continue
		}
		host := inner.attr["type"] == "Bridge" && strings.HasPrefix(inner.attr["bridge_type"], "0-")
		switch {
		case inner.attr["type"] == "PCIDev":
			into.inside = append(into.inside, h.device(inner))
		case inner.attr["type"] == "Bridge" && !host:
			bridge := &element{name: "pci", attr: map[string]string{"class": "0x060400", "gb_s": inner.attr["pci_link_speed"]}}
			h.devices(inner, bridge)
			into.inside = append(into.inside, bridge)
		default:
			h.devices(inner, into)
		}
	}
}

// A GPU has an OSDev for every library that found it. Those of its vendor come first: they number GPUs as people see
// them. OpenCL has a number for its platform, then one for the GPU.
var (
	libraries = []string{"nvml", "cuda", "rsmi", "ze", "opencl"}
	computes  = regexp.MustCompile(`^(nvml|cuda|rsmi|ze|opencl[0-9]+d)([0-9]+)`)
	pciType   = regexp.MustCompile(`^([0-9a-fA-F]{4}) \[([0-9a-fA-F]{4}):([0-9a-fA-F]{4})\]`)
)

// device is a GPU where something on it computes; a plain graphics card is none.
func (h *hwlocReader) device(o *element) *element {
	pci := &element{name: "pci", attr: map[string]string{"busid": o.attr["pci_busid"], "gb_s": o.attr["pci_link_speed"]}}
	kind := ""
	if found := pciType.FindStringSubmatch(o.attr["pci_type"]); found != nil {
		kind = found[1]
		pci.attr["vendor"], pci.attr["device"] = "0x"+found[2], "0x"+found[3]
	}
	pci.attr["class"] = "0x" + kind
	best := len(libraries)
	for _, dev := range o.inside {
		found := computes.FindStringSubmatch(dev.attr["name"])
		if found == nil {
			continue
		}
		pci.attr["osdevs"] += " " + dev.attr["gp_index"]
		if found[1] == "nvml" || found[1] == "rsmi" || found[1] == "ze" {
			pci.attr["vendor_library"] = found[1]
		}
		library := slices.IndexFunc(libraries, func(name string) bool { return strings.HasPrefix(found[1], name) })
		if library < best {
			best = library
			pci.inside = []*element{{name: "gpu", attr: map[string]string{"dev": found[2]}}}
		}
	}
	if len(pci.inside) == 0 && !strings.HasPrefix(kind, "02") {
		pci.attr["class"] = "0xff"
	}
	return pci
}

// links reads a matrix of bandwidths in MB/s between GPUs, and between GPUs and switches.
func (h *hwlocReader) links(name string, e *element, g *cluster.Group, gpus int) error {
	var objects, values []string
	for _, part := range e.inside {
		switch part.name {
		case "indexes":
			objects = append(objects, strings.Fields(string(part.text))...)
		case "u64values":
			values = append(values, strings.Fields(string(part.text))...)
		}
	}
	if len(objects) > 4*mostDevices || len(values) != len(objects)*len(objects) {
		return fmt.Errorf("importer: %s has %d values for %d objects; it must have one for each pair",
			name, len(values), len(objects))
	}
	ports, pairs := 0., map[[2]int]float64{}
	for a, object := range objects {
		i, isGPU := h.gpuOf[strings.TrimPrefix(object, "OSDev:")]
		if !isGPU {
			continue
		}
		switched := 0.
		for b, other := range objects {
			v, err := strconv.ParseFloat(values[a*len(objects)+b], 64)
			if err != nil || !(v >= 0 && v < 1e9) {
				return fmt.Errorf("importer: %s: row %d, column %d is %q; it must be MB/s",
					name, a, b, shorten(values[a*len(objects)+b]))
			}
			if j, ok := h.gpuOf[strings.TrimPrefix(other, "OSDev:")]; ok && i < j && v > 0 {
				pairs[[2]int{i, j}] = v / 1000
			} else if strings.HasPrefix(other, "PCIDev:") { // a switch; a processor is a Package
				switched += v / 1000
			}
		}
		ports = max(ports, switched)
	}
	if ports > 0 {
		g.NVSwitch = link(ports)
		return nil
	}
	for i := range gpus {
		for j := i + 1; j < gpus; j++ {
			if v := pairs[[2]int{i, j}]; v > 0 {
				g.NVLinks = append(g.NVLinks, cluster.NVLink{Pair: []int{i, j}, Link: cluster.Link{GBs: v}})
			}
		}
	}
	return nil
}
