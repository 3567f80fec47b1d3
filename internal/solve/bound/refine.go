package bound

import (
	"math"

	"github.com/batopo/batopo/design"
)

// refine moves θ and τ of a proof of order 4 to where they prove more, and returns the value. The best pair
// often lies where equal weights only just are worst, on an edge that neither the search along
// θ nor the rule for τ finds. It takes some hundred trials.
func (q *question) refine(w *walkProof, v float64) float64 {
	const directions, widest, finest = 16, 0.3, 1e-5
	proved := func(theta, tau, v float64) bool {
		lower := q.lower(v)
		if !(lower < v && theta <= -(lower+v)/2 && tau >= 0 && tau <= 1) {
			return false
		}
		at := quarticWalk(lower, v, theta)
		at.tau = tau
		return q.leastTotal(at.rows(q)) > at.f.at(1)
	}
	v = push(v, func(v float64) bool { return proved(w.theta, w.tau, v) })
	for step := widest; step > finest; step /= 2 {
		for moved := true; moved; {
			moved = false
			for k := range directions {
				sin, cos := math.Sincos(2 * math.Pi * float64(k) / directions)
				theta, tau := w.theta+step*sin, w.tau+step*cos
				if proved(theta, tau, v+2*design.BoundSlack) {
					v = push(v+2*design.BoundSlack, func(v float64) bool { return proved(theta, tau, v) })
					w.theta, w.tau, moved = theta, tau, true
				}
			}
		}
	}
	return v - design.BoundSlack
}

// push returns the largest value that is proved without a gap from v, which is proved itself.
func push(v float64, proved func(v float64) bool) float64 {
	step := design.BoundSlack
	for v+step < 1 && proved(v+step) {
		v += step
		step *= 2
	}
	for ; step > design.BoundSlack/16; step /= 2 {
		if v+step < 1 && proved(v+step) {
			v += step
		}
	}
	return v
}
