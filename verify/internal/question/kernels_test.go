package question

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The least value of a quartic is below all samples and is taken where it says.
func TestLowestOfAQuartic(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for trial := range 2000 {
		var q quartic
		for k := range q {
			if rng.IntN(5) > 0 {
				q[k] = rng.NormFloat64()
			}
		}
		from := rng.Float64()
		to := from + rng.Float64()
		at, value := q.lowest(from, to)
		if at < from || at > to || math.Abs(q.at(at)-value) > 1e-15 {
			t.Fatalf("trial %d: %v on [%v, %v]: %v at %v", trial, q, from, to, value, at)
		}
		for k := range 501 {
			if s := q.at(from + (to-from)*float64(k)/500); s < value-1e-12 {
				t.Fatalf("trial %d: %v on [%v, %v] goes down to %v, got %v", trial, q, from, to, s, value)
			}
		}
	}
}

func TestRealRoots(t *testing.T) {
	for _, c := range []struct {
		q             [3]float64
		first, second float64
	}{
		{[3]float64{6, -5, 1}, 2, 3}, {[3]float64{0, 0, 1}, 0, 0}, {[3]float64{1, 0, 1}, math.Inf(1), math.Inf(1)},
		{[3]float64{-2, 1, 0}, 2, math.Inf(1)}, {[3]float64{5, 0, 0}, math.Inf(1), math.Inf(1)}, {[3]float64{0, -3, 1}, 0, 3},
		{[3]float64{-1e-16, 1, 1}, -1, 1e-16},
	} {
		if first, second := realRoots(c.q); math.Abs(first-c.first) > 1e-15 || math.Abs(second-c.second) > 1e-15 {
			if first != c.first || second != c.second {
				t.Errorf("roots of %v are %v and %v, want %v and %v", c.q, first, second, c.first, c.second)
			}
		}
	}
}

// A row of two-step is the least contribution over all lengths, and weights of any sign contribute no less.
func TestTwoStepRowIsTheLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	for trial := range 300 {
		rho := rng.Float64()
		s := twoStep{squared: rho * rho, longest: rho*rho + (1-rho*rho)/20, level: rng.Float64() * rng.Float64()}
		d := 1 + rng.IntN(19)
		got, least := s.row(d), math.Inf(1)
		for k := range 2001 {
			x := 1/float64(d+1) + (s.longest-1/float64(d+1))*float64(k)/2000
			if s.longest >= 1/float64(d+1) {
				least = min(least, s.contribution(d, x))
			}
		}
		if math.IsInf(least, 1) != math.IsInf(got, 1) || got > least+1e-12 || got < least-1e-3 {
			t.Fatalf("trial %d: %+v, degree %d: row is %v, samples go down to %v", trial, s, d, got, least)
		}
		// By the definition of the argument, for given weights and the best g.
		self := 1.5*rng.Float64() - 0.5
		weight, length, positive, negative := make([]float64, d), self*self, 0.0, 0.0
		for k, left := 0, 1-self; k < d; k++ {
			weight[k] = left / float64(d-k)
			if k < d-1 {
				weight[k] += 0.5 * rng.NormFloat64()
			}
			left -= weight[k]
			length += weight[k] * weight[k]
			positive += max(0, weight[k])
			negative += max(0, -weight[k])
		}
		through := positive*positive + negative*negative - (length - self*self)
		if d == 1 {
			through = 0
		}
		pairs, g := float64(d*(d-1)), 0.0
		if d > 1 {
			g = min(s.level, through/pairs)
		}
		alone := length*length - (s.squared+2*s.level)*length + 2*s.level - s.level*s.level*float64(d)
		honest := alone - 2*(s.level-g)*through - pairs*g*g
		if assumed := s.contribution(d, length); assumed > honest+1e-12*(1+math.Abs(honest)) {
			t.Fatalf("trial %d: weights %v, self weight %v contribute %v, less than the assumed %v",
				trial, weight, self, honest, assumed)
		}
	}
}

