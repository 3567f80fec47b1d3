package advise

import (
	"testing"

	"github.com/batopo/batopo/design"
)

// Hierarchical averaging was trained on 16 nodes with batch norm; elsewhere an answer has to say that less was
// measured.
func TestTwoLevelsAreMeasuredWhereTheyWereRun(t *testing.T) {
	for _, tc := range []struct {
		name     string
		kind     Kind
		nodes    int
		features Features
		measured bool
	}{
		{"as they were run", TwoLevel, 16, Features{}, true},
		{"with group norm", TwoLevel, 16, Features{Group: 1}, false},
		{"after every 4 steps", TwoLevel, 16, Features{Steps: 2, CTA: 1}, true},
		{"after every 4 steps with atc", TwoLevel, 16, Features{Steps: 2}, false},
		{"after every 8 steps", TwoLevel, 16, Features{Steps: 3, CTA: 1}, false},
		{"on 64 nodes", TwoLevel, 64, Features{}, false},
		{"one level on 64 nodes, which is the convergence model's business", Scheduled, 64, Features{}, true},
	} {
		p := &process{kind: tc.kind, plan: &design.Plan{Nodes: tc.nodes}}
		if got := p.unlike(tc.features); (got == "") != tc.measured {
			t.Errorf("%s: %q", tc.name, got)
		}
	}
}

// The least eigenvalue of hierarchical averages is 0, or, computed, a hair below it: W ⪰ 0 holds for them.
func TestAnEigenvalueThatIsZeroButForRoundingIsNotNegative(t *testing.T) {
	f := Features{Quasi: 1, Negative: 6e-17}
	if gaps := f.gaps(16); len(gaps) != 0 {
		t.Errorf("a least eigenvalue of −6e-17 leaves gaps %v", gaps)
	}
	f.Negative = 0.3
	if gaps := f.gaps(16); len(gaps) != 1 {
		t.Errorf("one of −0.3 leaves gaps %v; want the gap of one stem", gaps)
	}
}
