package present_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/internal/show/present"
)

var update = flag.Bool("update", false, "write the golden files again")

// Fourteen clusters of twelve kinds, each with the answer, what it gains and why. testdata/kinds.txt is what an expert
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
		fmt.Fprintln(&b, strings.TrimSuffix(filepath.Base(file), ".yaml"))
		for _, line := range present.AdviceSentences(c, a.Advice) {
			fmt.Fprintln(&b, "  "+line)
		}
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
