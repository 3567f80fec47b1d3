package cost

import (
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
)

// A tariff is what an algorithm costs on a cluster for messages of any size and any latency between all nodes. Who
// shares which resource does not depend on either, so it is found once.
type tariff struct {
	slots  []tolls
	count  int     // slots one after the other
	callMS float64 // what it costs to call the algorithm
}

// tolls are the transfers of a slot that may be its last to finish.
type tolls struct {
	of     []toll
	minGBs float64 // of all transfers
	times  int     // how often the slot comes
}

// A toll is what a transfer pays, besides the latency between all nodes.
type toll struct {
	latencyMS          float64
	carried, bandwidth float64 // of the busiest resource on its way
	bottleneck         string
}

// perMB is how much longer a toll is for each megabyte of the message.
func (t toll) perMB() float64 { return t.carried / t.bandwidth }

// newTariff finds what an algorithm costs, in the chunks that it has.
func newTariff(a *collective.Algorithm, c *cluster.Cluster) (*tariff, error) {
	if err := priceable(a, c); err != nil {
		return nil, err
	}
	out, slot := &tariff{count: a.Chunks + a.Steps - 1, callMS: c.PerCollectiveMS()}, newSlot(c)
	err := a.Windows(func(first, last, times int) error {
		for s := first; s <= last; s++ {
			slot.add(a.At(s), 1/float64(a.Chunks))
		}
		tolls, err := slot.tolls()
		tolls.times = times
		out.slots = append(out.slots, tolls)
		return err
	})
	return out, err
}

// tolls lists the transfers of the slot that may be the last for some size of the message, and empties it.
func (s *slot) tolls() (out tolls, err error) {
	if err := s.carry(); err != nil {
		return out, err
	}
	here := s.cluster.LatencyMS()
	var least cluster.Round
	for _, t := range s.sent {
		p := s.load.Passage(t.from, t.to)
		least.Wait(cluster.Round{MinEdgeGBs: t.share * p.GBs})
		out.of = withLater(out.of, toll{p.LatencyMS - here, p.Carried, p.Bandwidth, p.Bottleneck})
	}
	out.minGBs = least.MinEdgeGBs
	s.sent = s.sent[:0]
	return out, nil
}

// withLater adds a toll to a list unless it is never later than one of them, and leaves those out that are not.
func withLater(list []toll, next toll) []toll {
	const rounding = 1e-12 // shares of a message do not add up to the last digit
	kept := list[:0]
	for _, t := range list {
		if t.latencyMS >= next.latencyMS*(1-rounding) && t.perMB() >= next.perMB()*(1-rounding) {
			return list // all before it were kept: none of them is as late as the other
		}
		if !(next.latencyMS >= t.latencyMS && next.perMB() >= t.perMB()) {
			kept = append(kept, t)
		}
	}
	return append(kept, next)
}

// Price is what a message of that many megabytes costs where any two nodes are that far apart, besides what links add.
func (t *tariff) Price(messageMB, latencyMS float64) Price {
	cost := Price{MS: t.callMS, Slots: t.count}
	var longest cluster.Round
	for _, s := range t.slots {
		slot := s.price(messageMB, latencyMS)
		cost.MS += slot.CommunicationMS * float64(s.times)
		longest.Wait(slot)
	}
	cost.MinGBs, cost.Bottleneck = longest.MinEdgeGBs, longest.Bottleneck
	return cost
}

// price is how long the slot takes.
func (s tolls) price(messageMB, latencyMS float64) (slot cluster.Round) {
	for _, toll := range s.of {
		slot.Wait(cluster.Round{MinEdgeGBs: s.minGBs, Bottleneck: toll.bottleneck,
			CommunicationMS: latencyMS + toll.latencyMS + toll.carried*messageMB/toll.bandwidth})
	}
	return slot
}

// inSegments prices gloo's own all-reduce, where that many run at once. What a step sends is cut into two segments, and
// a segment follows the one two before it when its sender hears that this one has arrived. So the link is busy all the
// time, or half a step and two latencies go by.
func (t *tariff) inSegments(messageMB, latencyMS, atOnce float64) float64 {
	ms := t.callMS
	for _, s := range t.slots {
		longest := 0.0
		for _, toll := range s.of {
			bytesMS := toll.perMB() * messageMB
			longest = max(longest, bytesMS, (bytesMS/2+2*(latencyMS+toll.latencyMS))/atOnce)
		}
		ms += longest * float64(s.times)
	}
	return ms
}

// noticeMS is how long messages of the first steps wait over gloo where the other end did not receive before the step
// began: they leave when their senders hear that it does.
func noticeMS(c *cluster.Cluster, a *collective.Algorithm, steps int) (longest float64) {
	for s := 0; s < steps && c.Backend() == cluster.Gloo; s++ {
		for _, t := range a.At(s) {
			ms := c.LatencyMS()
			for _, h := range c.Route(nil, t.From, t.To) {
				ms += c.Resources()[h.Resource].LatencyMS
			}
			longest = max(longest, ms)
		}
	}
	return longest
}

// tariffs are those of an algorithm cut into one chunk, two, four and so on.
type tariffs []*tariff

// newTariffs finds what an algorithm costs cut into powers of two of chunks, up to most.
func newTariffs(a *collective.Algorithm, c *cluster.Cluster, most int) (out tariffs, err error) {
	for k := 1; k <= most && (k == 1 || a.Steps <= collective.MostWindows); k *= 2 {
		t, err := newTariff(a.InChunks(k), c)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// Price is the cost in the number of chunks that makes it cheapest, for libraries whose chunks cost little.
func (t tariffs) Price(messageMB, latencyMS float64) Price {
	least := Price{MS: math.Inf(1)}
	for _, cut := range t {
		if cost := cut.Price(messageMB, latencyMS); cost.MS < least.MS*(1-worthCutting) {
			least = cost
		}
	}
	return least
}
