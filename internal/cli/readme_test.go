package cli_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What the README shows is what the program prints.
func TestReadmeShowsRealOutput(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(readme), "`batopo plan examples/node-level-16.yaml` prints\n\n```\n")
	shown, _, closed := strings.Cut(after, "```")
	if !found || !closed {
		t.Fatal("README.md shows no output of batopo plan")
	}
	if diff := cmp.Diff(must(t, "plan", "../../examples/node-level-16.yaml", "--quiet"), shown); diff != "" {
		t.Errorf("README.md differs from the program (-printed +shown):\n%s", diff)
	}
}
