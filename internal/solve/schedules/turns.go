package schedules

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/placement"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// mostPerNode is up to how many allowed pairs per node all of them take turns; beyond, a tree of quick ones does alone.
const mostPerNode = 4

// inTurn is the schedule in which allowed pairs take turns, each once a period: along a chain the even links and the
// odd ones. It needs many rounds, but runs wherever nodes are connected at all, also where nothing else has a route.
// It is kept apart, so that the search itself goes on as if there were none.
func (h *hunt) inTurn() error {
	c := h.problem.Cluster
	pairs := c.Candidates()
	ways := [][]topology.Edge{placement.SpanningTree(c)}
	if len(pairs) <= mostPerNode*c.Nodes() {
		ways = append(ways, pairs)
	}
	h.turns.MS = math.Inf(1)
	for _, edges := range ways {
		rounds, err := h.coloured(edges)
		if err != nil {
			return err
		}
		if err := h.keepTurns(rounds); err != nil {
			return err
		}
	}
	return nil
}

// coloured puts every pair into the first round in which its ends are free and the caps of the hardware leave room.
func (h *hunt) coloured(edges []topology.Edge) ([]*mixing.Matrix, error) {
	parts := make([]part, len(edges))
	for k, e := range edges {
		parts[k] = pair(e.I, e.J, 0.5)
	}
	return h.packed(parts)
}

// keepTurns keeps rounds that reach the target sooner than those before.
func (h *hunt) keepTurns(rounds []*mixing.Matrix) error {
	_, each, err := h.price(rounds)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("allowed pairs in turn, %d rounds", len(rounds))
	s := &mixing.Schedule{Name: name, Rounds: rounds, RoundMS: each}
	target := h.problem.Cluster.Model().TargetError
	k, ok, err := s.Iterations(h.ctx, target)
	if err != nil {
		return err
	}
	if !ok {
		h.why = fmt.Errorf("%s: the target error of %v is not reached within a million rounds; "+
			"a larger target_error, or links that join distant nodes, would help", name, target)
		return nil
	}
	if ms := design.TimeOfRounds(each, k); ms < h.turns.MS*(1-better) {
		h.turns.Name, h.turns.MS, h.turns.Schedule = s.Name, ms, s
	}
	return nil
}

// takeTurns makes pairs in turn the answer where the search has found nothing better.
func (h *hunt) takeTurns() {
	if t := h.turns; t.Schedule != nil && t.MS < h.best.MS*(1-better) {
		h.best.Name, h.best.MS, h.best.Schedule, h.best.Exact = t.Name, t.MS, t.Schedule, false
	}
}
