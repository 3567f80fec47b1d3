package weights

import "github.com/batopo/batopo/internal/solve/weights/internal/matrix"

func (c *lifted) predict(dx []float64) {
	c.corrected = false
	c.eachWorking(dx, func(u *liftBlock, ds float64) {
		c.compose(u.dz, u.sign, u.value*ds, 0)
		matrix.Times(c.image, u.y, u.dz, c.k)
		c.multiplierStep(u, 0)
		matrix.Times(u.second, u.dy, u.dz, c.k)
	})
}

func (c *lifted) correct(dx []float64, nu float64) {
	c.corrected = true
	copy(c.direction, dx)
	c.eachWorking(dx, func(u *liftBlock, ds float64) {
		c.compose(u.dz, u.sign, u.value*ds, 0)
		matrix.Times(c.image, u.y, u.dz, c.k)
		for i, v := range u.second {
			c.image[i] += v
		}
		c.multiplierStep(u, nu)
	})
}

// multiplierStep writes ν·Z⁻¹ − Y − sym(Z⁻¹·image*) to dy.
func (c *lifted) multiplierStep(u *liftBlock, nu float64) {
	k := c.k
	matrix.Times(c.double, u.inv, c.image, k)
	for i := range k {
		for j := range i + 1 {
			g, t := c.double[i*k+j], c.double[j*k+i]
			q, y := u.inv[i*k+j], u.y[i*k+j]
			re := nu*real(q) - real(y) - (real(g)+real(t))/2
			im := nu*imag(q) - imag(y) - (imag(g)-imag(t))/2
			u.dy[i*k+j], u.dy[j*k+i] = complex(re, im), complex(re, -im)
		}
	}
}

func (c *lifted) secondOrder(w []float64) {
	k := c.k
	for _, b := range c.working {
		u, vectors := &c.blocks[b], c.vectorsOf(b)
		c.leftRows(c.rows, u.second, vectors)
		for e := range c.arcs {
			w[e] += u.sign * matrix.InnerHermitian(u.invRows[e*k:e*k+k], c.rows[e*k:e*k+k])
		}
		w[len(c.arcs)] += u.value * matrix.InnerHermitian(u.inv, u.second)
	}
}

func (c *lifted) primalStep(limit float64) float64 {
	for _, b := range c.working {
		limit = c.within(c.blocks[b].z, c.blocks[b].dz, limit)
	}
	if c.corrected {
		limit = c.watch(limit)
	}
	return limit
}

func (c *lifted) dualStep(limit float64) float64 {
	for _, b := range c.working {
		limit = c.within(c.blocks[b].y, c.blocks[b].dy, limit)
	}
	return limit
}

// within returns a step α ≤ limit with a + αd positive definite: limit itself
// where possible, else one that is within a few per cent of the longest, by bisection. A
// Cholesky factorisation is cheaper here than the eigenvalue it stands for.
func (c *lifted) within(a, d []complex128, limit float64) float64 {
	if c.positive(a, d, limit) {
		return limit
	}
	const cuts = 6
	low, high := 0.0, limit
	for range cuts {
		if middle := (low + high) / 2; c.positive(a, d, middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// positive reports whether a + step·d is positive definite.
func (c *lifted) positive(a, d []complex128, step float64) bool {
	k := c.k
	for i := range k {
		for j := i * k; j <= i*k+i; j++ {
			c.double[j] = complex(real(a[j])+step*real(d[j]), imag(a[j])+step*imag(d[j]))
		}
	}
	return matrix.FactorHermitian(c.double, k)
}

func (c *lifted) move(step float64) {
	for _, b := range c.working {
		u := &c.blocks[b]
		for i, v := range u.dy {
			u.y[i] += complex(step*real(v), step*imag(v))
		}
	}
}
