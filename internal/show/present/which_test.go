package present_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/show/present"
)

// An answer says which machines it is about, which batches they have, and what a GPU has to hold where nobody said how
// much it has.
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
		nodes       int // of the answer's row, where these are not all
	}{
		{"all", "100 MB", batopo.Options{}, []string{"with batches by speed on all 8 nodes.", "nodes 4 to 7 0.5"}, 0},
		{"slow links", "20000 MB", batopo.Options{}, []string{" on 1 of 8 nodes: only node 0.\n", "plain DDP"}, 1},
		{"a large model", "4000 MB", batopo.Options{Exact: true}, []string{"Memory: 16 GB a GPU without activations.",
			"on 1 of 8 nodes with the whole batch: only node 0.", "8 parts: training does\n  not change."}, 1},
		{"a model that may not fit", "10000 MB", batopo.Options{}, []string{"This is for GPUs of more than 40 GB. Say what "}, 1},
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
		for _, row := range present.NewAdviceJSON(c, a.Sweep, a.Advice, "plan.json").Choices {
			if row.Recommended && len(row.Nodes) != tc.nodes {
				t.Errorf("%s: on %v", tc.name, row.Nodes)
			}
		}
	}
}
