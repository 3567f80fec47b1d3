package schedules

import (
	"github.com/batopo/batopo/cost"
	"slices"

	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/internal/placement"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// Limits of what is worth trying while somebody waits.
const (
	mostForGroups = 64      // nodes, where leaders and their groups are searched
	mostForShares = 128     // nodes, where shares of the message are sized
	packSteps     = 600     // trees that are drawn by prices
	singleSteps   = 32      // the same, where each tree runs alone
	mostEdges     = 1 << 15 // of all trees that are run together
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
	if price.MS < h.best.MS*(1-better) {
		h.best.Name, h.best.MS, h.best.Algorithm, h.best.Exact = name, price.MS, cut, true
	}
}

// exactly tries whole messages and, where the message may be cut, parts before them: a whole message is one part.
func (h *hunt) exactly() {
	orders := h.orders()
	w, err := newNetwork(h.problem.Cluster, mostListed) // none of too many nodes
	if err != nil {
		h.why = err
	}
	if h.problem.Form == Parts {
		h.parts(orders, w)
	}
	h.whole(orders, w)
}

// parts tries the collectives that cut the message, in good orders of the nodes, and packings of trees of the network,
// if there is one.
func (h *hunt) parts(orders [][]int, w *network) {
	c := h.problem.Cluster
	n := c.Nodes()
	if n <= mostForShares {
		if shares, err := cost.BestShares(h.ctx, c); err == nil {
			h.offer("shards", collective.Shards(shares), h.settings.Chunks)
		}
	}
	for _, order := range orders {
		h.offer("halving and doubling", collective.HalvingDoubling(order), 1)
		h.offer("ring", collective.Ring(order), 1)
		first, second := collective.TwoTrees(order)
		h.offer("two trees", collective.Trees(first, second), h.settings.Chunks)
	}
	h.levels()
	if w != nil {
		h.trees(w)
	}
}

// levels tries averages inside the largest groups of one size that share a single way out, and between them. Servers
// with several network cards are no such groups; planner.Levels knows them from the cluster's description.
func (h *hunt) levels() {
	groups := cost.Groups(h.problem.Cluster)
	if groups == nil {
		return
	}
	for _, way := range collective.WaysOnLevels(groups) {
		h.offer("two levels", way, h.settings.Chunks)
	}
}

// whole tries leaders that collect for their groups, doubling, everybody at once, and trees of the network, if there is
// one.
func (h *hunt) whole(orders [][]int, w *network) {
	n := h.problem.Cluster.Nodes()
	h.offer("all at once", everybody(n), 1)
	for _, order := range orders {
		h.offer("doubling", collective.Doubling(order), 1)
	}
	for _, factors := range factorings(n, mostFactors) {
		if rounds, err := grouped(n, factors); err == nil && !h.over() {
			h.offerGroups("groups of "+joined(factors, " × "), rounds)
		}
	}
	if n <= mostForGroups {
		h.leaders()
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
	at := func(s int) []collective.Transfer { return steps[s] }
	n := rounds[0].Nodes()
	h.offer(name, &collective.Algorithm{Name: "groups", Nodes: n, Steps: len(steps), At: at, Chunks: 1}, 1)
}

// leaders tries groups whose first node collects and hands back.
func (h *hunt) leaders() {
	if h.over() {
		return
	}
	a, price, tried, err := cost.BestLeaders(h.ctx, h.problem.Cluster)
	h.best.Evaluations += tried
	if err != nil {
		h.why = err
		return
	}
	if price.MS < h.best.MS*(1-better) {
		h.best.Name, h.best.MS, h.best.Algorithm, h.best.Exact = "leaders", price.MS, a, true
	}
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
	at := func(int) []collective.Transfer { return step }
	return &collective.Algorithm{Name: "all at once", Nodes: n, Steps: 1, At: at, Chunks: 1}
}

// orders lists orders of the nodes worth trying: their own, and the one in which a ring is quickest.
func (h *hunt) orders() [][]int {
	n := h.problem.Cluster.Nodes()
	orders := [][]int{topology.InOrder(n)}
	if h.problem.Cluster.Homogeneous() || n < 3 {
		return orders
	}
	found, err := placement.BestRing(h.ctx, h.problem.Cluster, h.settings.Seed)
	if err != nil {
		return orders
	}
	h.best.Evaluations += found.Evaluations
	if found.Missing == 0 && !slices.Equal(found.Order, orders[0]) {
		orders = append(orders, found.Order)
	}
	return orders
}
