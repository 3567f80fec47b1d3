package feasible

import (
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/cluster"
)

// Looking from both sides says the same as numbering the parts, on graphs from empty to connected.
func TestJoinedAgreesWithTheParts(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{
		{Name: "rack", Count: 3, Nodes: 4, Link: &cluster.Link{GBs: 10}, Uplink: &cluster.Link{GBs: 20}}}}})
	if err != nil {
		t.Fatal(err)
	}
	routes := On(c).routes()
	p := newPacking(routes, c.Most(), routes.kinds())
	rng := rand.New(rand.NewPCG(1, 1))
	for len(p.best) == 0 {
		k := int32(rng.IntN(len(p.Edges)))
		if p.in[k] && rng.IntN(3) == 0 {
			p.remove(k)
		} else if !p.in[k] && p.room(k) {
			p.add(k)
		}
		part, parts := make([]int, p.nodes), 0
		p.scan.round++
		for i := range p.nodes {
			if p.scan.seen[i] != p.scan.round {
				p.reach(i)
				parts++
				for _, j := range p.scan.queue {
					part[j] = parts
				}
			}
		}
		for i := range p.nodes {
			for j := range p.nodes {
				if got, want := p.joined(i, j), part[i] == part[j]; got != want {
					t.Fatalf("%d edges: %d and %d joined: %v, want %v", p.count, i, j, got, want)
				}
			}
		}
		p.keep()
	}
}
