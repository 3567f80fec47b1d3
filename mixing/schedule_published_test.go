package mixing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// A maximum matching has as many pairs as trying all subsets of edges finds.
func TestMaximumMatchingAgainstAllSubsets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 2 + rng.IntN(7)
		var edges []topology.Edge
		for _, e := range topology.AllPairs(n) {
			if rng.IntN(3) == 0 {
				edges = append(edges, e)
			}
		}
		edges = edges[:min(len(edges), 14)]
		most := 0
		for set := range 1 << len(edges) {
			used, count := 0, 0
			for k, e := range edges {
				if bits := 1<<e.I | 1<<e.J; set>>k&1 == 1 {
					if used&bits != 0 {
						count = -1
						break
					}
					used, count = used|bits, count+1
				}
			}
			most = max(most, count)
		}
		pairs := maximumMatching(n, shuffled(rng, edges))
		used := make([]bool, n)
		for _, e := range pairs {
			if used[e.I] || used[e.J] {
				t.Fatalf("%v: node in two pairs of %v", edges, pairs)
			}
			used[e.I], used[e.J] = true, true
		}
		if len(pairs) != most {
			t.Fatalf("%v: %d pairs, the most is %d", edges, len(pairs), most)
		}
	}
}

// What SAPS-PSGD and GossipFL do: every round pairs all nodes here. Links are slower than the threshold only when
// the last rounds do not connect all nodes, and then nobody meets a recent partner.
func TestThresholdMatchings(t *testing.T) {
	const n, window = 8, 6
	fast := func(e topology.Edge) bool { return e.I/4 == e.J/4 || e == (topology.Edge{I: 3, J: 4}) }
	gbs := func(e topology.Edge) float64 {
		if fast(e) {
			return 10
		}
		return 1
	}
	s, err := ThresholdMatchings(n, topology.AllPairs(n), gbs, window, 64, 1)
	if err != nil {
		t.Fatal(err)
	}
	joined := 0
	for k, w := range s.Rounds {
		edges, _ := w.Edges()
		if len(edges) != n/2 {
			t.Errorf("round %d has %d pairs", k, len(edges))
		}
		parts, recent := topology.NewParts(n), map[topology.Edge]bool{}
		for back := max(0, k-window); back < k; back++ {
			before, _ := s.Rounds[back].Edges()
			for _, e := range before {
				parts.JoinEnds(e)
				recent[e] = true
			}
		}
		connected, slow, again := parts.Count() == 1 || k < window, 0, 0
		for _, e := range edges {
			if !fast(e) {
				slow++
			}
			if recent[e] {
				again++
			}
		}
		if connected && slow > 0 {
			t.Errorf("round %d: %d slow pairs although all are connected", k, slow)
		}
		if !connected {
			joined++
			if again > 0 {
				t.Errorf("round %d: %d pairs met again while parts had to be joined", k, again)
			}
		}
	}
	if joined == 0 || joined == len(s.Rounds) {
		t.Errorf("parts had to be joined in %d of %d rounds", joined, len(s.Rounds))
	}
	if rate, err := s.Rate(t.Context()); err != nil || !(rate < 1) {
		t.Errorf("rate %v, %v", rate, err)
	}
}

func equalCost([]topology.Edge) float64 { return 1 }

