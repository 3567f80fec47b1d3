package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOurClaimsHold(t *testing.T) {
	var out bytes.Buffer
	broken, err := check(&out, "../..", "../results")
	if err != nil {
		t.Fatal(err)
	}
	if broken > 0 {
		_, claims, _ := strings.Cut(out.String(), "Claims of our documents")
		t.Errorf("%d claims do not hold:%s", broken, claims)
	}
}

// copied copies a file of the repository into another root, with one text replaced.
func copied(t *testing.T, root, name, old, new string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", name))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(old)) {
		t.Fatalf("%s does not contain %q", name, old)
	}
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte(old), []byte(new), 1), 0o644); err != nil {
		t.Fatal(err)
	}
}

// One number changed in a document, or in the results, breaks exactly the claims about it.
func TestAChangedNumberIsFound(t *testing.T) {
	documents := []string{"README.md", "docs/research/records.md", "docs/research/reproduction.md",
		"experiments/compute/README.md", "experiments/training/log.md"}
	results := []string{"table1", "figures", "table2", "ablations", "solver", "training"}
	for _, tc := range []struct {
		file, old, new string
		broken         int
	}{
		{"README.md", "0.4581<!--", "0.4582<!--", 1},
		{"docs/research/reproduction.md", "1.89<!--", "1.90<!--", 2},
		{"experiments/compute/README.md", "That stays open<!--", "That holds<!--", 1},
		{"experiments/results/ablations.json", "\"seconds\": 12.353235915", "\"seconds\": 13.5", 1},
		{"experiments/results/training.json", "\"measured\": 1.21009", "\"measured\": 1.25", 1},
		{"", "", "", 0},
	} {
		root := t.TempDir()
		copied(t, root, "experiments/claims.json", "", "")
		files := documents
		for _, name := range results {
			files = append(files, "experiments/results/"+name+".json")
		}
		for _, name := range files {
			if name == tc.file {
				copied(t, root, name, tc.old, tc.new)
			} else {
				copied(t, root, name, "", "")
			}
		}
		broken, err := check(io.Discard, root, filepath.Join(root, "experiments/results"))
		if err != nil {
			t.Fatal(err)
		}
		if broken != tc.broken {
			t.Errorf("%q instead of %q in %s: %d claims broken, want %d", tc.new, tc.old, tc.file, broken, tc.broken)
		}
	}
}

// Without results every claim about a number is broken: the check can fail.
func TestCheckFailsWithoutResults(t *testing.T) {
	broken, err := check(io.Discard, "../..", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if broken < 50 {
		t.Errorf("no results, and only %d claims are broken", broken)
	}
}

func TestCheckNeedsTheRepository(t *testing.T) {
	if _, err := check(io.Discard, t.TempDir(), t.TempDir()); err == nil {
		t.Error("no claims.json, no error")
	}
}
