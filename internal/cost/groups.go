package cost

import (
	"slices"

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

// WithBatches returns the compute times of nodes that each have a share of the batch of all; nil: equal shares.
func (c Compute) WithBatches(shares []float64) Compute {
	if len(shares) == 0 {
		return c
	}
	out := Compute{MS: slices.Clone(c.MS), JitterMS: slices.Clone(c.JitterMS), Forward: c.Forward}
	for i, share := range shares {
		out.MS[i] *= share * float64(len(shares))
		out.JitterMS[i] *= share * float64(len(shares))
	}
	return out
}
