package weights

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
)

// The working set. A block far from the boundary has next to no multiplier and pulls at nothing, so the
// method starts with the blocks that are tightest at the first weights. Every step is
// checked against all others; one that would be violated joins with the multiplier νZ⁻¹ that it would have on the
// central path. At the end the blocks that never joined hold by the checks, and multiplier 0 is right for them.

// startBlocks is the number of blocks of each half to start with, as a share of the variables.
const startBlocks = 0.15

// longStep is a step after which no block of Z, whose eigenvalues are about 1, is sure to be positive.
const longStep = 0.2

// touching is the smallest eigenvalue of Z that a watched block may have: far above rounding, so that it is
// sure to be positive definite when it joins.
const touching = 1e-12

// choose fills the working set for the weights x.
func (c *lifted) choose(x []float64) {
	want := max(2, int(startBlocks*float64(len(c.arcs))))
	c.working = c.working[:0]
	for half := range 2 {
		c.tightest(half, want, x)
	}
	slices.Sort(c.working)
	c.watched = c.watched[:0]
	for b, next := 0, 0; b < len(c.blocks); b++ {
		if next < len(c.working) && c.working[next] == b {
			next++
			c.allocate(&c.blocks[b])
			continue
		}
		c.watched = append(c.watched, b)
		c.margin[b], c.fresh[b] = 0, false
	}
	copy(c.point, x)
}

// tightest appends between want and 2·want blocks of a half (all, if there are no more) to
// the working set: those with the smallest λ_min of the Laplacian's block for the upper
// half, with the largest λ_max for the lower. It bisects for a threshold, testing only blocks not yet decided.
func (c *lifted) tightest(half, want int, x []float64) {
	open := c.watched[:0] // scratch: choose fills it later
	for b := half; b < len(c.blocks); b += 2 {
		open = append(open, b)
	}
	chosen := 0
	inner, outer := 0.0, 2.0 // thresholds that surely few and surely all blocks are beyond
	if half == 1 {
		inner, outer = 2.0, 0.0
	}
	const cuts = 12
	for cut := 0; cut < cuts && chosen < want && chosen+len(open) > 2*want; cut++ {
		threshold := (inner + outer) / 2
		beyond := 0
		for i, b := range open {
			c.laplacianOf(b/2, x)
			u := &c.blocks[b]
			c.compose(c.double, u.sign, -u.sign*threshold, u.shift)
			if !matrix.FactorHermitian(c.double, c.k) {
				open[beyond], open[i] = open[i], open[beyond]
				beyond++
			}
		}
		if chosen+beyond <= 2*want {
			c.working = append(c.working, open[:beyond]...)
			chosen += beyond
			open = open[beyond:]
			inner = threshold
		} else {
			open = open[:beyond]
			outer = threshold
		}
	}
	if chosen < want {
		c.working = append(c.working, open...)
	}
}

// allocate gives a block the matrices of a working one.
func (c *lifted) allocate(u *liftBlock) {
	if u.z != nil {
		return
	}
	size := c.k * c.k
	memory := make([]complex128, 6*size)
	for i, m := range []*[]complex128{&u.z, &u.inv, &u.y, &u.dz, &u.dy, &u.second} {
		*m = memory[i*size : (i+1)*size : (i+1)*size]
	}
}

// watch shortens the step until no watched block is violated, and lets those
// that would have been join. Most blocks need no look: λ_min(Z) moves by at most the length of
// the step, so one that was found well inside stays so for as long as its margin lasts.
func (c *lifted) watch(limit float64) float64 {
	reach := limit * c.length(c.direction)
	c.look(limit)
	joined := false
	character := -1
	for i, b := range c.watched {
		if c.margin[b] > reach {
			continue
		}
		if b/2 != character {
			character = b / 2
			c.laplacianOf(character, c.ahead)
		}
		// Steps shrink, so a margin of twice this one usually lasts to the end. After long first steps no block has
		// that much.
		if reach < longStep && c.insideBy(b, 2*reach) {
			c.margin[b], c.fresh[b] = reach, true
			continue
		}
		if c.insideBy(b, touching) {
			c.margin[b] = 0
			continue
		}
		if !c.join(b) {
			limit = 0 // the method stalls, and says so
			break
		}
		limit = c.within(c.blocks[b].z, c.blocks[b].dz, limit)
		c.look(limit)
		c.watched[i] = -1
		joined, character = true, -1
	}
	if joined {
		slices.Sort(c.working)
		c.watched = slices.DeleteFunc(c.watched, func(b int) bool { return b < 0 })
	}
	return limit
}

// look sets the point ahead.
func (c *lifted) look(step float64) {
	copy(c.ahead, c.point)
	floats.AddScaled(c.ahead, step, c.direction)
}

// insideBy reports whether λ_min(Z) of a block exceeds margin at the point ahead, whose Laplacian is at hand.
func (c *lifted) insideBy(b int, margin float64) bool {
	u := &c.blocks[b]
	c.compose(c.double, u.sign, u.value*c.ahead[len(c.arcs)]+u.constant-margin, u.shift)
	return matrix.FactorHermitian(c.double, c.k)
}

// length bounds by how much any block of Z changes along dx: |ds| + ‖L(dg)‖ ≤ |ds| + 2·(largest row sum of |dg|).
func (c *lifted) length(dx []float64) float64 {
	clear(c.load)
	for e, arc := range c.arcs {
		w := math.Abs(dx[e])
		c.load[arc.A] += w
		if arc.A != arc.B || 2*arc.S != len(c.root) {
			c.load[arc.B] += w
		}
	}
	return math.Abs(dx[len(c.arcs)]) + 2*slices.Max(c.load)
}

// settle moves to x and updates the margins of watched blocks. Those just looked at had theirs measured at
// the point ahead, which has come nearer; it was stored as it was at the start of the step, so to speak.
func (c *lifted) settle(x []float64) {
	floats.SubTo(c.ahead, x, c.point)
	moved := c.length(c.ahead)
	for _, b := range c.watched {
		if c.fresh[b] {
			c.margin[b] += moved
			c.fresh[b] = false
		} else {
			c.margin[b] -= moved
		}
	}
	copy(c.point, x)
}

// join makes a watched block a working one at the present point; false when it is not positive definite there,
// which only rounding could bring about.
func (c *lifted) join(b int) bool {
	u, vars := &c.blocks[b], len(c.arcs)
	c.allocate(u)
	c.laplacianOf(b/2, c.direction)
	c.compose(u.dz, u.sign, u.value*c.direction[vars], 0)
	c.laplacianOf(b/2, c.point)
	c.compose(u.z, u.sign, u.value*c.point[vars]+u.constant, u.shift)
	copy(c.double, u.z)
	if !matrix.FactorHermitian(c.double, c.k) {
		return false
	}
	matrix.InvertHermitian(u.inv, c.double, c.k)
	trace := 0.0
	for i := 0; i < len(u.inv); i += c.k + 1 {
		trace += real(u.inv[i])
	}
	// On the central path Y = νZ⁻¹ with ν the mean. Here Z may be much closer to singular, and a
	// multiplier above the gap would throw the others out of balance.
	nu := c.complementarity() / max(float64(c.order()), trace)
	for i, v := range u.inv {
		u.y[i] = complex(nu*real(v), nu*imag(v))
		u.dy[i] = 0
	}
	c.working = append(c.working, b)
	return true
}