// With the full budget MATCHA is plain gossip with the best constant weight: α = 2/(λ₂ + λ_n) of the Laplacian,
// whose squared rate is ((λ_n − λ₂)/(λ_n + λ₂))². On a ring of 8: λ₂ = 2 − √2, λ_n = 4.
func TestMatchaWithTheFullBudget(t *testing.T) {
	g, err := topology.New(8, []topology.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}, {I: 3, J: 4}, {I: 4, J: 5},
		{I: 5, J: 6}, {I: 6, J: 7}, {I: 0, J: 7}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Matcha(g, equalCost, 1, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	small, large := 2-math.Sqrt2, 4.
	if want := 2 / (small + large); math.Abs(s.Alpha-want) > 1e-6 {
		t.Errorf("alpha %v, want %v", s.Alpha, want)
	}
	if want := math.Pow((large-small)/(large+small), 2); math.Abs(s.Rate-want) > 1e-9 {
		t.Errorf("rate %v, want %v", s.Rate, want)
	}
}

// Two stars joined by a bridge: probabilities against all of a fine grid, and the rate against the mean over all
// subsets of matchings.
func TestMatchaAgainstAGrid(t *testing.T) {
	g, err := topology.New(6, []topology.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 0, J: 3}, {I: 3, J: 4}, {I: 3, J: 5}})
	if err != nil {
		t.Fatal(err)
	}
	cost := func(m []topology.Edge) float64 { return float64(1 + m[0].I) }
	s, err := Matcha(g, cost, 0.5, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Matchings) != 3 {
		t.Fatalf("%d matchings, want 3", len(s.Matchings))
	}
	total, spent := 0.0, 0.0
	for j, m := range s.Matchings {
		total += cost(m)
		spent += cost(m) * s.Probabilities[j]
	}
	if spent > total/2*(1+1e-9) {
		t.Errorf("the budget is %v, %v is spent", total/2, spent)
	}
	got, _, _ := secondOf(s.laplacian(6, s.Probabilities))
	best := 0.0
	for a := 0.0; a <= 1; a += 0.02 {
		for b := 0.0; b <= 1; b += 0.02 {
			c := (total/2 - a*cost(s.Matchings[0]) - b*cost(s.Matchings[1])) / cost(s.Matchings[2])
			if c >= 0 {
				value, _, _ := secondOf(s.laplacian(6, []float64{a, b, min(c, 1)}))
				best = max(best, value)
			}
		}
	}
	if got < best*(1-0.01) {
		t.Errorf("second eigenvalue %v, the grid has %v", got, best)
	}
	var mean mat.Dense
	for set := range 8 {
		p, on := 1.0, make([]float64, 3)
		for j := range on {
			if set>>j&1 == 1 {
				on[j] = 1
				p *= s.Probabilities[j]
			} else {
				p *= 1 - s.Probabilities[j]
			}
		}
		w := mat.NewDense(6, 6, nil)
		w.Scale(-s.Alpha, s.laplacian(6, on))
		for i := range 6 {
			w.Set(i, i, w.At(i, i)+1)
		}
		var square mat.Dense
		square.Mul(w.T(), w)
		square.Scale(p, &square)
		if set == 0 {
			mean.CloneFrom(&square)
		} else {
			mean.Add(&mean, &square)
		}
	}
	mean.Apply(func(_, _ int, v float64) float64 { return v - 1./6 }, &mean)
	if want := largest(&mean); math.Abs(s.Rate-want) > 1e-9 {
		t.Errorf("rate %v, want %v", s.Rate, want)
	}
}

func largest(m *mat.Dense) float64 {
	var svd mat.SVD
	svd.Factorize(m, mat.SVDNone)
	return svd.Values(nil)[0]
}

// Christofides' tour is at most half as long again as the shortest, where distances obey the triangle inequality.
func TestThroughputRingAgainstAllTours(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		const n = 7
		distance := inPlane(rng, n)
		w, err := ThroughputRing(n, distance)
		if err != nil {
			t.Fatal(err)
		}
		length, at := 0.0, 0
		for range n {
			from, weight := w.Row(at)
			if len(from) != 1 || weight[0] != 0.5 {
				t.Fatalf("node %d listens to %v with %v", at, from, weight)
			}
			length += distance(from[0], at)
			at = from[0]
		}
		shortest := math.Inf(1)
		var tour func(path []int, used int, sum float64)
		tour = func(path []int, used int, sum float64) {
			last := path[len(path)-1]
			if len(path) == n {
				shortest = min(shortest, sum+distance(last, 0))
				return
			}
			for j := 1; j < n; j++ {
				if used>>j&1 == 0 {
					tour(append(path, j), used|1<<j, sum+distance(last, j))
				}
			}
		}
		tour([]int{0}, 1, 0)
		if at != 0 || length > 1.5*shortest || length < shortest*(1-1e-12) {
			t.Errorf("the ring ends at %d and is %v long, the shortest %v", at, length, shortest)
		}
	}
}

// The tree of the paper: its slowest link is the fastest possible slowest link that connects all nodes.
func TestThroughputTreeHasTheLeastCycleTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 9
	delay := map[topology.Edge]float64{}
	for _, e := range topology.AllPairs(n) {
		delay[e] = rng.Float64()
	}
	tree, err := ThroughputTree(n, topology.AllPairs(n), func(e topology.Edge) float64 { return delay[e] })
	if err != nil {
		t.Fatal(err)
	}
	edges := tree.Edges()
	slowest := 0.0
	for _, e := range edges {
		slowest = max(slowest, delay[e])
	}
	parts := topology.NewParts(n)
	for e, ms := range delay {
		if ms < slowest {
			parts.JoinEnds(e)
		}
	}
	if len(edges) != n-1 || parts.Count() == 1 {
		t.Errorf("%d edges; faster links than its slowest connect all nodes: %v", len(edges), parts.Count() == 1)
	}
}

