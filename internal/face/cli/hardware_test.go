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
	flags := must(t, "compare", "--nodes", "6", "--bandwidth", "100Gb/s", "--latency", "50us", "--message", "400MB",
		"--compute", "80")
	if read := must(t, "compare", file); flags != read {
		t.Errorf("by flags\n%s\nby file\n%s", flags, read)
	}
	if again := must(t, "compare", file, "--message", "0.4GB"); again != flags {
		t.Errorf("the message of the flags\n%s\nof the file\n%s", again, flags)
	}
	if other := must(t, "compare", file, "--message", "90MiB"); !strings.Contains(other, "message 94.37 MB") {
		t.Errorf("a message of 90MiB:\n%s", other)
	}
}

// A compute time given by flag holds for all nodes, also for groups that have their own.
func TestComputeByFlagIsThatOfAllNodes(t *testing.T) {
	out := must(t, "plan", "../../../examples/edge-8.yaml", "--compute", "50", "--evaluations", "100", "--quiet")
	if !strings.Contains(out, "For 5 MB, 50 ms of compute") {
		t.Errorf("plan with --compute 50:\n%s", out)
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

// What a flag sets wrongly is called by the name of the flag, what the file says by the name of its field.
func TestErrorsNameFlags(t *testing.T) {
	file := write(t, "c.yaml", "format: batopo.cluster/v1\nnodes: 6\nbandwidth: 12.5\n")
	plan := filepath.Join(t.TempDir(), "ring.json")
	must(t, "topology", "ring", "--nodes", "6", "-o", plan)
	for _, tc := range []struct{ args, want string }{
		{"plan --nodes 6 --compute -5ms", "--compute is -5; it must be between 0"},
		{"plan --nodes 6 --message 0", "--message is 0; it must be between"},
		{"plan --nodes 6 --bandwidth 0", "--bandwidth is 0; it must be between"},
		{"plan --nodes 6 --latency -1", "--latency is -1; it must be between"},
		{"plan " + file + " --message -5 --compute -3", "--message is -5; it must be between 1e-06 and 1e+09 MB\n" +
			"        --compute is -3"},
		{"plan --nodes 6 --skew -1", "--skew is -1"},
		{"plan --nodes 6 --norm layer", `--norm is "layer"`},
		{"plan --nodes 6 --momentum global", `--momentum is "global"`},
		{"plan --nodes 6 --method magic", `--method is "magic"`},
		{"plan --nodes 6 --purpose fun", `--purpose is "fun"`},
		{"plan --nodes 6 --edges 3", "--edges is 3, too few to connect 6 nodes; give at least 5"},
		{"plan --nodes 6 --max-degree 1", "--max-degree is 1, too few peers"},
		{"plan --nodes 6 --min-eigenvalue 2", "--min-eigenvalue is 2"},
		{"optimize --nodes 6 --edges 99 --min-eigenvalue 2", "--edges is 99, but there are only 15 candidate edges\n" +
			"        --min-eigenvalue is 2"},
		{"replan " + plan + " --cluster " + file + " --gain 2", "--gain is 2"},
		{"replan " + plan + " --cluster " + file + " --changes -1", "--changes is -1"},
		{"train --nodes 6 --hidden wide", `--hidden is "wide"; it must be whole numbers with commas between them`},
		{"plan -n", "--nodes needs a value; see batopo plan --help"},
		{"plan --nodes", "--nodes needs a value; see batopo plan --help"},
	} {
		code, _, errs := run(t, strings.Fields(tc.args)...)
		if code != 2 || !strings.HasPrefix(errs, "batopo: "+tc.want) {
			t.Errorf("%s: exit %d\n%swant %s", tc.args, code, errs, tc.want)
		}
	}
}

// Numbers without a unit are read back with theirs; those with one, and --quiet, say nothing.
func TestNumbersWithoutAUnitAreReadBack(t *testing.T) {
	for want, args := range map[string][]string{
		"--bandwidth is taken for 10 GB/s, which is 80 Gb/s\n--message is taken for 5 MB\n": {"--bandwidth", "10", "--message", "5"},
		"": {"--bandwidth", "80Gb/s", "--message", "5MB"},
	} {
		code, _, errs := run(t, append([]string{"topology", "ring", "--nodes", "4"}, args...)...)
		if code != 0 || errs != want {
			t.Errorf("%v: exit %d, %q, want %q", args, code, errs, want)
		}
	}
	if code, _, errs := run(t, "compare", "--nodes", "4", "--bandwidth", "10", "--quiet"); code != 0 || errs != "" {
		t.Errorf("--quiet: exit %d, %q", code, errs)
	}
}
