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
func fuzzed(f *testing.F, format string) {
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
		d, err := read(format, bytes.NewReader(b))
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

func FuzzNvidiaSMI(f *testing.F)   { fuzzed(f, "nvidia-smi") }
func FuzzNCCL(f *testing.F)        { fuzzed(f, "nccl") }
func FuzzNVBandwidth(f *testing.F) { fuzzed(f, "nvbandwidth") }
func FuzzP2P(f *testing.F)         { fuzzed(f, "p2p") }
func FuzzIperf3(f *testing.F)      { fuzzed(f, "iperf3") }
func FuzzOSU(f *testing.F)         { fuzzed(f, "osu") }
func FuzzNCCLTests(f *testing.F)   { fuzzed(f, "nccl-tests") }
func FuzzCSV(f *testing.F)         { fuzzed(f, "csv") }
func FuzzGML(f *testing.F)         { fuzzed(f, "gml") }
func FuzzSlurmConf(f *testing.F)   { fuzzed(f, "slurm") }
func FuzzSlurmYAML(f *testing.F)   { fuzzed(f, "slurm-yaml") }
func FuzzHWLoc(f *testing.F)       { fuzzed(f, "hwloc") }
func FuzzTopograph(f *testing.F)   { fuzzed(f, "topograph") }

// read reads a file of that format.
func read(format string, r io.Reader) (*importer.Description, error) {
	f, err := importer.Find(format)
	if err != nil {
		return nil, err
	}
	return f.Read(r)
}
