package verdict

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/experiments/internal/measure"
)

// A repository writes a tiny one: a README, a list of claims and an empty docs.
func repository(t *testing.T, readme, claims string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{"README.md": readme, "experiments/claims.json": claims} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestClaimsAreReadBesideTheirAnchors(t *testing.T) {
	e := blank(t)
	put(t, e, "table1", "n=16/auto", measure.Measurement{RAsym: 0.458123, Edges: 32})
	put(t, e, "ablations", "x", measure.Outcomes{RAsym: []float64{0.5, 0.4}})
	e = decided(t, e)
	const rate, edges, best = `"table1/n=16/auto/r_asym"`, `"table1/n=16/auto/edges"`, `"ablations/x/best"`
	for _, tc := range []struct {
		name, readme, claims string
		broken               int
	}{
		{"rounded", "It is **0.458**<!-- claim: a -->.", `{"a": [` + rate + `]}`, 0},
		{"over two lines", "It is 0.458<!-- claim:\n    a -->.", `{"a": [` + rate + `]}`, 0},
		{"more digits", "It is 0.45812<!-- claim: a -->.", `{"a": [` + rate + `]}`, 0},
		{"another number", "It is 0.459<!-- claim: a -->.", `{"a": [` + rate + `]}`, 1},
		{"two numbers", "It is 0.458 with 32 edges<!-- claim: a -->.", `{"a": [` + rate + `, ` + edges + `]}`, 0},
		{"two in the wrong order", "32 edges give 0.458<!-- claim: a -->.", `{"a": [` + rate + `, ` + edges + `]}`, 1},
		{"two claims, one number", "0.4<!-- claim: b --><!-- claim: c -->", `{"b": [` + best + `], "c": [` + best + `]}`, 0},
		{"a verdict", "It holds<!-- claim: s -->.", `{"s": ["table2-homogeneous-fastest/printed"]}`, 0},
		{"the other verdict", "It fails<!-- claim: s -->.", `{"s": ["table2-homogeneous-fastest/printed"]}`, 1},
		{"no number", "Nothing<!-- claim: a -->.", `{"a": [` + rate + `]}`, 1},
		{"no such row", "1<!-- claim: a -->", `{"a": ["table1/n=17/auto/r_asym"]}`, 1},
		{"no claim for an anchor", "1<!-- claim: a -->", `{}`, 1},
		{"no anchor for a claim", "0.458", `{"a": [` + rate + `]}`, 1},
		{"no facts", "1<!-- claim: a -->", `{"a": []}`, 1},
	} {
		checked, err := e.Check(repository(t, tc.readme, tc.claims))
		if err != nil {
			t.Fatal(err)
		}
		broken := 0
		for _, c := range checked {
			if !c.OK {
				broken++
			}
		}
		if broken != tc.broken || len(checked) == 0 {
			t.Errorf("%s: %d broken in %+v, want %d", tc.name, broken, checked, tc.broken)
		}
	}
	if _, err := e.Check(repository(t, "", `[]`)); err == nil || !strings.Contains(err.Error(), "claims.json") {
		t.Errorf("a list instead of an object: error %v, want one that names claims.json", err)
	}
}
