package cost

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/ground/limits"
)

// A Price is what an algorithm costs on a cluster.
type Price struct {
	MS         float64
	RankMS     float64 // by which searches choose: MS and, where the cluster states no cost of messages, a guess at it
	MinGBs     float64 // of the slowest transfer
	Slots      int     // steps one after the other, those of all chunks
	Bottleneck string  // the resource that makes the longest slot long
}

// Of prices an algorithm. Transfers of one slot share every resource in proportion to their size; with chunks a
// slot has one step of each chunk that is under way.
func Of(a *collective.Algorithm, c *cluster.Cluster) (Price, error) {
	return newSlot(c).of(a, math.Inf(1))
}

// A Pricer prices thousands of algorithms on one cluster. One goroutine at a time uses it.
type Pricer struct{ slot *slot }

// NewPricer returns one for a cluster, whose routes it remembers.
func NewPricer(c *cluster.Cluster) Pricer {
	p := Pricer{newSlot(c)}
	p.slot.load.Remember()
	return p
}

// Within is Of for those who want to know the price only up to a limit. Above it the error is ErrAbove.
func (p Pricer) Within(a *collective.Algorithm, mostMS float64) (Price, error) {
	return p.slot.of(a, mostMS)
}

// ErrAbove says that a price is above the limit.
var ErrAbove = errors.New("cost: it takes longer than the limit")

func (s *slot) of(a *collective.Algorithm, mostMS float64) (Price, error) {
	if err := priceable(a, s.cluster); err != nil {
		return Price{}, err
	}
	call := s.cluster.PerCollectiveMS()
	cost := Price{MS: call, RankMS: call, Slots: a.Chunks + a.Steps - 1}
	var longest cluster.Round
	err := a.Windows(func(first, last, times int) error {
		s.sent = s.sent[:0]
		for k := first; k <= last; k++ {
			s.add(a.At(k), 1/float64(a.Chunks))
		}
		round, rankMS, err := s.price()
		if err != nil {
			return err
		}
		cost.MS += round.CommunicationMS * float64(times)
		cost.RankMS += rankMS * float64(times)
		longest.Wait(round)
		if cost.MS > mostMS {
			return ErrAbove
		}
		return nil
	})
	cost.MinGBs, cost.Bottleneck = longest.MinEdgeGBs, longest.Bottleneck
	return cost, err
}

// priceable complains about what cannot be priced on a cluster.
func priceable(a *collective.Algorithm, c *cluster.Cluster) error {
	if a.Nodes != c.Nodes() {
		return fmt.Errorf("cost: %s is for %d nodes, the cluster has %d", a.Name, a.Nodes, c.Nodes())
	}
	if a.Chunks > 1 && a.Steps > collective.MostWindows {
		return limits.Refuse("cost: %s has %d steps; at most %d can overlap in chunks", a.Name, a.Steps,
			collective.MostWindows)
	}
	return nil
}

// guessedMessageMS is what a message is taken to cost its sender in a search where the cluster states nothing: about
// as much as one of a group of sends in NCCL. Without it nothing would speak against a thousand chunks.
const guessedMessageMS = 0.005

// unnamedMessageMS is what a message costs its sender in a search besides what the cluster states.
func unnamedMessageMS(c *cluster.Cluster) float64 {
	states := func(r cluster.Resource) bool { return r.PerMessageMS > 0 }
	if c.PerMessageMS() > 0 || slices.ContainsFunc(c.Resources(), states) {
		return 0
	}
	return guessedMessageMS
}

// worthCutting is the gain below which more chunks are not worth it.
const worthCutting = 1e-3

// blockMB is the most that a chunk has: nodes send no larger blocks, whatever a plan says.
const blockMB = 25

// BestChunks returns the algorithm cut into as many chunks, a power of two up to most, as rank it first. Messages that
// are long are cut into blocks at least.
func BestChunks(a *collective.Algorithm, c *cluster.Cluster, most int) (*collective.Algorithm, Price, error) {
	best, least := a, Price{RankMS: math.Inf(1)}
	for k := 1; k <= most && (k == 1 || a.Steps <= collective.MostWindows); k *= 2 {
		if long := c.Model().MessageMB/float64(k) > blockMB; long && 2*k <= most && a.Steps <= collective.MostWindows {
			continue
		}
		cut := a.InChunks(k)
		cost, err := Of(cut, c)
		if err != nil {
			return nil, Price{}, err
		}
		if cost.RankMS < least.RankMS*(1-worthCutting) {
			best, least = cut, cost
		}
	}
	return best, least, nil
}

// Missing counts the transfers between nodes that have no route on a cluster.
func Missing(a *collective.Algorithm, c *cluster.Cluster) int {
	count := 0
	var hops []cluster.Hop
	for s := range a.Different() {
		for _, t := range a.At(s) {
			if hops = c.Route(hops[:0], t.From, t.To); len(hops) == 0 {
				count++
			}
		}
	}
	return count
}
