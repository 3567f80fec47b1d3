package importer_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/format/importer"
)

// fuzzed feeds a reader with its fixtures and what becomes of them. What it accepts must be a cluster, or be refused
// as one.
func fuzzed(f *testing.F, format string, read func(io.Reader) (*importer.Description, error)) {
	for _, kind := range fixtures {
		if kind.format != format {
			continue
		}
		files, _ := filepath.Glob(filepath.Join("testdata", kind.files))
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := read(bytes.NewReader(b))
		if err != nil {
			return
		}
		if d.Tree != nil && len(d.Names) <= 64 {
			if repeated, err := importer.Repeat(d, 2); err == nil {
				d = repeated
			}
		}
		spec, err := d.Spec()
		if err != nil {
			t.Fatal(err)
		}
		c, err := cluster.New(spec)
		if err == nil && c.Nodes() != len(d.Names) && len(d.Names) > 0 {
			t.Fatalf("%d nodes with %d names", c.Nodes(), len(d.Names))
		}
	})
}

func FuzzNvidiaSMI(f *testing.F)   { fuzzed(f, "nvidia-smi", importer.NvidiaSMI) }
func FuzzNCCL(f *testing.F)        { fuzzed(f, "nccl", importer.NCCL) }
func FuzzNVBandwidth(f *testing.F) { fuzzed(f, "nvbandwidth", importer.NVBandwidth) }
func FuzzP2P(f *testing.F)         { fuzzed(f, "p2p", importer.P2P) }
func FuzzIperf3(f *testing.F)      { fuzzed(f, "iperf3", importer.Iperf3) }
func FuzzOSU(f *testing.F)         { fuzzed(f, "osu", importer.OSU) }
func FuzzNCCLTests(f *testing.F)   { fuzzed(f, "nccl-tests", importer.NCCLTests) }
func FuzzCSV(f *testing.F)         { fuzzed(f, "csv", importer.CSV) }
func FuzzGML(f *testing.F)         { fuzzed(f, "gml", importer.GML) }
func FuzzSlurmConf(f *testing.F)   { fuzzed(f, "slurm", importer.SlurmConf) }
func FuzzSlurmYAML(f *testing.F)   { fuzzed(f, "slurm-yaml", importer.SlurmYAML) }
func FuzzHWLoc(f *testing.F)       { fuzzed(f, "hwloc", importer.HWLoc) }
func FuzzTopograph(f *testing.F)   { fuzzed(f, "topograph", importer.Topograph) }
