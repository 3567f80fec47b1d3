package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReplanKeepsOrChanges(t *testing.T) {
	dir := t.TempDir()
	plan, next := filepath.Join(dir, "plan.json"), filepath.Join(dir, "next.json")
	same, slow := filepath.Join(dir, "same.yaml"), filepath.Join(dir, "slow.yaml")
	head := "format: batopo.cluster/v1\nnodes: 8\nbandwidth: "
	for name, text := range map[string]string{same: head + "9.76\n",
		slow: head + "[9.76, 9.76, 3, 9.76, 9.76, 9.76, 9.76, 9.76]\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command := func(code int, args ...string) string {
		got, out, errs := run(t, args...)
		if got != code {
			t.Fatalf("batopo %s: exit %d, want %d: %s%s", strings.Join(args, " "), got, code, out, errs)
		}
		return out + errs
	}
	command(0, "optimize", same, "--edges", "16", "--evaluations", "500", "-o", plan, "--quiet")
	if out := command(0, "replan", plan, "--cluster", same, "-o", next); !strings.HasPrefix(out, "keep") {
		t.Errorf("nothing has changed: %s", out)
	}
	if _, err := os.Stat(next); err == nil {
		t.Error("a plan was written though the running one stays")
	}
	out := command(0, "replan", plan, "--cluster", slow, "--changes", "0.5", "-o", next)
	if !strings.HasPrefix(out, "change") || !strings.Contains(out, "written") {
		t.Errorf("one node has a third of its bandwidth: %s", out)
	}
	command(0, "verify", next)
	if out := command(0, "replan", plan, "--cluster", slow, "--changes", "0.5", "--json"); !strings.Contains(out, `"keep": false`) {
		t.Errorf("as JSON: %s", out)
	}
	if out := command(0, "replan", plan, "--cluster", slow, "--switch", "0s"); !strings.Contains(out, "from scratch") {
		t.Errorf("nothing about a fresh graph: %s", out)
	}
	if out := command(0, "replan", plan, "--cluster", same, "--quiet"); strings.Count(out, "\n") != 1 {
		t.Errorf("--quiet: %s", out)
	}
	command(2, "replan", plan)
	command(0, "topology", "one-peer-exponential", "--nodes", "8", "-o", next)
	command(0, "replan", next, "--cluster", slow, "--evaluations", "500", "-o", plan)
	command(0, "verify", plan)
	large, halved := filepath.Join(dir, "large.json"), filepath.Join(dir, "halved.yaml")
	text := "format: batopo.cluster/v1\nnodes: 48\nbandwidth: [4" + strings.Repeat(", 9.76", 47) + "]\n"
	if err := os.WriteFile(halved, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	command(0, "topology", "ring", "--nodes", "48", "-o", large)
	out = command(0, "replan", large, "--cluster", halved, "--changes", "1")
	if !strings.Contains(out, "links; --json lists them") || len(out) > 1000 {
		t.Errorf("many links change: %s", out)
	}
}
