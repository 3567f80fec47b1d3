package schedules

import (
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
)

// Limits of what is worth trying while somebody waits.
const (
	packSteps   = 600     // trees that are drawn by prices
	singleSteps = 32      // the same, where each tree runs alone
	mostEdges   = 1 << 15 // of all trees that are run together
	mostStages  = 16      // of trees: each is a batch of sends and receives that a rank waits for
	mostShallow = 64      // nodes up to which shallow trees are tried where there is no latency
)

// offer prices an algorithm in the number of chunks that suits it and keeps it if it is the best.
func (h *hunt) offer(name string, a *collective.Algorithm, chunks int) {
	if h.over() {
		return
	}
	h.priced()
	cut, price, err := cost.BestChunks(a, h.problem.Cluster, chunks)
	if err != nil {
		h.why = err
		return
	}
	h.take(name, cut, price)
}

// take keeps an algorithm if it is the best. In parts, what messages cost counts even where the cluster says nothing of
// it. Whole messages are few.
func (h *hunt) take(name string, a *collective.Algorithm, price cost.Price) {
	rank := price.MS
	if h.problem.Form == Parts {
		rank = price.RankMS
	}
	if rank < h.rankMS*(1-better) {
		h.best.Name, h.best.MS, h.best.Algorithm, h.best.Exact = name, price.MS, a, true
		h.rankMS = rank
	}
}

// exactly tries whole messages and, where the message may be cut, parts before them: a whole message is one part.
func (h *hunt) exactly() {
	w, err := newNetwork(h.problem.Cluster, mostListed) // none of too many nodes
	if err != nil {
		h.why = err
	}
	if h.problem.Form == Parts {
		h.parts(w)
	}
	h.whole(w)
}

// parts tries the collectives that cut the message, and packings of trees of the network, if there is one.
func (h *hunt) parts(w *network) {
	for _, f := range Collectives {
		if !f.Whole {
			h.known(f)
		}
	}
	if w != nil {
		h.trees(w)
	}
}

// known tries a collective. The orders of the nodes that were compared for it do not count as evaluations: however few
// are allowed, no known collective is quicker than what a search returns.
func (h *hunt) known(f Collective) {
	if h.over() {
		return
	}
	h.priced()
	way, err := h.settings.Memo.Find(h.ctx, f, h.site())
	if err != nil {
		h.why = err
		return
	}
	h.take(f.Name, way.Runs, way.Price)
}

// whole tries leaders that collect for their groups, doubling, everybody at once, and trees of the network, if there is
// one.
func (h *hunt) whole(w *network) {
	n := h.problem.Cluster.Nodes()
	h.offer("all at once", everybody(n), 1)
	h.known(doubling)
	for _, factors := range factorings(n, mostFactors) {
		if rounds, err := grouped(n, factors); err == nil && !h.over() {
			h.offerGroups("groups of "+joined(factors, " × "), rounds)
		}
	}
	for _, f := range Collectives {
		if f.Whole {
			h.known(f)
		}
	}
	if w != nil && !h.over() {
		h.singleTrees(w, 1)
	}
}

// offerGroups tries rounds of groups that average, each group adding up what its nodes hold.
func (h *hunt) offerGroups(name string, rounds []*mixing.Matrix) {
	rounds = h.placed(construction{name: name, rounds: rounds})
	if rounds == nil {
		return
	}
	steps := make([][]collective.Transfer, len(rounds))
	for t, w := range rounds {
		for to := range w.Nodes() {
			from, _ := w.Row(to)
			for _, i := range from {
				steps[t] = append(steps[t], collective.Transfer{From: i, To: to, End: 1, Add: true})
			}
		}
	}
	h.offer(name, collective.Listed("groups", rounds[0].Nodes(), steps), 1)
}

// everybody sends to everybody, in one step.
func everybody(n int) *collective.Algorithm {
	step := make([]collective.Transfer, 0, n*(n-1))
	for i := range n {
		for j := range n {
			if i != j {
				step = append(step, collective.Transfer{From: i, To: j, End: 1, Add: true})
			}
		}
	}
	return collective.Listed("all at once", n, [][]collective.Transfer{step})
}
