package mixing

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// Closed forms per node give what a solver of linear programs gives for all nodes at once.
func TestNetMaxSolvesItsLinearProgram(t *testing.T) {
	var known struct {
		MS       [][]float64
		Programs []struct {
			R, Pace, Least float64
			P              [][]float64
			Infeasible     bool
		}
	}
	text, err := os.ReadFile("testdata/netmax_lp.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	n := len(known.MS)
	ms := func(i, m int) float64 {
		if known.MS[i][m] < 0 {
			return math.Inf(1)
		}
		return known.MS[i][m]
	}
	for _, program := range known.Programs {
		p, ok := policyAt(n, program.R, program.Pace, ms)
		if ok == program.Infeasible {
			t.Errorf("r %v, pace %v: a policy: %v", program.R, program.Pace, ok)
		}
		if !ok || program.Infeasible {
			continue
		}
		const printed = 1e-9 // digits of the file
		nobody := 0.0
		for i := range n {
			nobody += p.P.At(i, i)
			for m := range n {
				if program.P != nil && math.Abs(p.P.At(i, m)-program.P[i][m]) > printed {
					t.Errorf("r %v, pace %v: %d asks %d with %v, want %v", program.R, program.Pace, i, m, p.P.At(i, m),
						program.P[i][m])
				}
			}
		}
		if math.Abs(nobody-program.Least) > printed {
			t.Errorf("r %v, pace %v: nodes ask nobody with %v in all, the least is %v", program.R, program.Pace, nobody,
				program.Least)
		}
	}
}

// Where nodes have few neighbours the step may be larger than among all pairs. On a ring of 4 with equal links every
// node asks both neighbours alike, 2r = 1/2 each, and moves w = r/p = 1/2 of the way. Of the mode (1, 0, −1, 0), whose
// squares sum to 2, a question takes 3/4 if node 0 or 2 asks and adds 1/4 if node 1 or 3 does: 7/4 are left on average.
func TestNetMaxStepsOnAFewLinks(t *testing.T) {
	ring := func(i, m int) float64 {
		if (i+1)%4 == m || (m+1)%4 == i {
			return 1
		}
		return math.Inf(1)
	}
	p, err := NetMax(4, ring)
	if err != nil {
		t.Fatal(err)
	}
	if p.R != 0.25 || math.Abs(p.Rate-7./8) > 1e-12 || p.StepMS != 0.25 {
		t.Errorf("step %v, rate %v, a question in %v ms; want 0.25, 0.875, 0.25", p.R, p.Rate, p.StepMS)
	}
	if _, err := NetMax(4, func(int, int) float64 { return math.Inf(1) }); err == nil {
		t.Error("nodes without links have a policy")
	}
}