// The path stays near the tree: on points of a plane its slowest link is at most three times the least possible. The
// others have no more peers than allowed, and the loosest limit gives the minimum spanning tree.
func TestBottleneckTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 30 {
		const n = 11
		delay := inPlane(rng, n)
		slowest := func(g *topology.Graph) (most float64) {
			for _, e := range g.Edges() {
				most = max(most, delay(e.I, e.J))
			}
			return most
		}
		trees, err := BottleneckTrees(n, delay)
		if err != nil || len(trees) != n-1 {
			t.Fatalf("%d trees, %v", len(trees), err)
		}
		least, err := ThroughputTree(n, topology.AllPairs(n), func(e topology.Edge) float64 { return delay(e.I, e.J) })
		if err != nil {
			t.Fatal(err)
		}
		for k, tree := range trees {
			limit := max(2, k+1)
			if len(tree.Edges()) != n-1 || !tree.Connected() || slices.Max(tree.Degrees()) > limit {
				t.Errorf("tree %d: %d edges, connected %v, degrees %v", k, len(tree.Edges()), tree.Connected(), tree.Degrees())
			}
		}
		if slowest(trees[0]) > 3*slowest(least)*(1+1e-12) {
			t.Errorf("the path's slowest link takes %v, the least is %v", slowest(trees[0]), slowest(least))
		}
		if got := slowest(trees[len(trees)-1]); math.Abs(got-slowest(least)) > 1e-12 {
			t.Errorf("without a limit the slowest link takes %v, the least is %v", got, slowest(least))
		}
	}
}

// The constraints of the linear program, and the rate against a simulation of the paper's update.
func TestNetMaxPolicy(t *testing.T) {
	const n = 6
	ms := func(i, m int) float64 {
		if i/3 == m/3 {
			return 1
		}
		return 60
	}
	p, err := NetMax(n, ms)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		chance, time := 0.0, 0.0
		for m := range n {
			chance += p.P.At(i, m)
			if m != i {
				time += p.P.At(i, m) * ms(i, m)
				if p.P.At(i, m) < 2*p.R*(1-1e-9) {
					t.Errorf("node %d asks %d with %v; at least %v", i, m, p.P.At(i, m), 2*p.R)
				}
			}
		}
		if math.Abs(chance-1) > 1e-9 || math.Abs(time-n*p.StepMS) > 1e-9*time {
			t.Errorf("node %d: chances sum to %v, mean time %v; the others have %v", i, chance, time, n*p.StepMS)
		}
	}
	// At a lower step and a quick pace slow ones are asked as rarely as allowed, as the paper wants it.
	low, _ := paces(n, 0, 0.02, ms)
	if q, ok := policyAt(n, 0.02, low+0.5, ms); !ok || q.P.At(0, 1) < 0.5 || q.P.At(0, 3) > 0.04+1e-12 {
		t.Errorf("node 0 asks others with %v", mat.Row(nil, 0, q.P))
	}
	// Asking everybody alike is one of the policies, with any step; none is predicted to be quicker than the chosen.
	for a := 1; a <= 20; a++ {
		alike := &NetMaxPolicy{P: mat.NewDense(n, n, nil), R: float64(a) / 20 / (2 * (n - 1)), StepMS: (2*1 + 3*60) / 5. / n}
		for i := range n {
			for m := range n {
				if i != m {
					alike.P.Set(i, m, 1./(n-1))
				}
			}
		}
		if err := alike.rate(n); err != nil {
			t.Fatal(err)
		}
		if alike.TimeMS(100) < p.TimeMS(100)*(1-1e-9) {
			t.Errorf("asking all alike with step %v takes %v ms, the policy %v", alike.R, alike.TimeMS(100), p.TimeMS(100))
		}
	}
	// E[DᵀD] again, by multiplying out every D.
	mean := mat.NewDense(n, n, nil)
	for i := range n {
		for m := range n {
			d := mat.NewDense(n, n, nil)
			for k := range n {
				d.Set(k, k, 1)
			}
			if i != m {
				w := p.R / p.P.At(i, m)
				d.Set(i, i, 1-w)
				d.Set(i, m, w)
			}
			var square mat.Dense
			square.Mul(d.T(), d)
			square.Scale(p.P.At(i, m)/n, &square)
			mean.Add(mean, &square)
		}
	}
	var svd mat.SVD
	svd.Factorize(mean, mat.SVDNone)
	if want := svd.Values(nil)[1]; math.Abs(p.Rate-want) > 1e-9 {
		t.Errorf("rate %v, want %v", p.Rate, want)
	}
}

// inPlane gives the distances of points drawn from the unit square.
func inPlane(rng *rand.Rand, n int) func(i, j int) float64 {
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = rng.Float64(), rng.Float64()
	}
	return func(i, j int) float64 { return math.Hypot(x[i]-x[j], y[i]-y[j]) }
}
