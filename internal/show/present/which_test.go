package present_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/show/present"
)

// An answer says which machines it is about, that batches in proportion to speed do better, and what a GPU has to hold
// where nobody said how much it has.
func TestAnswersSayWhichMachinesAndWhatTheyNeed(t *testing.T) {
	const machines = `format: batopo.cluster/v2
tree:
  groups:
    - {name: a, nodes: 4, link: 10Gb/s, compute_ms: 100}
    - {name: b, nodes: 4, link: 10Gb/s, compute_ms: 300}
`
	for _, tc := range []struct {
		name, model string
		options     batopo.Options
		says        []string
		without     string
	}{
		{"all", "100 MB", batopo.Options{}, []string{"Batches in proportion to the speed of nodes: "}, ""},
		{"the best", "100 MB", batopo.Options{OnlyBest: true}, []string{" on the 4 nodes without b.\n", "plain DDP"}, "b"},
		{"a large model", "4000 MB", batopo.Options{}, []string{"Memory: 28 GB a GPU without activations."}, ""},
	} {
		c, err := cluster.Read("test", strings.NewReader(machines+"model: {message_mb: "+tc.model+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		tc.options.Optimizer, tc.options.Evaluations = "adamw", 100
		a, err := batopo.Advise(t.Context(), c, tc.options)
		if err != nil {
			t.Fatal(err)
		}
		c = a.Problem.Cluster
		var b bytes.Buffer
		if err := present.WriteAdvice(&b, c, a.Advice, present.Screen{All: true}); err != nil {
			t.Fatal(err)
		}
		for _, want := range tc.says {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: %q is not said in\n%s", tc.name, want, b.String())
			}
		}
		if got := present.NewAdviceJSON(c, a.Sweep, a.Advice, "plan.json").Without; got != tc.without {
			t.Errorf("%s: without %q", tc.name, got)
		}
	}
}
