package iteration

import (
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// FromPlan returns what a plan's nodes do, with the times that its rounds take on a cluster, which need not be the
// plan's own.
func FromPlan(p *design.Plan, c *cluster.Cluster) (*Process, error) {
	if !p.InSteps() {
		t, err := NewTariff(p, c)
		if err != nil {
			return nil, err
		}
		return t.At(c.Model().MessageMB, c.LatencyMS())
	}
	costs, err := p.RoundCosts(c)
	if err != nil {
		return nil, err
	}
	out := &Process{Nodes: p.Nodes, Every: p.Every, Overlap: p.Overlap}
	for t, cost := range costs {
		out.Rounds = append(out.Rounds,
			Exchange{MS: cost.CommunicationMS, Bottleneck: cost.Bottleneck, Peers: stepPeers(p, t)})
	}
	return out, out.Validate()
}

// stepPeers lists who waits for whom in a round of steps; nil: all for all.
func stepPeers(p *design.Plan, t int) [][]int {
	if p.Inside == nil {
		return nil
	}
	r := p.Rounds[t]
	return throughGroups(p.Inside.Groups, roundPeers(r, len(r.SelfWeights)), p.Nodes)
}

// roundPeers lists with whom every party of a round exchanges anything.
func roundPeers(r design.Round, parties int) [][]int {
	peers := make([][]int, parties)
	for _, e := range r.Edges {
		peers[e.I] = append(peers[e.I], e.J)
		peers[e.J] = append(peers[e.J], e.I)
	}
	for i := range peers {
		slices.Sort(peers[i])
		peers[i] = slices.Compact(peers[i])
	}
	return peers
}

// throughGroups turns peers of groups into peers of nodes: a node waits for its whole group, and so for all whom any
// member of it waits for.
func throughGroups(groups [][]int, between [][]int, nodes int) [][]int {
	peers := make([][]int, nodes)
	for g, members := range groups {
		all := slices.Clone(members)
		for _, other := range between[g] {
			all = append(all, groups[other]...)
		}
		for _, i := range members {
			peers[i] = all // itself among them, which changes nothing
		}
	}
	return peers
}

// firstBucketMB is the size of the first bucket of DistributedDataParallel, small so that communication begins early.
const firstBucketMB = 1

// DDP returns DistributedDataParallel: gradients of messageMB megabytes are averaged in buckets of at most bucketMB,
// the first of which is small; price says how long the all-reduce of that many megabytes takes. What is left for the
// last bucket depends on how layers fill the others, which is not known; it is taken as full, so that time grows
// steadily with the message.
func DDP(nodes int, messageMB, bucketMB float64, price func(mb float64) (float64, error)) (*Process, error) {
	if !(messageMB > 0) || !(bucketMB > 0) {
		return nil, fmt.Errorf("iteration: buckets of %v of %v MB; both must be above 0", bucketMB, messageMB)
	}
	first := min(firstBucketMB, bucketMB, messageMB)
	rest := messageMB - first
	size := min(bucketMB, rest)
	p := &Process{Nodes: nodes, Every: 1}
	for _, part := range []struct{ mb, count float64 }{{first, 1}, {size, rest / size}} {
		const rounding = 1e-9 // of the message: less is no bucket of its own
		if part.mb <= rounding*messageMB {
			continue
		}
		ms, err := price(part.mb)
		if err != nil {
			return nil, err
		}
		p.Buckets = append(p.Buckets, Bucket{Share: part.mb / messageMB, MS: ms, Count: part.count})
	}
	return p, p.Validate()
}
