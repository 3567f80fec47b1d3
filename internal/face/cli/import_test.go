package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const imported = "../../../format/importer/testdata/"

// What nvidia-smi and a measurement say, as a description that every other command reads.
func TestImportedMachineIsUnderstood(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	must(t, "import", "--structure", "nvidia-smi:"+imported+"12-6xRTXPRO6000-gala2-short-numa-header.txt",
		"--rates", "p2p:"+imported+"gala2-6xRTXPRO6000-p2pBandwidthLatencyTest.txt", "-o", file)
	shown := must(t, "cluster", "show", file, "-o", filepath.Join(t.TempDir(), "cluster.svg"))
	for _, want := range []string{"6 nodes", "15 pairs that can exchange", "47.1/47.4", "each edge gets, GB/s"} {
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
	_, out, errs := run(t, "import", "nccl", imported+"aws-p4d.24xlarge.xml", "--servers", "4")
	if !strings.Contains(out, "assumptions:\n- \"network cards: 12.5 GB/s (100 Gb/s) each, as EFA has\"\n") ||
		!strings.Contains(out, "nodes: 32\n") || !strings.Contains(errs, "read: 32 nodes, 72 links, 496 pairs") ||
		!strings.Contains(errs, "--links nvidia-smi:") {
		t.Error(out, errs)
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

// NVLinks of one file and everything else of another; the warning about their absence is gone.
func TestImportedLinks(t *testing.T) {
	code, out, errs := run(t, "import", "nccl", imported+"azure-ndv5-topo.xml", "--links",
		"nvidia-smi:"+imported+"09-8xH100-nv18-nic0-tabs.txt", "--servers", "2")
	if code != 0 || !strings.Contains(out, "nvswitch:\n      gb_s: 370.8\n") || strings.Contains(errs, "warning") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

// What importing assumed is part of the question that a plan answers, and does not change the plan.
func TestAssumptionsStayWithThePlan(t *testing.T) {
	folder := t.TempDir()
	with, without := filepath.Join(folder, "with.yaml"), filepath.Join(folder, "without.yaml")
	must(t, "import", "csv", imported+"gossipfl-15-node-wan.csv", "-o", with)
	text, err := os.ReadFile(with)
	if err != nil {
		t.Fatal(err)
	}
	const assumptions = "assumptions:\n- numbers without a unit are GB/s; a unit may follow, as in 940Mb/s\n"
	if !strings.Contains(string(text), assumptions) {
		t.Fatalf("no assumptions in\n%s", text)
	}
	text = []byte(strings.Replace(string(text), assumptions, "", 1))
	if err := os.WriteFile(without, text, 0o644); err != nil {
		t.Fatal(err)
	}
	var hashes []string
	for _, file := range []string{with, without} {
		plan := filepath.Join(folder, "plan.json")
		must(t, "optimize", file, "--edges", "20", "--evaluations", "50", "-o", plan)
		must(t, "verify", plan)
		var answer struct {
			Hash     string
			Question struct {
				Cluster struct{ Assumptions []string }
			}
		}
		b, err := os.ReadFile(plan)
		if err == nil {
			err = json.Unmarshal(b, &answer)
		}
		if err != nil {
			t.Fatal(err)
		}
		if hashes = append(hashes, answer.Hash); len(answer.Question.Cluster.Assumptions) != len(hashes)%2 {
			t.Errorf("the plan of %s has the assumptions %q", file, answer.Question.Cluster.Assumptions)
		}
	}
	if hashes[0] == "" || hashes[0] != hashes[1] {
		t.Errorf("hashes %q; assumptions are words about the question", hashes)
	}
}
