package sweep

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/search"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

var (
	randomClusters = flag.Int("clusters", 0, "random clusters that searches are tried on; 0: 50, or 10 with -short")
	randomFirst    = flag.Uint64("first", 1, "seed of the first random cluster")
)

// Searches of a random size on random clusters: no known graph that fits, no other method with the same evaluations
// and no smaller budget whose graph fits is better, and nothing panics. Seeds are those of the names of the subtests.
func TestRandomClustersKeepTheProperties(t *testing.T) {
	count := *randomClusters
	if count == 0 {
		if count = 50; testing.Short() {
			count = 10
		}
	}
	for k := range uint64(count) {
		seed := *randomFirst + k
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { newTrialRun(t, seed).properties() })
	}
}

// A few fast nodes among many slow ones: spectra with nearly all eigenvalues alike.
func TestFewFastNodesAmongManySlowOnes(t *testing.T) {
	for _, c := range []struct{ fast, gbs, slow int }{
		{2, 10, 22}, {2, 1000, 38}, {4, 100, 76}, {4, 50, 60}, {4, 1000, 96},
	} {
		n := c.fast + c.slow
		text := nodesText(slices.Concat(slices.Repeat([]float64{float64(c.gbs)}, c.fast),
			slices.Repeat([]float64{1}, c.slow)))
		for _, method := range []Method{Auto, Swap} {
			r := &trialRun{T: t, text: text, edges: n - 1}
			r.cluster = r.read()
			if plan, err := r.solve(method, n-1, randomEvaluations); err != nil || !(plan.RAsym < 1) {
				t.Errorf("%d fast nodes of %d, method %s: %v", c.fast, n, method, err)
			}
		}
	}
}

// A trialRun is a random question.
type trialRun struct {
	*testing.T
	seed    uint64
	text    string
	cluster *cluster.Cluster
	edges   int
}

func newTrialRun(t *testing.T, seed uint64) *trialRun {
	rng := rand.New(rand.NewPCG(seed, 25))
	r := &trialRun{T: t, seed: seed, text: randomText(rng)}
	r.cluster = r.read()
	n := r.cluster.Nodes()
	r.edges = n - 1 + rng.IntN(1+n/8) // near a tree
	if rng.IntN(2) == 0 {
		r.edges = n - 1 + rng.IntN(2*n)
	}
	r.edges = min(r.edges, r.cluster.CandidateCount())
	return r
}

func (r *trialRun) read() *cluster.Cluster {
	c, err := cluster.Read("random.yaml", strings.NewReader("format: batopo.cluster/v2\n"+r.text))
	if err != nil {
		r.Fatalf("%v\n%s", err, r.text)
	}
	return c
}

func nodesText(gbs []float64) string {
	numbers := strings.ReplaceAll(fmt.Sprint(gbs), " ", ", ")
	return fmt.Sprintf("nodes: %d\nbandwidth: %s\n", len(gbs), numbers)
}

// randomText describes a random cluster of one of the kinds that descriptions know.
func randomText(rng *rand.Rand) string {
	between := func(least, most int) int { return least + rng.IntN(most-least+1) }
	speed := func() float64 { return math.Round(10*math.Exp(6*rng.Float64())) / 10 }
	speeds := func(count int) []float64 {
		out := make([]float64, count)
		for k := range out {
			out[k] = speed()
		}
		return out
	}
	switch rng.IntN(8) {
	case 0:
		return fmt.Sprintf("nodes: %d\nbandwidth: 9.76\n", between(4, 40))
	case 1:
		return nodesText(speeds(between(4, 24)))
	case 2:
		fast := between(1, 4)
		return nodesText(append(slices.Repeat([]float64{speed()}, fast), slices.Repeat([]float64{1}, between(6, 40))...))
	case 3:
		const server = "tree: {groups: [{name: server, count: %d, nodes: %d, nvswitch: %v, nics: {count: 1, gb_s: %v}}]}\n"
		return fmt.Sprintf(server, between(2, 5), between(2, 6), 100+speed(), speed())
	case 4:
		var groups []string
		for k := range between(2, 4) {
			groups = append(groups, fmt.Sprintf("{name: site%d, nodes: %d, link: %v, uplink: %v}", k, between(2, 7), speed(),
				speed()))
		}
		return fmt.Sprintf("tree: {groups: [%s]}\n", strings.Join(groups, ", "))
	case 5:
		return fmt.Sprintf("bcube: {ports: %d, layers: 2, bandwidth: [%v, %v]}\n", between(2, 5), speed(), speed())
	case 6:
		return fmt.Sprintf("leafspine: {leaves: %d, hosts: %d, host: %v, uplink: %v}\n", between(2, 5), between(2, 6),
			speed(), speed())
	}
	return linksText(rng, between(4, 14), speed)
}

// linksText joins nodes by a random tree of cables and some more, through which others may pass or not.
func linksText(rng *rand.Rand, nodes int, speed func() float64) string {
	var text strings.Builder
	fmt.Fprintf(&text, "nodes: %d\ntransit: %v\nlinks:\n", nodes, rng.IntN(2) == 0)
	joined := map[topology.Edge]bool{}
	for k := 1; k < nodes || len(joined) < min(2*nodes, topology.Pairs(nodes)); k++ {
		e := topology.Edge{I: rng.IntN(min(k, nodes-1)), J: min(k, nodes-1)}
		if k >= nodes {
			i, j := rng.IntN(nodes), rng.IntN(nodes)
			e = topology.Edge{I: min(i, j), J: max(i, j)}
		}
		if e.I == e.J || joined[e] {
			continue
		}
		joined[e] = true
		fmt.Fprintf(&text, "  - {between: [%d, %d], gb_s: %v}\n", e.I, e.J, speed())
	}
	return text.String()
}

