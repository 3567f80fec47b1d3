package cost

import (
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
)

// Quickest is what messages of any size cost over whichever of some all-reduces and in whatever number of chunks.
type Quickest []Tariffs

// NewQuickest finds what the all-reduces cost on a cluster.
func NewQuickest(c *cluster.Cluster, runs []*collective.Algorithm) (q Quickest, err error) {
	for _, a := range runs {
		most := 16 // it is tried again and again, for every size of message
		if a.Chunks == 1 {
			most = 1 // it cuts the message itself
		}
		tariffs, err := NewTariffs(a, c, most)
		if err != nil {
			return nil, err
		}
		q = append(q, tariffs)
	}
	return q, nil
}

// Price is what messages of that many megabytes cost.
func (q Quickest) Price(mb, latencyMS float64) Price {
	best := Price{MS: math.Inf(1)}
	for _, tariffs := range q {
		if price := tariffs.Price(max(mb, cluster.LeastMessageMB), latencyMS); price.MS < best.MS {
			best = price
		}
	}
	return best
}
