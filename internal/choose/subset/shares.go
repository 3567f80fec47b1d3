package subset

import (
	"cmp"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// SharesPerNode is how finely the batch is divided: shares are multiples of 1/(SharesPerNode × nodes), so a batch of a
// multiple of SharesPerNode samples per node is divided without a rest.
const SharesPerNode = 16

// Shares divides the batch of all nodes in proportion to their speed, so that all compute for as long. It returns nil
// where they are equally fast.
func Shares(c *cluster.Cluster) []float64 {
	n, speeds := c.Nodes(), 0.0
	for i := range n {
		if c.ComputeMS(i) == 0 {
			return nil // a node that needs no time has no speed
		}
		speeds += 1 / c.ComputeMS(i)
	}
	units, rests, left := make([]int, n), make([]float64, n), SharesPerNode*n
	for i := range n {
		exact := float64(SharesPerNode*n) / c.ComputeMS(i) / speeds
		units[i] = max(1, int(exact))
		rests[i] = exact - float64(units[i])
		left -= units[i]
	}
	order := topology.InOrder(n)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rests[b], rests[a]) })
	for k := 0; left > 0; k++ { // those with the largest rest first
		units[order[k]]++
		left--
	}
	for left < 0 { // nodes that were too slow for a share took one from the fastest
		most := slices.Index(units, slices.Max(units))
		units[most]--
		left++
	}
	if slices.Min(units) == slices.Max(units) {
		return nil
	}
	out := make([]float64, n)
	for i, u := range units {
		out[i] = float64(u) / float64(SharesPerNode*n)
	}
	return out
}