// No row of weights contributes less than a row of walk says, and none of any degree less than its least.
func TestWalkRowIsTheLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	tight := 0.0
	for trial := range 4000 {
		v := 0.2 + 0.7*rng.Float64()
		lower := -v
		if rng.IntN(2) == 0 {
			lower = 0
		}
		w, ok := cubicWalk(lower, v, max(-lower, lower+v)+rng.Float64())
		if rng.IntN(2) == 0 {
			w, ok = quarticWalk(lower, v, -(lower+v)/2-0.5*rng.Float64(), 0.4*rng.Float64())
		}
		if !ok {
			t.Fatalf("trial %d: the polynomial does not keep to its limits", trial)
		}
		for k := range 101 {
			if x := lower + (v-lower)*float64(k)/100; w.f.at(x) > 1e-14 {
				t.Fatalf("trial %d: f(%v) = %v is positive on [%v, %v]", trial, x, w.f.at(x), lower, v)
			}
		}
		d := 1 + rng.IntN(8)
		row := w.row(d)
		if row < w.least-1e-12 {
			t.Fatalf("trial %d: row %d contributes %v, less than any: %v", trial, d, row, w.least)
		}
		spread := rng.Float64()
		for range 20 {
			self, sum := rng.Float64(), 0.0
			weight := make([]float64, d)
			for k := range weight {
				weight[k] = 1 - spread*rng.Float64()
				sum += weight[k]
			}
			squares, fourths := 0.0, 0.0
			for k := range weight {
				weight[k] *= (1 - self) / sum
				squares += weight[k] * weight[k]
				fourths += math.Pow(weight[k], 4)
			}
			c4, c3, c2 := w.f[4], w.f[3], w.f[2]
			b := c4*(2*self*self+8*w.tau*self-4*w.tau*w.tau) + 3*c3*self + c2
			if phi := w.f.at(self) + b*squares + c4*(2*squares*squares-fourths); phi < row-1e-12 {
				t.Fatalf("trial %d: self weight %v, weights %v contribute %v, less than %v", trial, self, weight, phi, row)
			} else if row > w.least {
				tight = max(tight, row/phi)
			}
		}
	}
	if tight < 0.99 {
		t.Errorf("rows come within %v of what weights contribute, want close to 1", tight)
	}
}

// The total is at most the sum of rows of every degree sequence within the limits, and the best price reaches it.
func TestTotalOfRowsAgainstAllDegrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for trial := range 400 {
		n := 2 + rng.IntN(4)
		l := Limits{Nodes: n, Degrees: make([]int, n)}
		for i := range l.Degrees {
			l.Degrees[i] = 1 + rng.IntN(5)
			if i > 0 {
				l.Degrees[i] = max(l.Degrees[i], l.Degrees[i-1])
			}
		}
		l.Edges = (n+1)/2 + rng.IntN(2*n)
		value := make([]float64, 6)
		for d := range value {
			value[d] = 2/float64(1+d) + 0.3*rng.NormFloat64()
			if rng.IntN(6) == 0 {
				value[d] = math.Inf(1)
			}
		}
		r := l.newRows(func(d int) float64 { return value[d] }, math.Inf(-1))
		got, least := r.total(), math.Inf(1)
		var choose func(node, ends int, sum float64)
		choose = func(node, ends int, sum float64) {
			if node == n {
				least = min(least, sum)
				return
			}
			for d := 1; d <= min(l.Degrees[node], ends); d++ {
				choose(node+1, ends-d, sum+value[d])
			}
		}
		choose(0, 2*l.Edges, 0)
		if got > least+1e-12 {
			t.Fatalf("trial %d: limits %+v, rows %v: total is %v, but degrees with sum %v exist", trial, l, value, got, least)
		}
		best := math.Inf(-1)
		for price := 0.0; price < 4; price += 1e-3 {
			sum, _ := r.priced(price)
			best = max(best, sum)
		}
		if got < best-1e-12 {
			t.Fatalf("trial %d: limits %+v, rows %v: total is %v, a price gives %v", trial, l, value, got, best)
		}
	}
}
