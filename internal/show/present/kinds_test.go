package present_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/show/present"
)

var update = flag.Bool("update", false, "write the golden files again")

// Fourteen clusters of twelve kinds, each with what plan prints. testdata/kinds.txt is what an expert
// reads and judges; go test -run KindsOfClusters -update writes it.
func TestKindsOfClusters(t *testing.T) {
	if testing.Short() {
		t.Skip("plans for fourteen clusters")
	}
	files, err := filepath.Glob("testdata/kinds/*.yaml")
	if err != nil || len(files) != 14 {
		t.Fatalf("%d clusters: %v", len(files), err)
	}
	var b strings.Builder
	for _, file := range files {
		c, err := batopo.ReadCluster(file)
		if err != nil {
			t.Fatal(err)
		}
		a, err := batopo.Advise(t.Context(), c, batopo.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := batopo.Check(t.Context(), a.Plan); a.Plan != nil && err != nil {
			t.Errorf("%s: %v", file, err)
		}
		fmt.Fprintf(&b, "# %s\n\n", strings.TrimSuffix(filepath.Base(file), ".yaml"))
		b.WriteString(onScreen(t, file, c, a))
	}
	const golden = "testdata/kinds.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the answers changed; -update writes them:\n%s\nwant\n%s", b.String(), want)
	}
}

// onScreen is what plan prints, which fits a terminal of 24 lines and 80 columns.
func onScreen(t *testing.T, name string, c *cluster.Cluster, a *batopo.Answer) string {
	t.Helper()
	var out strings.Builder
	if err := present.WriteAdvice(&out, c, a.Advice, present.Screen{File: present.PlanFile}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n > 24 {
		t.Errorf("%s: %d lines\n%s", name, n, out.String())
	}
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%s: %d columns: %s", name, n, line)
		}
	}
	return out.String()
}

// Every example fits a screen.
func TestEveryExampleFitsAScreen(t *testing.T) {
	files, err := filepath.Glob("../../../examples/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d examples: %v", len(files), err)
	}
	for _, file := range files {
		c, err := batopo.ReadCluster(file)
		if err != nil {
			t.Fatal(err)
		}
		if testing.Short() && c.Nodes() > 5 {
			continue // make deep plans for all
		}
		for _, optimizer := range []advise.Optimizer{advise.AdamW, advise.SGD} {
			a, err := batopo.Advise(t.Context(), c, batopo.Options{Optimizer: optimizer, Evaluations: 1000})
			if err != nil {
				t.Fatal(err)
			}
			onScreen(t, file, c, a)
		}
	}
}
