package cost

import (
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
)

// GradientsInside returns the process whose nodes also average gradients inside groups in every step, in buckets, while
// the backward pass goes on, and sends that share of their bytes. All groups do so at the same time; the slowest
// decides.
func (p *Process) GradientsInside(c *cluster.Cluster, groups [][]int, share float64) (*Process, error) {
	nothing := collective.Listed("nothing", len(groups), nil)
	ways := []*collective.Algorithm{collective.Levels(groups, collective.Around, nothing)}
	if c.Backend() != cluster.Gloo {
		ways = append(ways, collective.Levels(groups, collective.Direct, nothing))
	}
	inner, err := InBuckets(c, Gradients(share), ways...)
	if err != nil {
		return nil, err
	}
	out := *p
	out.Buckets, out.Groups = inner.Buckets, groups
	return &out, out.Validate()
}
