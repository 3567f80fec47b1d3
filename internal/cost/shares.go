package cost

import (
	"context"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/ground/minmax"
)

// mostShares limits the linear program of BestShares, which costs about the cube of the number of nodes.
const mostShares = 128

// leastShare is the least that a node may have to sum.
const leastShare = 1e-6

// BestShares returns the shares for which [collective.Shards], cut finely, loads the busiest resource least. With i
// collecting and handing out s_i, arc i→j carries s_i + s_j, so loads are linear in the shares and a linear
// program finds the best. When ctx ends it returns the best so far, which may be equal shares.
func BestShares(ctx context.Context, c *cluster.Cluster) ([]float64, error) {
	n := c.Nodes()
	if n > mostShares {
		return nil, limits.Refuse("cost: %d nodes; shares are optimised for at most %d", n, mostShares)
	}
	if c.Homogeneous() {
		// Nodes may change places, and the mean of two best choices is no worse: equal shares are among the best.
		return collective.EqualShares(n), nil
	}
	loads, err := shareLoads(c)
	if err != nil {
		return nil, err
	}
	largest := 0.0
	for _, row := range loads {
		largest = max(largest, slices.Max(row))
	}
	for _, row := range loads {
		for i := range row {
			row[i] /= largest
		}
		slices.Reverse(row) // of equally good divisions the one with the last nodes is taken
	}
	shares, _ := minmax.Divide(ctx, loads)
	slices.Reverse(shares)
	sum := 0.0
	for i, s := range shares {
		if s < leastShare { // rounding of the solver, and not worth a message
			shares[i] = 0
		}
		sum += shares[i]
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares, nil
}

// shareLoads returns, per resource and direction that any arc uses, the milliseconds that a share of 1 at each
// node costs.
func shareLoads(c *cluster.Cluster) ([][]float64, error) {
	n := c.Nodes()
	resources := c.Resources()
	message := c.Model().MessageMB
	rows := make([][]float64, 2*len(resources))
	var hops []cluster.Hop
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			hops = c.Route(hops[:0], i, j)
			if len(hops) == 0 {
				return nil, fmt.Errorf("cost: nodes %s and %s have no route; shards need one for every pair",
					c.NodeName(i), c.NodeName(j))
			}
			for _, h := range hops {
				if h.Side == cluster.Shared && i > j {
					continue // both directions carry the same, and the pair counts once
				}
				k := 2 * h.Resource
				if h.Side == cluster.Receiver {
					k++
				}
				if rows[k] == nil {
					rows[k] = make([]float64, n)
				}
				ms := message / resources[h.Resource].Toward(h.Side)
				rows[k][i] += ms
				rows[k][j] += ms
			}
		}
	}
	rows = slices.DeleteFunc(rows, func(row []float64) bool { return row == nil })
	return busiest(rows), nil
}

// busiest leaves out the rows that another one is never below: they do not decide which shares are best. Machines that
// are wired alike have many such rows, and with hundreds of equal ones the simplex method walks in circles.
func busiest(rows [][]float64) [][]float64 {
	var kept [][]float64
	for k, row := range rows {
		if !slices.ContainsFunc(kept, func(other []float64) bool { return covers(other, row) }) &&
			!slices.ContainsFunc(rows[k+1:], func(other []float64) bool { return covers(other, row) && !covers(row, other) }) {
			kept = append(kept, row)
		}
	}
	return kept
}

// covers reports whether a row is nowhere below another.
func covers(row, other []float64) bool {
	for i, v := range other {
		if row[i] < v {
			return false
		}
	}
	return true
}
