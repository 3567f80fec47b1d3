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
	_, after, found := strings.Cut(string(readme), "`batopo plan --nodes 16` prints\n\n```\n")
	shown, _, closed := strings.Cut(after, "```")
	if !found || !closed {
		t.Fatal("README.md shows no output of batopo plan --nodes 16")
	}
	if diff := cmp.Diff(must(t, "plan", "--nodes", "16", "--quiet"), shown); diff != "" {
		t.Errorf("README.md differs from the program (-printed +shown):\n%s", diff)
	}
}
