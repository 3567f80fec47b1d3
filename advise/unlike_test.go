package advise

import (
	"testing"

	"github.com/batopo/batopo/design"
)

// Two levels were trained on 16 nodes with batch norm; elsewhere an answer has to say that it rests on less.
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
		{"on 64 nodes", TwoLevel, 64, Features{}, false},
		{"one level on 64 nodes, which is the law's business", Scheduled, 64, Features{}, true},
	} {
		p := &process{kind: tc.kind, plan: &design.Plan{Nodes: tc.nodes}}
		if got := p.unlike(tc.features); (got == "") != tc.measured {
			t.Errorf("%s: %q", tc.name, got)
		}
	}
}
