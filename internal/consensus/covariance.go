package consensus

import (
	"math"

	"github.com/batopo/batopo/mixing"
)

// Variance is the mean variance of x ← W_t(√γ x + noise) over nodes and a period, with a round in every that many
// steps, after enough periods that what came before the first has faded. Of more than 64 nodes it has four digits.
func Variance(rounds []*mixing.Matrix, every int, gamma float64) float64 {
	n, steps, faded := rounds[0].Nodes(), every*len(rounds), 1e-10
	if n > 64 {
		faded = 1e-4 // in less than half of the time
	}
	periods := int(math.Ceil(math.Log(faded)/math.Log(gamma)/float64(steps))) + 1
	if alike := Alike(rounds...); alike.Count() <= n/2 {
		return alike.variance(rounds, every, gamma, periods)
	}
	return plainVariance(rounds, every, gamma, periods)
}

func plainVariance(rounds []*mixing.Matrix, every int, gamma float64, periods int) float64 {
	n, steps := rounds[0].Nodes(), every*len(rounds)
	c := covariance{n: n, at: make([]float64, n*n), half: make([]float64, n*n)}
	variance := 0.0
	for range periods {
		variance = 0
		for step := 1; step <= steps; step++ {
			c.noise(gamma)
			if step%every == 0 {
				c.round(rounds[step/every-1])
			}
			variance += c.trace()
		}
	}
	return variance / float64(n*steps)
}

// A covariance of n nodes, row by row.
type covariance struct {
	n        int
	at, half []float64
}

// noise adds a step of noise to what is kept.
func (c *covariance) noise(gamma float64) {
	for i := range c.at {
		c.at[i] *= gamma
	}
	for i := range c.n {
		c.at[i*c.n+i]++
	}
}

// round turns C into W C Wᵀ. To apply W to every row is to multiply by Wᵀ from the right: C Wᵀ, then its transpose W C,
// then W C Wᵀ.
func (c *covariance) round(w *mixing.Matrix) {
	c.rows(w, c.half, c.at)
	c.transpose(c.at, c.half)
	c.rows(w, c.half, c.at)
	c.at, c.half = c.half, c.at
}

// rows applies w to every row of from.
func (c *covariance) rows(w *mixing.Matrix, to, from []float64) {
	for i := range c.n {
		w.Apply(to[i*c.n:(i+1)*c.n], from[i*c.n:(i+1)*c.n])
	}
}

func (c *covariance) transpose(to, from []float64) {
	for i := range c.n {
		for j := range c.n {
			to[j*c.n+i] = from[i*c.n+j]
		}
	}
}

func (c *covariance) trace() float64 {
	sum := 0.0
	for i := range c.n {
		sum += c.at[i*c.n+i]
	}
	return sum
}
