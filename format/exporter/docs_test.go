package exporter_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/batopo/batopo/format/exporter"
	"github.com/batopo/batopo/mixing"
)

// TestDocumentedSnippets runs the blocks of docs/exports.md that are marked as Python, in
// order, next to the exports that its commands write, and checks what they loaded.
func TestDocumentedSnippets(t *testing.T) {
	page, err := os.ReadFile("../../docs/exports.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range exporter.Formats {
		if !strings.Contains(string(page), "\n| `"+f.Name+"`") {
			t.Errorf("docs/exports.md has no row for %s", f.Name)
		}
	}
	dir := t.TempDir()
	topo := family(t, "torus", mixing.Params{Nodes: 12})
	for _, made := range regexp.MustCompile(`--format (\w+) -o (\S+)`).FindAllStringSubmatch(string(page), -1) {
		data, _ := export(t, find(t, made[1]), topo)
		if err := os.WriteFile(filepath.Join(dir, made[2]), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	blocks := regexp.MustCompile("(?s)```python\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 6 {
		t.Fatalf("%d Python blocks in docs/exports.md; did its form change?", len(blocks))
	}
	var script strings.Builder
	for _, block := range blocks {
		script.WriteString(block[1])
		// Every block that loads a matrix must load this one.
		script.WriteString("assert abs(W - np.load('W.npy')).max() < 1e-15, W\n")
	}
	script.WriteString(`
assert abs(rounds[0] - W).max() == 0 and len(rounds) == 1
assert isinstance(G, nx.DiGraph) and sorted(len(m) for m in matchings) == [6, 6, 6, 6], matchings
x = np.arange(12.0) ** 2
for rank in range(12):
    assert abs(mix(x[rank], 5, rank, lambda _, to, frm: x[frm]) - (W @ x)[rank]) < 1e-12
`)
	cmd := exec.Command(python, "-")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(script.String())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		t.Errorf("the Python blocks of docs/exports.md fail (%v):\n%s", err, &stderr)
	}
}
