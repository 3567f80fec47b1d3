package verdict

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/batopo/batopo/experiments/internal/measure"
)

// grid is settings of a row with two values of ρ and three seeds.
var grid = json.RawMessage(`{"question": {"best_of": {"rho": [2, 5], "seeds": 3, "steps": 100}}}`)

// Runs are distinguished by ρ; those that used all of their steps have not settled.
func TestStartsAreDescribedByPenalty(t *testing.T) {
	e := blank(t)
	put(t, e, "table1", "n=16/bounded", measure.Measurement{Starts: &measure.Starts{
		RAsym: []float64{0.5, 0.6, 0.7, 0.4, 0.9, 0.9}, Degree: []int{4, 5, 6, 7, 4, 4}, Steps: []int{50, 99, 100, 100, 100, 20}}})
	if err := e.Facts.addStarts("table1/n=16/bounded/", grid); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"rho=2/median": 0.6, "rho=2/settled": 2, "rho=2/degree": 5, "rho=5/best": 0.4,
		"rho=5/best degree": 7, "rho=5/settled": 1, "rho=5/worst": 0.9, "ten/rho": 2, "ten/median": 0.6, "ten/runs": 3} {
		if got, ok := e.Facts.Number("table1/n=16/bounded/%s", name); !ok || got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	row := strings.Join(e.StartsTable().Rows[4].Cells, " | ")
	if want := "0.52 (5) | —— | —— | —— | — | 0.6000 (5) | 0.5000 (4) | 2/3 | 2"; !strings.Contains(row, want) {
		t.Errorf("the row of 16 nodes is %s; want %s in it", row, want)
	}
}

func TestStartsMustFitTheirGrid(t *testing.T) {
	for name, settings := range map[string]json.RawMessage{"another grid": grid, "no grid": json.RawMessage(`{"question": {}}`)} {
		e := blank(t)
		put(t, e, "table1", "n=16/literal", measure.Measurement{Starts: &measure.Starts{RAsym: []float64{0.5},
			Degree: []int{4}, Steps: []int{50}}})
		if err := e.Facts.addStarts("table1/n=16/literal/", settings); err == nil {
			t.Errorf("%s: one start is taken for those of the grid", name)
		}
	}
}
