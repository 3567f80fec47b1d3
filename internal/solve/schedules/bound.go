package schedules

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
)

// LowerBound proves how long any all-reduce takes on a cluster at least: in rounds of whole messages, where whole is
// true, or in any way at all. For whole messages it holds for the time to the cluster's target error too. Nil where no
// bound is known: beyond a thousand nodes.
func LowerBound(c *cluster.Cluster, whole bool) *design.TimeBound {
	w, err := newNetwork(c, mostBounded)
	if err != nil {
		return nil
	}
	return w.lowerBound(whole)
}

func (w *network) lowerBound(whole bool) *design.TimeBound {
	best := w.pricesBound()
	if !whole {
		return best
	}
	best.Whole = true
	need := design.Heard(w.n, w.c.Model().TargetError)
	if need < w.n { // a node may leave somebody out and still be near enough; only how many it hears of counts
		best.MS = 0
	}
	if ms := newSpread(w, need).bound(); ms > best.MS {
		return &design.TimeBound{MS: ms, Kind: design.SpreadBound, Whole: true,
			Detail: "what a node can have heard of in a number of rounds of whole messages"}
	}
	return best
}

// pricesBound adds latencies to what prices prove. In one step everybody hears from everybody directly, which has its
// price; otherwise there are two steps at least, and each pays a latency.
func (w *network) pricesBound() *design.TimeBound {
	found := w.bestPrices()
	b := &design.TimeBound{Kind: design.PricesBound, Groups: found.groups}
	rate := w.rate(found.hops)
	for _, h := range found.hops {
		hop := w.hops[h]
		if hop.Price = 1 / (w.ms[h] * rate); w.shared[h] {
			hop.Price *= 2
		}
		b.Prices = append(b.Prices, hop)
	}
	latency := math.Inf(1)
	for k, route := range w.routes {
		if route != nil {
			latency = min(latency, w.latency[k])
		}
	}
	b.MS = min(found.ms+2*latency, w.oneStep())
	if len(found.hops) == 0 {
		return b
	}
	messages, where := "a whole message has", b.Prices[0].Resource
	if found.passes > 1 {
		messages = fmt.Sprintf("%.0f messages have", found.passes)
	}
	if len(found.hops) > 1 {
		where = fmt.Sprintf("one of %d resources, such as %s", len(found.hops), where)
	}
	b.Detail = messages + " to pass " + where
	return b
}

// oneStep is what it costs that everybody sends to everybody at once; infinite where that is not possible. A pair that
// is no candidate edge may have a route all the same, and an average may use it.
func (w *network) oneStep() float64 {
	all, err := mixing.FindFamily("complete")
	if err != nil {
		return math.Inf(1)
	}
	m, err := all.Build(mixing.Params{Nodes: w.n})
	if err != nil {
		return math.Inf(1)
	}
	round, err := cost.Gossip(w.c, m)
	if err != nil {
		return math.Inf(1)
	}
	return round.CommunicationMS
}
