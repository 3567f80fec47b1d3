package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// What the flags say about equal machines is what a description of them says.
func TestHardwareByFlags(t *testing.T) {
	file := write(t, "c.yaml", "format: batopo.cluster/v1\nnodes: 6\nbandwidth: 12.5\nlatency_ms: 0.05\n"+
		"model: {message_mb: 400, compute_ms: 80}\n")
	told := must(t, "compare", "--nodes", "6", "--bandwidth", "100Gb/s", "--latency", "50us", "--message", "400MB",
		"--compute", "80")
	if read := must(t, "compare", file); told != read {
		t.Errorf("by flags\n%s\nby file\n%s", told, read)
	}
	if again := must(t, "compare", file, "--message", "0.4GB"); again != told {
		t.Errorf("the message of the flags\n%s\nthat of the file\n%s", again, told)
	}
	if other := must(t, "compare", file, "--message", "90MiB"); !strings.Contains(other, "message 94.37 MB") {
		t.Errorf("a message of 90MiB:\n%s", other)
	}
}

// Matrices that other programs write are read: adjacency and W, as csv.
func TestMatricesAsText(t *testing.T) {
	ring := write(t, "ring.csv", "0,1,0,1\n1,0,1,0\n0,1,0,1\n1,0,1,0\n")
	if out := must(t, "weights", ring); !strings.Contains(out, "0.333333") {
		t.Errorf("best weights of a ring of 4:\n%s", out)
	}
	if out := must(t, "simulate", ring); !strings.Contains(out, "Metropolis") {
		t.Errorf("the weights that were made up are not mentioned:\n%s", out)
	}
}

// The edges of a plan take turns.
func TestMatchingsOfAPlan(t *testing.T) {
	ring := write(t, "ring.csv", "0,1,0,1\n1,0,1,0\n0,1,0,1\n1,0,1,0\n")
	turns := filepath.Join(t.TempDir(), "turns.json")
	if out := must(t, "topology", "matchings", "--of", ring, "-o", turns); !strings.Contains(out, "2 rounds") {
		t.Errorf("the edges of a ring of 4 in turns:\n%s", out)
	}
	must(t, "verify", turns)
	code, _, errs := run(t, "topology", "ring", "--nodes", "4", "--of", ring)
	if code != 2 || !strings.Contains(errs, "--of is for matchings") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
