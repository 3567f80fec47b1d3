package consensus

import (
	"encoding/binary"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/batopo/batopo/mixing"
)

// Classes are nodes with the same row in every round, such as those of one server where rounds end inside servers. A
// round then is E R, where R has the row of each class and E puts every node into its class. So the m × m matrix R E
// has all eigenvalues of the round but n − m that are 0, and covariances of m classes say all about those of n nodes.
type Classes struct {
	first []int     // a node of each class
	of    []int     // the class of each node
	size  []float64 // nodes of each class
}

// Alike finds the classes of nodes of some rounds. A node's own weight is what the others leave of 1, so equal rows
// may differ by rounding.
func Alike(rounds ...*mixing.Matrix) Classes {
	const rounding = 1e-12
	n := rounds[0].Nodes()
	c := Classes{of: make([]int, n)}
	for _, w := range rounds {
		rows, known := w.Dense(), make(map[string]int)
		c.first, c.size = nil, nil
		for i := range n {
			key := binary.AppendUvarint(nil, uint64(c.of[i]))
			for _, weight := range rows.RawRowView(i) {
				key = binary.AppendVarint(key, int64(math.Round(weight/rounding)))
			}
			class, seen := known[string(key)]
			if !seen {
				class = len(c.first)
				known[string(key)] = class
				c.first, c.size = append(c.first, i), append(c.size, 0)
			}
			c.of[i] = class
			c.size[class]++
		}
	}
	return c
}

// Count is how many classes there are.
func (c Classes) Count() int { return len(c.first) }

// Merged is R E: what a node of each class takes from every class.
func (c Classes) Merged(w *mixing.Matrix) *mat.Dense {
	merged := mat.NewDense(c.Count(), c.Count(), nil)
	for class, i := range c.first {
		row := merged.RawRowView(class)
		row[class] += w.Self()[i]
		from, weights := w.Row(i)
		for k, j := range from {
			row[c.of[j]] += weights[k]
		}
	}
	return merged
}

// products is R Rᵀ.
func (c Classes) products(w *mixing.Matrix) *mat.Dense {
	n := w.Nodes()
	rows, all := mat.NewDense(c.Count(), n, nil), w.Dense()
	for class, i := range c.first {
		rows.SetRow(class, all.RawRowView(i))
	}
	products := mat.NewDense(c.Count(), c.Count(), nil)
	products.Mul(rows, rows.T())
	return products
}

// variance is what Variance says. The covariance is E K Eᵀ + own I; a round makes K of both, and own 0.
func (c Classes) variance(rounds []*mixing.Matrix, every int, gamma float64, periods int) float64 {
	m, n := c.Count(), len(c.of)
	merged, products := make([]*mat.Dense, len(rounds)), make([]*mat.Dense, len(rounds))
	for k, w := range rounds {
		merged[k], products[k] = c.Merged(w), c.products(w)
	}
	k, half, fresh := mat.NewDense(m, m, nil), mat.NewDense(m, m, nil), mat.NewDense(m, m, nil)
	own, variance := 0.0, 0.0
	for range periods {
		variance = 0
		for step := 1; step <= every*len(rounds); step++ {
			k.Scale(gamma, k)
			own = gamma*own + 1
			if step%every == 0 {
				round := step/every - 1
				half.Mul(merged[round], k)
				k.Mul(half, merged[round].T())
				fresh.Scale(own, products[round])
				k.Add(k, fresh)
				own = 0
			}
			variance += own * float64(n)
			for class, nodes := range c.size {
				variance += nodes * k.At(class, class)
			}
		}
	}
	return variance / float64(n*every*len(rounds))
}
