package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

const imported = "../../importer/testdata/"

// What nvidia-smi and a measurement say, as a description that every other command reads.
func TestImportedMachineIsUnderstood(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	must(t, "import", "--structure", "nvidia-smi:"+imported+"12-6xRTXPRO6000-gala2-short-numa-header.txt",
		"--rates", "p2p:"+imported+"gala2-6xRTXPRO6000-p2pBandwidthLatencyTest.txt", "-o", file)
	shown := must(t, "cluster", "show", file, "-o", filepath.Join(t.TempDir(), "cluster.svg"))
	for _, want := range []string{"6 nodes", "15 pairs that may be edges", "47.1/47.4", "each edge gets, GB/s"} {
		if !strings.Contains(shown, want) {
			t.Errorf("cluster show does not say %q:\n%s", want, shown)
		}
	}
	plan := filepath.Join(t.TempDir(), "plan.json")
	must(t, "optimize", file, "--edges", "8", "--evaluations", "100", "-o", plan)
	if out := must(t, "verify", plan); !strings.Contains(out, "0 are false") {
		t.Error(out)
	}
}

func TestImportSaysWhatItAssumes(t *testing.T) {
	out := must(t, "import", "nccl", imported+"aws-p4d.24xlarge.xml", "--servers", "4")
	if !strings.HasPrefix(out, "# assumed: network cards: 12 GB/s (100 Gb/s) each\n") ||
		!strings.Contains(out, "nodes: 32\n") {
		t.Error(out)
	}
	for want, args := range map[string][]string{
		"unknown format":             {"import", "lstopo", "x"},
		`unknown format "topo.txt"`:  {"import", "topo.txt"},
		"needs a file":               {"import", "nccl"},
		"import what?":               {"import"},
		"must be FORMAT:FILE":        {"import", "--rates", "x"},
		"both ends of a measurement": {"import", "iperf3", imported + "loopback-2s.json"},
		"not both":                   {"import", "csv", "x", "--rates", "csv:y"},
	} {
		if code, _, errs := run(t, args...); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("batopo %s: exit %d, %s; want %q", strings.Join(args, " "), code, errs, want)
		}
	}
}
