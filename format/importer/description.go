package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/ground/limits"
)

// A Description is what a file says about a machine or a network.
type Description struct {
	Names   []string        // of the nodes, in order
	Tree    *cluster.Group  // structure: which nodes share what; its own network cards lead out of the machine
	Links   []cluster.Wire  // structure as a graph
	Transit bool            // see cluster.Spec
	Matrix  *cluster.Matrix // rates between pairs
	Assumed []string        // what was not in the file and came from the defaults
	Notes   []string        // what was understood in which way
	// Warnings are about what was read in a way that was hardly meant.
	Warnings []string
}

// A Format is one kind of file.
type Format struct {
	Name, About string
	PerPair     bool   // one file per pair of hosts: [Pairs] joins them
	what        string // a file is, in messages
	most        int    // bytes of it
	read        func(source []byte) (*Description, error)
}

// Read reads a file of the format.
func (f Format) Read(r io.Reader) (*Description, error) {
	source, err := limits.ReadText(r, f.most, f.what)
	if err != nil {
		return nil, err
	}
	return f.read(source)
}

// How large files may be.
const small, large = limits.ClusterBytes, limits.ImportBytes

// Formats lists all that is read.
var Formats = []Format{
	{"nvidia-smi", "nvidia-smi topo -m", false, "a topology of nvidia-smi", large, readNvidiaSMI},
	{"nccl", "NCCL topology XML, version 1 or 2 (NCCL_TOPO_DUMP_FILE)",
		false, "a topology file of NCCL", large, readNCCL},
	{"nvbandwidth", "nvbandwidth -j", false, "an output of nvbandwidth", large, readNVBandwidth},
	{"p2p", "p2pBandwidthLatencyTest of the CUDA samples",
		false, "an output of p2pBandwidthLatencyTest", large, readP2P},
	{"iperf3", "iperf3 -J, one file per pair of hosts", true, "an output of iperf3", large, readIperf3},
	{"osu", "osu_bw, osu_bibw or osu_mbw_mr of the OSU micro-benchmarks, one file per pair of hosts",
		true, "an output of the OSU micro-benchmarks", large, readOSU},
	{"nccl-tests", "nccl-tests with -J: all ranks at one rate",
		false, "an output of nccl-tests", large, readNCCLTests},
	{"csv", "a matrix of GB/s as CSV: row from, column to", false, "a matrix", large, readCSV},
	{"gml", "a network as GML, with capacity in bit/s and distance in km", false, "a GML file", large, readGML},
	{"slurm", "Slurm's topology.conf, or what scontrol show topology prints",
		false, "a topology.conf", large, readSlurmConf},
	{"slurm-yaml", "Slurm's topology.yaml", false, "a topology.yaml", small, readSlurmYAML},
	{"hwloc", "hwloc's XML, as lstopo machine.xml writes it", false, "a topology of hwloc", large, readHWLoc},
	{"topograph", "a model of NVIDIA's topograph", false, "a model of topograph", small, readTopograph},
}

// Find returns the format of that name.
func Find(name string) (Format, error) {
	k := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if k < 0 {
		var names []string
		for _, f := range Formats {
			names = append(names, f.Name)
		}
		return Format{}, fmt.Errorf("importer: unknown format %q; formats are %s", name, strings.Join(names, ", "))
	}
	return Formats[k], nil
}

func (d *Description) assume(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(d.Assumed, line) {
		d.Assumed = append(d.Assumed, line)
	}
}

func (d *Description) warn(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(d.Warnings, line) {
		d.Warnings = append(d.Warnings, line)
	}
}

func (d *Description) note(format string, args ...any) {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
}

// Spec is the description as a cluster file of version 2.
func (d *Description) Spec() (cluster.Spec, error) {
	s := cluster.Spec{Format: cluster.FormatV2, Assumptions: d.Assumed, Names: d.Names}
	switch {
	case d.Tree != nil:
		root := *d.Tree
		root.NICs, root.Uplink, root.Count = nil, nil, 0 // of a machine that is alone
		s.Tree = &root
	case d.Links != nil:
		s.Links, s.Transit = d.Links, d.Transit
	case d.Matrix != nil:
		s.Matrix = d.Matrix
	default:
		return s, errors.New("importer: neither structure nor rates were read")
	}
	return s, nil
}

// whole refuses a text whose last line has no end: what was cut off may be the rest of a name or a number.
func whole(source []byte) error {
	if lines := bytes.Count(source, []byte("\n")); !bytes.HasSuffix(source, []byte("\n")) {
		return fmt.Errorf("importer: line %d has no line break at its end; was the file cut? If it is whole, add one",
			lines+1)
	}
	return nil
}
