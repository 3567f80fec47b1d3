package main

import (
	"math"
	"math/rand/v2"
)

// A trace is a day of a WAN. Every site's line has a factor on its rates that changes all the time:
//
//	busy hours   1 − 0.4·max(0, sin 2π(t/day + φ)), φ drawn per site: time zones
//	noise        exp(x), x ← 0.9·x + 0.1·N(0, 1) per step
//	disturbance  0.3 with probability 1 in a day per site, for half an hour on average
type trace struct {
	step float64 // of a day
	rng  *rand.Rand
	zone []float64
	x    []float64
	down []int // steps that a disturbance still lasts
}

const (
	busyShare   = 0.4
	memory      = 0.9
	noise       = 0.1
	disturbed   = 0.3
	disturbance = 1.0 / 48 // of a day, on average
)

func newTrace(n, steps int, seed uint64) *trace {
	t := &trace{step: 1 / float64(steps), rng: rand.New(rand.NewPCG(seed, 0)), zone: make([]float64, n),
		x: make([]float64, n), down: make([]int, n)}
	for i := range t.zone {
		t.zone[i] = t.rng.Float64()
	}
	return t
}

// next returns the factors of the sites in the next step.
func (t *trace) next(k int) []float64 {
	factor := make([]float64, len(t.zone))
	for i := range factor {
		t.x[i] = memory*t.x[i] + noise*t.rng.NormFloat64()
		day := float64(k)*t.step + t.zone[i]
		factor[i] = math.Exp(t.x[i]) * (1 - busyShare*max(0, math.Sin(2*math.Pi*day)))
		if t.down[i] == 0 && t.rng.Float64() < t.step {
			t.down[i] = 1 + int(t.rng.ExpFloat64()*disturbance/t.step)
		}
		if t.down[i] > 0 {
			t.down[i]--
			factor[i] *= disturbed
		}
	}
	return factor
}
