package schedules

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
)

// A reach says whose values the sum of every node holds: four bits for each of up to four nodes.
type reach uint16

func (r reach) of(i int) reach { return r >> (4 * i) & 15 }

// bestWhole is the least time of all sequences of steps of this kind: in a step every node sends its sum to any others
// or to none. A receiver adds sums that have nobody in common with its own and with each other, or it takes over one
// sum that holds all of its own. The next step begins when all transfers are done. Sequences longer than most are not
// looked at.
func bestWhole(t *testing.T, c *cluster.Cluster, most float64) float64 {
	t.Helper()
	n := c.Nodes()
	stepMS := pricesOfSteps(t, c)
	var start, end reach
	hears := make([]float64, n) // how long a message takes to a node at least
	for i := range n {
		hears[i] = math.Inf(1)
		for j := range n {
			if j != i {
				hears[i] = min(hears[i], stepMS(1<<(n*j+i)))
			}
		}
		start |= 1 << (5 * i)
		end |= (1<<n - 1) << (4 * i)
	}
	open, done := map[reach]float64{start: 0}, map[reach]bool{}
	for len(open) > 0 {
		at, now := start, math.Inf(1)
		for state, ms := range open {
			if ms < now || ms == now && state < at {
				at, now = state, ms
			}
		}
		if at == end {
			return now
		}
		delete(open, at)
		done[at] = true
		eachStep(at, n, 0, 0, at, func(arcs int, next reach) {
			if done[next] {
				return
			}
			ms := now + stepMS(arcs)
			for i := range n { // a node that does not have all yet will hear from some other
				if next.of(i) != end.of(i) && ms+hears[i] > most {
					return
				}
			}
			if known, seen := open[next]; ms <= most && (!seen || ms < known) {
				open[next] = ms
			}
		})
	}
	return math.Inf(1)
}

// eachStep decides for node i and those behind it whom they hear; arcs has bit n·from + to for every transfer.
func eachStep(now reach, n, i, arcs int, next reach, visit func(arcs int, next reach)) {
	if i == n {
		if arcs != 0 && next != now {
			visit(arcs, next)
		}
		return
	}
	for senders := range 1 << n {
		if senders>>i&1 == 1 {
			continue
		}
		sum, fits, heard, more := now.of(i), true, 0, 0
		for j := range n {
			if senders>>j&1 == 1 {
				heard++
				more |= 1 << (n*j + i)
				fits = fits && sum&now.of(j) == 0
				sum |= now.of(j)
			}
		}
		takesOver := heard == 1 && sum&^now.of(i) != 0 && !fits
		for j := range n {
			takesOver = takesOver && (senders>>j&1 == 0 || now.of(i)&^now.of(j) == 0)
		}
		if fits || takesOver {
			eachStep(now, n, i+1, arcs|more, next|sum<<(4*i), visit)
		}
	}
}

// pricesOfSteps returns what a set of arcs costs.
func pricesOfSteps(t *testing.T, c *cluster.Cluster) func(arcs int) float64 {
	t.Helper()
	n, known := c.Nodes(), make([]float64, 1<<(c.Nodes()*c.Nodes()))
	return func(arcs int) float64 {
		if known[arcs] > 0 {
			return known[arcs]
		}
		var step []collective.Transfer
		for k := range n * n {
			if arcs>>k&1 == 1 {
				step = append(step, collective.Transfer{From: k / n, To: k % n, End: 1, Add: true})
			}
		}
		price, err := cost.Of(collective.Listed("step", n, [][]collective.Transfer{step}), c)
		if err != nil {
			t.Fatal(err)
		}
		known[arcs] = price.MS
		return price.MS
	}
}

// On clusters of three and four nodes of any speeds a search finds the best of all sequences of whole messages. The
// first two were missed once: the fast nodes collect, exchange with the slow one, and hand back.
func TestWholeMessagesAreOptimalOnFewNodes(t *testing.T) {
	clusters := []cluster.Spec{
		{Bandwidth: cluster.Numbers{9.76, 7, 4, 1}},
		{Bandwidth: cluster.Numbers{10, 10, 5, 2}},
	}
	want := 1000
	if testing.Short() {
		want = 50
	}
	for rng := rand.New(rand.NewPCG(1, 1)); len(clusters) < want; {
		var s cluster.Spec
		for range 3 + len(clusters)%2 {
			s.Bandwidth = append(s.Bandwidth, math.Round(100*math.Pow(10, rng.Float64()))/100)
		}
		if rng.IntN(3) == 0 {
			s.LatencyMS = 20 * rng.Float64()
		}
		clusters = append(clusters, s)
	}
	for _, s := range clusters {
		c, err := cluster.New(s)
		if err != nil {
			t.Fatal(err)
		}
		found, err := Search(t.Context(), Problem{Cluster: c, Form: Whole}, Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if best := bestWhole(t, c, found.MS*(1+1e-9)); math.Abs(found.MS-best) > 1e-9*best {
			t.Errorf("bandwidths %v, latency %v: %v ms (%s); the best of all takes %v", s.Bandwidth, s.LatencyMS, found.MS,
				found.Name, best)
		}
	}
}
