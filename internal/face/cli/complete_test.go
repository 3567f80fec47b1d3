package cli_test

import (
	"strings"
	"testing"
)

// The shell completes words of flags, formats, and files by their endings.
func TestValuesAreCompleted(t *testing.T) {
	for _, tc := range []struct{ line, want string }{
		{"plan --objective|", "rate"}, {"plan --purpose|", "training"}, {"plan --momentum|", "quasi-global"},
		{"plan --norm|", "group"}, {"plan --method|", "paper"}, {"optimize --objective|", "time"},
		{"topology|", "exponential"}, {"topology ring --rule|", "best-constant"}, {"schedule --form|", "parts"},
		{"train --momentum|", "mixed"}, {"export --format|", "torch"},
		{"import|", "nvidia-smi"}, {"import --rates|", "p2p:"}, {"plan|", "yaml"}, {"cluster show|", "yaml"},
		{"verify|", "json"}, {"simulate|", "npy"},
	} {
		words := strings.Fields(strings.TrimSuffix(tc.line, "|"))
		out := must(t, append(append([]string{"__complete"}, words...), "")...)
		if !strings.Contains("\n"+out, "\n"+tc.want+"\n") && !strings.Contains("\n"+out, "\n"+tc.want+"\t") {
			t.Errorf("%s: %s is not offered:\n%s", tc.line, tc.want, out)
		}
	}
}

// Numbers are spelled in a unit that people read, on slow lines as on fast ones.
func TestTimesHaveReadableUnits(t *testing.T) {
	slow := write(t, "slow.yaml", "format: batopo.cluster/v2\ntree: {nodes: 4, link: {gb_s: 2Mb/s, latency_ms: 80}}\n"+
		"model: {message_mb: 500 MB, compute_ms: 90000}\n")
	fast := write(t, "fast.yaml", "format: batopo.cluster/v2\ntree: {nodes: 4, nvswitch: 900 GB/s}\n"+
		"model: {message_mb: 0.01, compute_ms: 0.05}\n")
	for _, tc := range []struct{ file, want string }{{slow, "66.67 min"}, {slow, "0.125 MB/s"}, {fast, "0.02222 µs"}} {
		if out := must(t, "topology", "ring", "--cluster", tc.file); !strings.Contains(out, tc.want) {
			t.Errorf("topology says nothing of %s:\n%s", tc.want, out)
		}
	}
	for _, file := range []string{slow, fast} {
		for _, args := range [][]string{{"compare", file}, {"plan", file}, {"plan", file, "--static"}, {"cluster", "show", file}} {
			out := must(t, append(args, "--time", "20m")...)
			if strings.Contains(out, "e+") || strings.Contains(out, " 0.00 ") {
				t.Errorf("batopo %s prints powers of ten, or zeros:\n%s", strings.Join(args, " "), out)
			}
		}
	}
}

// A slip in a command or in one below it is answered with what may have been meant.
func TestSlipsAreCorrected(t *testing.T) {
	for _, tc := range []struct{ line, want string }{{"pln", "did you mean plan?"}, {"cluster shw x", "did you mean show?"}} {
		if code, _, errs := run(t, strings.Fields(tc.line)...); code != 2 || !strings.Contains(errs, tc.want) {
			t.Errorf("batopo %s: exit %d, %s", tc.line, code, errs)
		}
	}
}

// Baselines that do not exist here are listed with the reason.
func TestSkippedBaselinesAreListed(t *testing.T) {
	for _, args := range [][]string{{"compare", "--nodes", "6"}, {"plan", "--nodes", "6", "--static"}} {
		out := must(t, append(args, "--quiet")...)
		if !strings.Contains(out, "ot listed: hypercube: a hypercube on 6 nodes; the number of nodes must be a power of 2") {
			t.Errorf("batopo %s does not say why there is no hypercube:\n%s", strings.Join(args, " "), out)
		}
	}
}