const (
	randomEvaluations = 50_000
	longEvaluations   = 1_000_000 // a short search may miss what an edge more allows
	randomTolerance   = 1e-6      // of r_asym: searches compare weights no more exactly
)

func (r *trialRun) problem(edges int) design.Problem {
	return design.Problem{Cluster: r.cluster, MaxEdges: edges}.WithDefaults()
}

func (r *trialRun) solve(m Method, edges, evaluations int) (*design.Plan, error) {
	return Optimize(r.Context(), r.problem(edges), Settings{Method: m, Seed: r.seed, Evaluations: evaluations})
}

func (r *trialRun) properties() {
	best, err := r.solve(Auto, r.edges, randomEvaluations)
	if err != nil && !errors.Is(err, feasible.ErrInfeasible) {
		r.fault("%v", err)
		return
	}
	value := math.Inf(1)
	if best != nil {
		value = best.RAsym
	}
	for _, m := range []Method{Lift, Swap} {
		if other, err := r.solve(m, r.edges, randomEvaluations); err == nil && other.RAsym < value-randomTolerance {
			r.fault("method %s reaches %.7f, auto %.7f", m, other.RAsym, value)
		}
	}
	q, err := searchProblem(r.Context(), r.problem(r.edges))
	if err != nil {
		return
	}
	r.known(q, value)
	for _, evaluations := range []int{randomEvaluations, longEvaluations} {
		if !r.lessIsMore(q, evaluations) {
			return
		}
	}
	r.fault("one edge less gives a better graph, which fits, also with %d evaluations", longEvaluations)
}

// lessIsMore reports whether a search with one edge less finds a better graph that fits as well.
func (r *trialRun) lessIsMore(q search.Problem, evaluations int) bool {
	less, err := r.solve(Auto, r.edges-1, evaluations)
	if err != nil || !fits(q, edgesOf(less)) {
		return false
	}
	all, err := r.solve(Auto, r.edges, evaluations)
	return err != nil || less.RAsym < all.RAsym-randomTolerance
}

// known compares with graphs that everybody knows.
func (r *trialRun) known(q search.Problem, value float64) {
	for name, g := range knownGraphs(q.Nodes, q.MaxEdges) {
		if !fits(q, g) {
			continue
		}
		w, err := weights.Solve(r.Context(), g, weights.Settings{NoCertificate: true})
		if err != nil {
			r.fault("%s: %v", name, err)
		} else if w.RAsym < value-randomTolerance {
			r.fault("%s fits and reaches %.7f, auto %.7f", name, w.RAsym, value)
		}
	}
}

func edgesOf(p *design.Plan) *topology.Graph {
	var all []topology.Edge
	for _, e := range p.Edges() {
		all = append(all, topology.Edge{I: e.I, J: e.J})
	}
	g, err := topology.New(p.Nodes, all)
	if err != nil {
		panic(err)
	}
	return g
}

// fits reports whether a connected graph keeps the limits of a search.
func fits(q search.Problem, g *topology.Graph) bool {
	for i, most := range q.Degrees {
		if g.Degree(i) > most {
			return false
		}
	}
	if q.Space == nil {
		return len(g.Edges()) <= q.MaxEdges
	}
	chosen := make([]bool, len(q.Space.Candidates))
	for _, e := range g.Edges() {
		k, ok := slices.BinarySearchFunc(q.Space.Candidates, e, topology.Edge.Compare)
		if !ok {
			return false
		}
		chosen[k] = true
	}
	return q.Space.Check(chosen) == nil
}

func (r *trialRun) fault(format string, args ...any) {
	r.Errorf("%d edges: %s\n%s", r.edges, fmt.Sprintf(format, args...), r.text)
}

// knownGraphs are those of all families, in both directions, and trees of a few hubs in a row, with leaves on them.
func knownGraphs(n, edges int) map[string]*topology.Graph {
	known := map[string]*topology.Graph{}
	add := func(name string, g *topology.Graph, err error) {
		if err == nil && len(g.Edges()) <= edges && g.Connected() {
			known[name] = g
		}
	}
	for _, f := range mixing.Families {
		most := 0
		if f.Takes(mixing.ParamDegree) {
			most = 2 * edges / n
		}
		for degree := min(3, most); degree <= most; degree++ {
			w, err := f.Build(mixing.Params{Nodes: n, Degree: degree, Seed: 1})
			if err == nil {
				add(fmt.Sprintf("%s of degree %d", f.Name, degree), w.Graph(), nil)
			}
		}
	}
	for hubs := 1; hubs <= n; hubs++ {
		var all []topology.Edge
		for j := 1; j < n; j++ {
			i := j % hubs
			if j < hubs {
				i = j - 1
			}
			all = append(all, topology.Edge{I: i, J: j})
		}
		g, err := topology.New(n, all)
		add(fmt.Sprintf("%d hubs in a row", hubs), g, err)
	}
	return known
}
