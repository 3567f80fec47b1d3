package importer_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/format/importer"
)

var update = flag.Bool("update", false, "write what is made of the files as what should be")

// fixtures lists every real file with its format. A machine is shown four times, so that its network cards are seen.
var fixtures = []struct{ format, files string }{
	{"nvidia-smi", "[01][0-9]-*.txt"}, {"nccl", "[ar]*.xml"}, {"nvbandwidth", "nvbandwidth-*.json"},
	{"p2p", "gala2-*.txt"}, {"iperf3", "loopback-*.json"}, {"osu", "osu-*.txt"}, {"nccl-tests", "nccl-tests-*.json"},
	{"csv", "*.csv"}, {"gml", "*.gml"}, {"slurm", "*.conf"}, {"slurm-yaml", "topology.yaml"},
	{"hwloc", "nvidiaDGX2.xml"}, {"hwloc", "hwloc-*.xml"}, {"topograph", "topograph-*.yaml"},
}

func readFile(t testing.TB, format, file string) *importer.Description {
	t.Helper()
	f, err := importer.Find(format)
	if err != nil {
		t.Fatal(err)
	}
	r, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	d, err := f.Read(r)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return d
}

// written is a description as a file, with what was noted and warned of.
func written(t *testing.T, d *importer.Description) []byte {
	t.Helper()
	spec, err := d.Spec()
	if err != nil {
		t.Fatal(err)
	}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, line := range slices.Concat(d.Notes, d.Warnings) {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := cluster.Read("written", bytes.NewReader(b.Bytes())); err != nil {
		t.Fatalf("what was written cannot be read: %v", err)
	}
	return b.Bytes()
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; it is now\n%s", name, got)
	}
}

func TestEveryFixture(t *testing.T) {
	for _, f := range importer.Formats {
		if !slices.ContainsFunc(fixtures, func(k struct{ format, files string }) bool { return k.format == f.Name }) {
			t.Errorf("no real file of the format %s is read here: put one into testdata, and its line into fixtures", f.Name)
		}
	}
	for _, kind := range fixtures {
		files, err := filepath.Glob(filepath.Join("testdata", kind.files))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s", kind.files)
		}
		for _, file := range files {
			d := readFile(t, kind.format, file)
			switch {
			case kind.format == "iperf3" || kind.format == "osu":
				d.Names = []string{"here", "there"}
				if d, err = importer.Pairs([]*importer.Description{d}); err != nil {
					t.Fatal(err)
				}
			case d.Tree != nil && strings.HasPrefix(d.Names[0], "GPU"):
				if d, err = importer.Repeat(d, 4); err != nil {
					t.Fatal(err)
				}
			}
			golden(t, filepath.Base(file), written(t, d))
		}
	}
}

// The tiers of one machine and the rates measured on it.
func TestJoinOfTiersAndRates(t *testing.T) {
	structure := readFile(t, "nvidia-smi", "testdata/12-6xRTXPRO6000-gala2-short-numa-header.txt")
	rates := readFile(t, "p2p", "testdata/gala2-6xRTXPRO6000-p2pBandwidthLatencyTest.txt")
	d, err := importer.Join(structure, rates)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Assumed) != 0 {
		t.Errorf("every link was measured, yet %q is assumed", d.Assumed)
	}
	golden(t, "joined", written(t, d))
	four := readFile(t, "nvidia-smi", "testdata/06-aws-p3.8xlarge-4xV100-numa-na-tabs.txt")
	if _, err := importer.Join(four, rates); err == nil {
		t.Error("rates of six GPUs fit a structure of four")
	}
}

// Machines in the place of the hosts of a network.
func TestMergeOfMachineAndNetwork(t *testing.T) {
	d, err := importer.Merge(readFile(t, "slurm-yaml", "testdata/topology.yaml"),
		readFile(t, "nccl", "testdata/aws-p4d.24xlarge.xml"))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "merged", written(t, d))
}
