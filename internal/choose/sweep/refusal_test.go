package sweep_test

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
)

func nodes(t *testing.T, edges []int, gbs ...float64) *cluster.Cluster {
	return built(t, cluster.Spec{Nodes: len(gbs), Bandwidth: gbs, Edges: edges})
}

// A choice of 7 edges does not keep M z = e where e stands for 5: what the method drops is said.
func TestThePrintedMethodSaysWhatItDrops(t *testing.T) {
	c := nodes(t, []int{5, 1, 1, 1, 1, 1}, 5, 1, 1, 1, 1, 1)
	p, err := sweep.Optimize(t.Context(), question(c, 7), sweep.Settings{Method: sweep.Paper, Seed: 1, Paper: sweep.PaperSettings{Starts: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(p.Notes, "\n"); len(p.Edges()) != 5 || !strings.Contains(all, "edges dropped: 2, added: ") {
		t.Errorf("%d edges of 7, and the notes say:\n%s", len(p.Edges()), all)
	}
}

// Where Algorithm 1's e has no graph, other graphs fit, and the refusal says so.
func TestThePrintedMethodBlamesItsEquality(t *testing.T) {
	c := nodes(t, nil, 1000, 1000, 1000, 1000, 4)
	ask := func(method sweep.Method) (*design.Plan, error) {
		return sweep.Optimize(t.Context(), question(c, 8), sweep.Settings{Method: method, Seed: 1, Paper: sweep.PaperSettings{Starts: 1}})
	}
	if _, err := ask(sweep.Paper); err == nil || !strings.Contains(err.Error(), "method auto, which allows fewer, has an answer") {
		t.Errorf("the printed method says %v", err)
	}
	if _, err := ask(sweep.Auto); err != nil {
		t.Errorf("auto has no answer: %v", err)
	}
}
