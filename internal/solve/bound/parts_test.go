package bound

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/design"
)

// More edges or larger degrees are never worse, so their bounds are never larger.
func TestMonotoneInBudgetAndDegree(t *testing.T) {
	const n = 24
	for _, setting := range []design.Sign{design.NonNegative, design.Free} {
		last := 1.0
		for r := n - 1; r <= n*(n-1)/2; r += 1 + r/12 {
			b := mustBest(t, Limits{Nodes: n, MaxEdges: r, Sign: setting})
			if b.RAsym > last+design.BoundSlack {
				t.Errorf("%s, %d edges: bound %.9f by %q, above %.9f with fewer edges", setting, r, b.RAsym, b.Kind, last)
			}
			last = b.RAsym
		}
		last = 1
		for d := 2; d < n; d++ {
			b := mustBest(t, Limits{Nodes: n, MaxEdges: 100, Sign: setting}.withDegrees(d))
			if b.RAsym > last+design.BoundSlack {
				t.Errorf("%s, degree %d: bound %.9f by %q, above %.9f with smaller degrees", setting, d, b.RAsym, b.Kind, last)
			}
			last = b.RAsym
		}
	}
}

// bruteTotal tries every degree sequence.
func bruteTotal(table []float64, limits []int, ends int) float64 {
	if len(limits) == 0 {
		return 0
	}
	best := math.Inf(1)
	for d := 1; d <= min(limits[0], ends, len(table)-1); d++ {
		best = min(best, table[d]+bruteTotal(table, limits[1:], ends-d))
	}
	return best
}

// The price argument never claims more than the best degree sequence, and finds it
// where rows are convex: then degrees as even as the limits allow are best.
func TestLeastTotalAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for trial := range 300 {
		n := 4 + rng.IntN(3)
		degrees := make([]int, n)
		for i := range degrees {
			degrees[i] = 1 + rng.IntN(n-1)
		}
		q, err := Limits{Nodes: n, MaxEdges: n - 1 + rng.IntN(6), Degrees: degrees}.question()
		if err != nil {
			continue // a sum of degrees that connects nothing
		}
		table := []float64{math.Inf(1)}
		value, step := 5.0, 2.0
		for range n - 1 {
			table = append(table, value)
			step *= rng.Float64()
			value -= step
			if trial%2 == 1 {
				value = rng.NormFloat64()
			}
		}
		got := q.leastTotal(rows{table: table})
		want := bruteTotal(table, degrees, q.ends)
		if got > want+1e-9 {
			t.Errorf("trial %d: limits %v, %d ends, rows %v: claims %v, but %v is possible",
				trial, degrees, q.ends, table, got, want)
		}
		if trial%2 == 0 {
			if got < want-1e-9 {
				t.Errorf("trial %d: limits %v, %d ends, convex rows %v: %v, want the optimum %v",
					trial, degrees, q.ends, table, got, want)
			}
			if even := evenTotal(table, degrees, q.ends); math.Abs(even-want) > 1e-12 {
				t.Errorf("trial %d: limits %v, %d ends: even degrees give %v, the best %v", trial, degrees, q.ends, even, want)
			}
		}
	}
}

// evenTotal raises the smallest degree that may still be raised until the ends are spent.
func evenTotal(table []float64, limits []int, ends int) (total float64) {
	degrees := slices.Repeat([]int{1}, len(limits))
	for left := ends - len(limits); left > 0; left-- {
		lowest := -1
		for i, d := range degrees {
			if d < limits[i] && (lowest < 0 || d < degrees[lowest]) {
				lowest = i
			}
		}
		if lowest < 0 {
			break
		}
		degrees[lowest]++
	}
	for _, d := range degrees {
		total += table[d]
	}
	return total
}

func TestBallSizes(t *testing.T) {
	for _, c := range []struct {
		name string
		l    Limits
		want []int
	}{
		{"Moore numbers", Limits{Nodes: 1000, MaxEdges: 1500}.withDegrees(3), []int{4, 10, 22, 46, 94, 190, 382, 766}},
		{"no limit on degrees", Limits{Nodes: 16, MaxEdges: 32}, []int{5}},
		{"a node of small degree next to large ones",
			Limits{Nodes: 100, MaxEdges: 1000, Degrees: append([]int{2, 9, 8}, slices.Repeat([]int{5}, 97)...)}, []int{3, 18}},
		{"stops at a lone edge", Limits{Nodes: 4, MaxEdges: 3, Degrees: []int{1, 3, 1, 1}}, []int{2}},
	} {
		q, err := c.l.question()
		if err != nil {
			t.Fatal(err)
		}
		if got := q.ballSizes(); !slices.Equal(got, c.want) {
			t.Errorf("%s: ball sizes %v, want %v", c.name, got, c.want)
		}
	}
}

func TestContractionAndLambda2AreInverse(t *testing.T) {
	for _, mu := range []float64{-1, -0.4, 0, 0.3} {
		q := question{limited: true, mu: mu}
		for _, rho := range []float64{0, 0.1, 0.383, 0.9} {
			v := q.fromContraction(rho)
			if back := q.toContraction(v); math.Abs(back-rho) > 1e-14 {
				t.Errorf("μ = %v: ρ %v became λ₂ %v became ρ %v", mu, rho, v, back)
			}
		}
	}
	q := question{limited: true}
	if got, want := q.fromContraction(0.383), 2*0.383/1.383; math.Abs(got-want) > 1e-15 {
		t.Errorf("μ = 0: λ₂ ≥ %v, want 2ρ/(1+ρ) = %v", got, want)
	}
	// Without anything gained from below, λ_n = −ρ, the two are the same.
	q.mu = -0.383
	if got := q.fromContraction(0.383); math.Abs(got-0.383) > 1e-15 {
		t.Errorf("μ = −ρ: λ₂ ≥ %v, want ρ", got)
	}
}

func TestQuarticLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for trial := range 3000 {
		var c quartic
		for k := range c {
			c[k] = rng.NormFloat64()
		}
		if trial%5 == 0 {
			c[4] = 0
		}
		if trial%10 == 0 {
			c[3] = 0
		}
		to := rng.Float64()
		got, at := c.leastOn(0, to)
		if at < 0 || at > to || c.at(at) != got {
			t.Fatalf("%v on [0, %v]: least %v at %v, where the value is %v", c, to, got, at, c.at(at))
		}
		for k := range 401 {
			if y := c.at(to * float64(k) / 400); y < got-1e-13 {
				t.Fatalf("%v on [0, %v]: least %v, but %v is reached", c, to, got, y)
			}
		}
	}
}

func BenchmarkBest(b *testing.B) {
	for _, c := range []struct {
		name string
		l    Limits
	}{
		{"n=16", Limits{Nodes: 16, MaxEdges: 32}},
		{"n=128", Limits{Nodes: 128, MaxEdges: 448}},
		{"n=128/fdla", Limits{Nodes: 128, MaxEdges: 448, Sign: design.Free}},
		{"n=16384", Limits{Nodes: 16384, MaxEdges: 114688}},
		{"n=16384/dense", Limits{Nodes: 16384, MaxEdges: 1 << 23}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.l.Best(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
