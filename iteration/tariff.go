package iteration

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// A Tariff is what the rounds of a plan take on the links of a cluster, for messages of any size and any latency
// between all nodes. Who shares which link depends on neither, so it is found once.
type Tariff struct {
	plan   *design.Plan
	rounds []pricer
	gbs    float64 // what the busiest link of a period leaves for a message of everybody who uses it
}

// A pricer says how long a round takes.
type pricer interface {
	at(messageMB, latencyMS float64) Exchange
}

// A stepsTariff is that of a round whose steps all nodes take together.
type stepsTariff struct {
	*collective.Tariff
	peers [][]int
}

// A roundTariff is that of a round in which every node exchanges whole messages with its peers.
type roundTariff struct {
	peers [][]int // of every node, in ascending order; who is somebody's peer has that one as a peer
	in    [][]way // from every peer of every node
}

// A way is one direction of a pair. Nothing travels where gbs is 0.
type way struct {
	latencyMS  float64 // besides that between all nodes
	gbs        float64
	bottleneck string
}

func (w way) ms(messageMB, latencyMS float64) float64 {
	if w.gbs == 0 {
		return 0
	}
	return latencyMS + w.latencyMS + messageMB/w.gbs
}

// NewTariff finds who shares what in the rounds of a plan.
func NewTariff(p *design.Plan, c *cluster.Cluster) (*Tariff, error) {
	if p.Nodes != c.Nodes() {
		return nil, fmt.Errorf("iteration: the plan has %d nodes, the cluster %d", p.Nodes, c.Nodes())
	}
	t := &Tariff{plan: p, gbs: math.Inf(1)}
	if p.InSteps() {
		return t, t.addSteps(c)
	}
	return t, t.addRounds(c)
}

// addSteps finds who shares what in rounds of steps.
func (t *Tariff) addSteps(c *cluster.Cluster) error {
	all, err := t.plan.Steps()
	if err != nil {
		return err
	}
	for k, a := range all {
		tariff, err := a.Tariff(c)
		if err != nil {
			return err
		}
		t.rounds = append(t.rounds, &stepsTariff{tariff, stepPeers(t.plan, k)})
	}
	return nil
}

// addRounds finds who shares what in rounds between peers.
func (t *Tariff) addRounds(c *cluster.Cluster) error {
	matrices, err := t.plan.Between()
	if err != nil {
		return err
	}
	period := c.NewLoad()
	var all [][][]int
	for k, w := range matrices {
		peers := roundPeers(t.plan.Rounds[k], t.plan.Nodes)
		round, err := newRoundTariff(c, w, peers)
		if err == nil {
			err = period.AddRound(w)
		}
		if err != nil {
			return fmt.Errorf("round %d: %w", k, err)
		}
		t.rounds, all = append(t.rounds, round), append(all, peers)
	}
	for _, round := range all {
		for i, peers := range round {
			for _, j := range peers {
				t.gbs = min(t.gbs, period.Passage(i, j).GBs)
			}
		}
	}
	return nil
}

func newRoundTariff(c *cluster.Cluster, w *mixing.Matrix, peers [][]int) (*roundTariff, error) {
	load, err := c.Load(w)
	if err == nil {
		err = load.Allowed()
	}
	if err != nil {
		return nil, err
	}
	out := &roundTariff{peers: peers, in: make([][]way, len(peers))}
	for to, of := range peers {
		out.in[to] = make([]way, len(of))
		for k, from := range of {
			if _, sends := w.At(to, from); sends {
				p := load.Passage(from, to)
				out.in[to][k] = way{p.LatencyMS - c.LatencyMS(), p.GBs, p.Bottleneck}
			}
		}
	}
	return out, nil
}

// At returns what the plan's nodes do when messages have that size, and that latency is between all nodes.
func (t *Tariff) At(messageMB, latencyMS float64) (*Process, error) {
	out := &Process{Nodes: t.plan.Nodes, Every: t.plan.Every, Overlap: t.plan.Overlap, BusyMS: messageMB / t.gbs}
	for _, r := range t.rounds {
		out.Rounds = append(out.Rounds, r.at(messageMB, latencyMS))
	}
	return out, out.Validate()
}

func (s *stepsTariff) at(messageMB, latencyMS float64) Exchange {
	cost := s.Cost(messageMB, latencyMS)
	return Exchange{MS: cost.MS, Bottleneck: cost.Bottleneck, Peers: s.peers}
}

func (r *roundTariff) at(messageMB, latencyMS float64) Exchange {
	var longest cluster.Round
	e := Exchange{Peers: r.peers, PairMS: make([][]float64, len(r.peers))}
	for i, ways := range r.in {
		e.PairMS[i] = make([]float64, len(ways))
		for k, w := range ways {
			ms := w.ms(messageMB, latencyMS)
			longest.Wait(cluster.Round{CommunicationMS: ms, Bottleneck: w.bottleneck})
			e.PairMS[i][k] = ms
		}
	}
	e.MS, e.Bottleneck = longest.CommunicationMS, longest.Bottleneck
	e.bothWays()
	return e
}

// bothWays makes a pair take as long as the slower of its directions.
func (e *Exchange) bothWays() {
	seen := make([]int, len(e.Peers)) // how many of its peers came before: they come in ascending order
	for i, peers := range e.Peers {
		for k, j := range peers {
			there, back := &e.PairMS[i][k], &e.PairMS[j][seen[j]]
			*there, *back = max(*there, *back), max(*there, *back)
			seen[j]++
		}
	}
}
