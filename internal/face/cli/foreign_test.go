package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/face/cli"
	"github.com/batopo/batopo/internal/ground/spectral"
)

// edited writes a ring plan on 8 nodes with some of its fields changed.
func edited(t testing.TB, fields map[string]string) string {
	t.Helper()
	var plan map[string]any
	if err := json.Unmarshal([]byte(must(t, "topology", "ring", "--nodes", "8", "--json")), &plan); err != nil {
		t.Fatal(err)
	}
	for name, value := range fields {
		at := plan
		if part := map[string]string{"cluster": "question", "lift": "claims"}[name]; part != "" {
			at = plan[part].(map[string]any)
		}
		at[name] = json.RawMessage(value)
	}
	b, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	return write(t, "edited.json", string(b))
}

// Whatever a foreign plan says of its cluster and its lift, drawing and exporting it ends soon, with a picture or a
// reason.
func TestForeignPlans(t *testing.T) {
	servers := func(fields string) string { return `{"format": "batopo.cluster/v1", "servers": {` + fields + `}}` }
	for _, tc := range []struct {
		name   string
		fields map[string]string
		want   string // of the error; empty: it is drawn
	}{
		{"unchanged", nil, ""},
		{"defaults of servers",
			map[string]string{"cluster": servers(`"count": 1, "gpus": 8, "tree": {"pix": 1, "node": 1, "sys": 1}`)}, ""},
		{"negative switches",
			map[string]string{"cluster": servers(`"count": 1, "gpus": 8, "gpus_per_switch": -1, ` +
				`"tree": {"pix": 1, "node": 1, "sys": 1}`)},
			"gpus_per_switch"},
		{"many servers",
			map[string]string{"cluster": servers(`"count": 1000000000, "gpus": 8, "nic": 1, ` +
				`"tree": {"pix": 1, "node": 1, "sys": 1}`)},
			"servers.count"},
		{"another cluster", map[string]string{"cluster": `{"format": "batopo.cluster/v1", "nodes": 9, "bandwidth": 1}`}, "9"},
		{"large leaf–spine",
			map[string]string{"cluster": `{"format": "batopo.cluster/v1", ` +
				`"leafspine": {"leaves": 1000000000, "hosts": 1, "host": 1, "uplink": 1}}`},
			"leafspine"},
		{"large BCube",
			map[string]string{"cluster": `{"format": "batopo.cluster/v1", ` +
				`"bcube": {"ports": 1000000, "layers": 9, "bandwidth": [1]}}`},
			"bcube"},
		{"large lift", map[string]string{"lift": `{"orbits": 1, "size": 1000000000, "arcs": [{"a": 0, "b": 0, "s": 1}]}`},
			"lift"},
		{"arcs out of range", map[string]string{"lift": `{"orbits": 1, "size": 8, "arcs": [{"a": 0, "b": 7, "s": 1}]}`},
			"lift"},
		{"negative shift", map[string]string{"lift": `{"orbits": 1, "size": 8, "arcs": [{"a": 0, "b": 0, "s": -1}]}`},
			"lift"},
		{"few names", map[string]string{"names": `["a"]`}, "names"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			plan := edited(t, tc.fields)
			picture := filepath.Join(t.TempDir(), "graph.svg")
			code, _, errs := run(t, "draw", plan, "-o", picture)
			_, err := os.Stat(picture)
			if tc.want == "" && (code != 0 || err != nil) || tc.want != "" &&
				(code != 2 || err == nil || !strings.Contains(errs, tc.want)) {
				t.Errorf("exit %d, picture %v: %s\nwant %q", code, err, errs, tc.want)
			}
			if code, _, _ := run(t, "export", plan, "--format", "csv"); (code == 0) != (tc.want == "") {
				t.Errorf("export exits with %d", code)
			}
		})
	}
}

// Clusters that have no room in a picture are refused by their size, before anything is built.
func TestLargeClustersAreNotDrawn(t *testing.T) {
	cluster := write(t, "large.yaml",
		"format: batopo.cluster/v1\nleafspine: {leaves: 500, hosts: 4, host: 1, uplink: 1}\n")
	if code, _, errs := run(t, "draw", cluster, "-o", "-"); code != 2 || !strings.Contains(errs, "up to 256 nodes is drawn") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func TestUnknownLAPACKIsRefused(t *testing.T) {
	var out, errs bytes.Buffer
	env := cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Getenv: func(string) string { return "bogus" }}
	if code := cli.Run(context.Background(), env, []string{"topology", "ring", "--nodes", "4"}); code != 2 ||
		!strings.Contains(errs.String(), `BATOPO_LAPACK is "bogus"; it must be gonum`) {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}

// Numbers of ordinary size are written without a power of ten, and extreme hardware still gets its report.
func TestNumbersAreReadable(t *testing.T) {
	slow := write(t, "slow.yaml", "format: batopo.cluster/v1\nnodes: 6\nbandwidth: 0.01\n")
	if out := must(t, "optimize", slow, "--edges", "6", "--quiet"); strings.Contains(out, "e+0") {
		t.Errorf("a power of ten in\n%s", out)
	}
	for _, extreme := range []string{"latency_ms: 1e300", "model: {message_mb: 1e-300}", "model: {target_error: 1e-300}",
		"latency_ms: 1e100"} {
		file := write(t, "extreme.yaml", "format: batopo.cluster/v1\nnodes: 4\nbandwidth: 1\n"+extreme+"\n")
		dir := filepath.Join(t.TempDir(), "out")
		code, out, errs := run(t, "plan", file, "-o", dir, "--quiet")
		if code == 2 && strings.Contains(errs, "must be") {
			continue // refused as input
		}
		if code != 0 || strings.Contains(out, "Inf") || strings.Contains(out, "NaN") {
			t.Errorf("%s: exit %d\n%s%s", extreme, code, out, errs)
		}
	}
}

// The command uses an installed OpenBLAS; importing its packages does not.
func TestCommandSwitchesInstalledLAPACKOn(t *testing.T) {
	spectral.UseSystemLAPACK(true)
	installed := spectral.LAPACK()
	spectral.UseSystemLAPACK(false)
	if out := must(t, "--version"); !strings.Contains(out, "eigenvalues by "+installed+" ") {
		t.Errorf("%s is installed, and the command says %s", installed, out)
	}
	var out, errs bytes.Buffer
	gonum := func(string) string { return "gonum" }
	env := cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: gonum}
	code := cli.Run(context.Background(), env, []string{"--version"})
	if code != 0 || !strings.Contains(out.String(), "eigenvalues by gonum ") {
		t.Errorf("exit %d, asked for gonum: %s%s", code, out.String(), errs.String())
	}
}
