package cli_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The files given are drawn however slow they are, and --only keeps them beside what it names.
func TestComparePlotsWhatIsGiven(t *testing.T) {
	dir := t.TempDir()
	slow := filepath.Join(dir, "slow.edges")
	if err := os.WriteFile(slow, []byte("6\n0 1\n1 2\n2 3\n3 4\n4 5\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	drawn := func(args ...string) map[string]bool {
		file := filepath.Join(t.TempDir(), "curves.csv")
		must(t, append([]string{"compare", slow, "--quiet", "--plot", file}, args...)...)
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines, err := csv.NewReader(f).ReadAll()
		if err != nil || len(lines) < 2 || lines[0][1] != "time (ms)" {
			t.Fatalf("%v: the curves are %v, %v", args, lines, err)
		}
		names := map[string]bool{}
		for _, line := range lines[1:] {
			names[line[0]] = true
		}
		return names
	}
	if names := drawn(); !names["slow"] || len(names) != 12 {
		t.Errorf("drawn are %v; want slow and the 11 fastest others", names)
	}
	if names := drawn("--only", "star,Complete"); len(names) != 3 || !names["slow"] || !names["star"] || !names["complete"] {
		t.Errorf("drawn are %v; want slow, star and complete", names)
	}
	code, _, errs := run(t, "compare", slow, "--quiet", "--only", "rung")
	if code != 2 || !strings.Contains(errs, `--only "rung" fits no row; there are`) {
		t.Errorf("a name that fits nothing: exit %d, %q", code, errs)
	}
}
