package cli_test

import (
	"os"
	"strings"
	"testing"
)

const trials = "../../../format/trial/testdata/"

// plan --trial says what was measured, splits the errors of predictions, and answers for the corrected cluster.
func TestPlanTakesATrial(t *testing.T) {
	args := []string{"plan", trials + "nodes-3to1.yaml", "--quiet", "--evaluations", "100"}
	out := must(t, append(args, "--explain", "--trial", trials+"nodes-3to1.json")...)
	for _, want := range []string{
		"Measured on your machines, 8 ranks over gloo: an iteration computes for 55.46 ms (described: 50); links carry 0.98",
		"Predictions differed from the trial by 2.8 % in the median and 11.5 % at most; now by 0.",
		"row 10: one-peer-exponential", "compute, links, messages: what correcting each adds to the prediction.",
		"Run parameter averaging by all-reduce (shards), in bf16, every 16 steps",
		"For 2 MB, 55.5 ms of compute",
	} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	if strings.Contains(must(t, args...), "Measured on your machines") {
		t.Error("without a trial nothing was measured")
	}
}

func TestTrialsThatDoNotFitAreRefused(t *testing.T) {
	for want, args := range map[string][]string{
		"8 ranks, the cluster 4 nodes": {"plan", "--nodes", "4", "--trial", trials + "nodes-3to1.json"},
		"--trial: open":                {"plan", "--nodes", "8", "--trial", "nowhere.json"},
		"does not read standard input": {"plan", "--nodes", "8", "--trial", "-"},
		`format is "batopo.plan/v4"`:   {"plan", "--nodes", "8", "--trial", write(t, "a.json", `{"format": "batopo.plan/v4"}`)},
	} {
		if exit, _, said := run(t, args...); exit != 2 || !strings.Contains(said, want) {
			t.Errorf("%v: exit %d, %s; want %s", args, exit, said, want)
		}
	}
}

// verify takes trials beside plans: 0 where they hold, 1 where they do not, 2 where they are none.
func TestVerifyTakesATrial(t *testing.T) {
	source, err := os.ReadFile(trials + "nodes-3to1.json")
	if err != nil {
		t.Fatal(err)
	}
	out := must(t, "verify", trials+"nodes-3to1.json")
	if !strings.Contains(out, "ways[1]: measured_ms") || !strings.Contains(out, "plans[2]: hash") {
		t.Errorf("verify says\n%s", out)
	}
	forged := write(t, "forged.json", strings.Replace(string(source), `"fastest": "row 1`, `"fastest": "row 2`, 1))
	none := write(t, "none.json", `{"format": "batopo.trial/v1"}`)
	for file, want := range map[string]int{forged: 1, none: 2} {
		if exit, _, said := run(t, "verify", file); exit != want {
			t.Errorf("%s: exit %d, want %d: %s", file, exit, want, said)
		}
	}
}
