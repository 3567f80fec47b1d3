package importer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/format/importer"
)

// iperf3 writes what the program prints for a pair, as far as it is read.
func iperf3(t *testing.T, from, to string, mbit float64, reverse int, roundTrip int) *importer.Description {
	t.Helper()
	source := fmt.Sprintf(`{"start": {"connected": [{"local_host": %q, "remote_host": %q}], "test_start": {"reverse": %d}},
		"end": {"sum_received": {"bits_per_second": %g},
			"streams": [{"sender": {"sender": %t, "min_rtt": %d}}]}}`, from, to, reverse, mbit*1e6, reverse == 0, roundTrip)
	d, err := read("iperf3", strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The host that ran the program comes first, whichever way data went, so that a name of the file fits both.
func TestReversedMeasurement(t *testing.T) {
	d := iperf3(t, "us", "eu", 800, 1, 3)
	if d.Names[0] != "us" || d.Matrix.GBs[0][1] != 0 || d.Matrix.GBs[1][0] != 0.1 || d.Matrix.LatencyMS != nil {
		t.Errorf("eu to us is 0.1 GB/s; read %v, %+v", d.Names, d.Matrix)
	}
}

// Round trips are halved, the shortest counts, and what no file measures is said.
func TestPairsThatWereNotMeasured(t *testing.T) {
	d, err := importer.Pairs([]*importer.Description{
		iperf3(t, "a", "b", 800, 0, 90_000), iperf3(t, "b", "a", 400, 0, 80_000), iperf3(t, "b", "c", 1600.000001, 1, 0)})
	if err != nil {
		t.Fatal(err)
	}
	if l := d.Matrix.LatencyMS; l == nil || l[0][1] != 40 || l[1][0] != 40 || l[1][2] != 0 {
		t.Errorf("latencies are %v", l)
	}
	if g := d.Matrix.GBs; g[0][1] != 0.1 || g[1][0] != 0.05 || g[1][2] != 0.2 || g[0][2] != 0 {
		t.Errorf("rates are %v", g)
	}
	all := strings.Join(d.Assumed, "\n")
	for _, want := range []string{"the way back is as fast as the way there, where only one was measured: b–c",
		"cannot talk to each other: a–c", "no latency where the files tell of no round trip: b–c",
		"pairs measured one at a time do not slow each other down"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
}

// The fastest of several measurements is luck: the median counts, and what was merged is said.
func TestRepeatedMeasurements(t *testing.T) {
	both := func(there, back float64) *importer.Description {
		d := iperf3(t, "b", "c", there, 0, 0)
		d.Matrix.GBs[1][0] = back / 8000
		return d
	}
	d, err := importer.Pairs([]*importer.Description{
		iperf3(t, "a", "b", 800, 0, 0), iperf3(t, "a", "b", 1600, 0, 0), iperf3(t, "b", "a", 880, 1, 0),
		iperf3(t, "a", "b", 400, 1, 0), iperf3(t, "b", "a", 480, 0, 0), // the other direction, by either host
		both(560, 720), both(640, 800), iperf3(t, "b", "c", 4000, 0, 0),
		iperf3(t, "a", "c", 960, 0, 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		what      string
		got, want float64
	}{
		{"a to b, the middle of three", d.Matrix.GBs[0][1], 0.11}, {"b to a, the slower of two", d.Matrix.GBs[1][0], 0.05},
		{"b to c, both ways at once", d.Matrix.GBs[1][2], 0.07}, {"c to b", d.Matrix.GBs[2][1], 0.09},
		{"a to c", d.Matrix.GBs[0][2], 0.12},
	} {
		if tc.got != tc.want {
			t.Errorf("%s: %v GB/s, want %v", tc.what, tc.got, tc.want)
		}
	}
	notes, warned := strings.Join(d.Notes, "\n"), strings.Join(d.Warnings, "\n")
	for _, want := range []string{"a→b 0.1 to 0.2 GB/s in 3 files", "b→a 0.05 to 0.06 GB/s in 2 files",
		"b→c 0.07 to 0.08 GB/s in 2 files", "both directions at once, only the latter counts: b→c"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not in the notes\n%s", want, notes)
		}
	}
	if !strings.Contains(warned, "differ by more than a factor of 1.5: a→b 0.1 to 0.2 GB/s;") || strings.Contains(notes, "a→c") {
		t.Errorf("notes:\n%s\nwarnings:\n%s", notes, warned)
	}
}

// Many hosts measured one way need one line, not one for each pair.
func TestManyPairsAreSaidInOneLine(t *testing.T) {
	var all []*importer.Description
	for i := range 12 {
		for j := range i {
			all = append(all, iperf3(t, fmt.Sprint("host", i), fmt.Sprint("host", j), 900, 0, 500))
		}
	}
	d, err := importer.Pairs(all)
	if err != nil || len(d.Assumed) != 2 || !strings.Contains(d.Assumed[0], " and 58 more") {
		t.Errorf("%v: %q", err, d.Assumed)
	}
}

// scontrol lists the nodes below a switch of switches again.
func TestPrintedBySlurm(t *testing.T) {
	d, err := read("slurm", strings.NewReader(`SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=gpu[1-2]
SwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=gpu[3-4]
SwitchName=spine Level=1 LinkSpeed=1 Nodes=gpu[1-4] Switches=leaf[1-2]
`))
	if err != nil || d.Tree.Nodes != 0 || len(d.Tree.Groups) != 2 || d.Tree.Groups[1].Nodes != 2 || len(d.Names) != 4 {
		t.Errorf("%v: %+v", err, d)
	}
}

// A machine is put into a network, not a network into a machine.
func TestMergeTheWrongWayRound(t *testing.T) {
	machine := readFile(t, "nvidia-smi", "testdata/06-aws-p3.8xlarge-4xV100-numa-na-tabs.txt")
	network := readFile(t, "slurm-yaml", "testdata/topology.yaml")
	if _, err := importer.Merge(machine, network); err == nil || !strings.Contains(err.Error(), "is a machine") {
		t.Errorf("a network in place of every GPU: %v", err)
	}
}

// Plain numbers that no link has in GB/s are taken as such, with a warning; those with a unit, and usual ones, without.
func TestCSVDoubtsHugeRates(t *testing.T) {
	for _, tc := range []struct {
		file string
		gbs  float64 // from the first node to the second
		warn bool
	}{
		{"0,9400,9410\n9380,0,9400\n940,9400,0\n", 9400, true},
		{"0,9400Mb/s\n9400Mb/s,0\n", 1.175, false},
		{"0,940Mb/s\n0.94 Gbits/sec,0\n", 0.1175, false}, // and no 0.11750000000000001
		{"0,940 Mbits/sec\n940 Mbits/sec,0\n", 0.1175, false},
		{"0,450,600\n450,0,450\n450,450,0\n", 450, false},
		{"99999,12\n12,99999\n", 12, false}, // the diagonal is nobody's link
	} {
		d, err := read("csv", strings.NewReader(tc.file))
		if err != nil {
			t.Fatal(err)
		}
		if d.Matrix.GBs[0][1] != tc.gbs || (len(d.Warnings) > 0) != tc.warn {
			t.Errorf("%q: %v GB/s, warnings %q; want %v, and one: %v", tc.file, d.Matrix.GBs[0][1], d.Warnings, tc.gbs, tc.warn)
		}
		plain := !strings.Contains(tc.file, "/s")
		if said := slices.ContainsFunc(d.Assumed, func(s string) bool { return strings.Contains(s, "without a unit") }); said != plain {
			t.Errorf("%q: assumed %q", tc.file, d.Assumed)
		}
		if tc.warn && !strings.Contains(d.Warnings[0], "9400Mb/s") {
			t.Errorf("%q does not say how to give units", d.Warnings[0])
		}
	}
}

// Sites that are plain in measured pairs are named.
func TestSitesOfMeasuredPairsAreNamed(t *testing.T) {
	var all []*importer.Description
	hosts := []string{"berlin1", "oslo1", "berlin2", "oslo2"}
	for i, a := range hosts {
		for j, b := range hosts[:i] {
			gbs := 0.1
			if i%2 == j%2 {
				gbs = 1.1
			}
			all = append(all, &importer.Description{Names: []string{a, b},
				Matrix: &cluster.Matrix{GBs: [][]float64{{0, gbs}, {gbs, 0}}}})
		}
	}
	d, err := importer.Pairs(all)
	if err != nil {
		t.Fatal(err)
	}
	const want = "2 groups of nodes are plain: rates between them fall by a factor of 11: [oslo1, oslo2], [berlin1, berlin2]."
	if notes := strings.Join(d.Notes, "\n"); !strings.Contains(notes, want) {
		t.Errorf("notes are %q, want %q", notes, want)
	}
}
