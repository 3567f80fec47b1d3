package consensus

import (
	"math"
	"math/rand/v2"

	"github.com/batopo/batopo/mixing"
)

// A trial is one start on its way to agreement.
type trial struct {
	w       *mixing.Schedule
	round   int
	x, next []float64
	mean    float64
	errors  [chunk + 1]float64 // errors[k] after k rounds of the current chunk
}

func newTrial(w *mixing.Schedule, s Settings, number int) *trial {
	n := w.Nodes()
	t := &trial{w: w, x: make([]float64, n), next: make([]float64, n)}
	if s.Start != nil {
		copy(t.x, s.Start)
	} else {
		rng := rand.New(rand.NewPCG(s.Seed, uint64(number)))
		for i := range t.x {
			t.x[i] = rng.NormFloat64()
		}
	}
	for _, v := range t.x {
		t.mean += v
	}
	t.mean /= float64(n)
	t.errors[0] = t.distance()
	return t
}

// run averages count ≤ chunk times and records the error after each.
func (t *trial) run(count int) {
	for k := range count {
		t.w.Round(t.round).Apply(t.next, t.x)
		t.x, t.next = t.next, t.x
		t.round++
		t.errors[k+1] = t.distance()
	}
}

// distance is ‖x − x̄‖₂ to the mean of the start, which averaging preserves.
func (t *trial) distance() float64 {
	sum := 0.0
	for _, v := range t.x {
		sum += (v - t.mean) * (v - t.mean)
	}
	return math.Sqrt(sum)
}
