package cost

import (
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/mixing"
)

// A Period is the rounds that repeat, priced for messages of any size and any latency between all nodes. Who shares
// which link depends on neither, so it is found once.
type Period struct {
	nodes  int
	rounds []pricer
	gbs    float64 // what the busiest link of a period leaves for a message of everybody who uses it
}

// A pricer says how long a round takes.
type pricer interface {
	at(messageMB, latencyMS float64) Exchange
}

// A stepsTariff prices a round whose steps all nodes take together.
type stepsTariff struct {
	*tariff
	peers [][]int
	late  float64 // ms until its first messages leave
}

// A roundTariff prices a round in which every node exchanges whole messages with its peers.
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

// NewPeriod finds who shares what in the rounds of a period.
func NewPeriod(c *cluster.Cluster, period []Form) (*Period, error) {
	p := &Period{nodes: c.Nodes(), gbs: math.Inf(1)}
	whole := c.NewLoad()
	var pairs [][][]int
	for t, f := range period {
		if f.Steps != nil {
			tariff, err := newTariff(f.Steps, c)
			if err != nil {
				return nil, err
			}
			p.rounds = append(p.rounds, &stepsTariff{tariff, f.Peers, noticeMS(c, f.Steps, 1)})
			continue
		}
		peers := peersOf(f.W)
		round, err := newRoundTariff(c, f.W, peers)
		if err == nil {
			err = whole.AddRound(f.W)
		}
		if err != nil {
			return nil, fmt.Errorf("round %d: %w", t, err)
		}
		p.rounds, pairs = append(p.rounds, round), append(pairs, peers)
	}
	for _, round := range pairs {
		for i, peers := range round {
			for _, j := range peers {
				p.gbs = min(p.gbs, whole.Passage(i, j).GBs)
			}
		}
	}
	return p, nil
}

// peersOf lists with whom every node exchanges anything, in ascending order.
func peersOf(w *mixing.Matrix) [][]int {
	peers := make([][]int, w.Nodes())
	for to := range peers {
		from, _ := w.Row(to)
		for _, j := range from {
			peers[to], peers[j] = append(peers[to], j), append(peers[j], to)
		}
	}
	for i := range peers {
		slices.Sort(peers[i])
		peers[i] = slices.Compact(peers[i])
	}
	return peers
}

// PeersThrough lists for whom nodes wait in a round that averages inside groups and, by w, between them: for their
// whole group, and so for all whom any member of it waits for.
func PeersThrough(groups [][]int, w *mixing.Matrix) [][]int {
	nodes := 0
	for _, members := range groups {
		nodes += len(members)
	}
	peers := make([][]int, nodes)
	for g, between := range peersOf(w) {
		all := slices.Clone(groups[g])
		for _, other := range between {
			all = append(all, groups[other]...)
		}
		for _, i := range groups[g] {
			peers[i] = all // itself among them, which changes nothing
		}
	}
	return peers
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

// At returns what nodes do that exchange in every iteration, when messages have that size and that latency is between
// all nodes.
func (p *Period) At(messageMB, latencyMS float64) (*Process, error) {
	out := &Process{Nodes: p.nodes, Every: 1, BusyMS: messageMB / p.gbs}
	for _, r := range p.rounds {
		out.Rounds = append(out.Rounds, r.at(messageMB, latencyMS))
	}
	return out, out.Validate()
}

// NewProcess returns what nodes do that exchange in every iteration, by the rounds of a period. Rounds in steps take to
// the last digit what [Rounds] says, and over gloo a notice more.
func NewProcess(c *cluster.Cluster, period []Form) (*Process, error) {
	if slices.ContainsFunc(period, func(f Form) bool { return f.Steps == nil }) {
		p, err := NewPeriod(c, period)
		if err != nil {
			return nil, err
		}
		return p.At(c.Model().MessageMB, c.LatencyMS())
	}
	rounds, err := Rounds(c, period)
	if err != nil {
		return nil, err
	}
	out := &Process{Nodes: c.Nodes(), Every: 1}
	for t, r := range rounds {
		out.Rounds = append(out.Rounds, Exchange{MS: r.CommunicationMS + noticeMS(c, period[t].Steps, 1),
			Bottleneck: r.Bottleneck, Peers: period[t].Peers})
	}
	return out, out.Validate()
}

func (s *stepsTariff) at(messageMB, latencyMS float64) Exchange {
	price := s.Price(messageMB, latencyMS)
	return Exchange{MS: price.MS + s.late, Bottleneck: price.Bottleneck, Peers: s.peers}
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
