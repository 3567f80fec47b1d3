package train

import (
	"context"
	"errors"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/mixing"
)

// An Entry is one way of averaging in a contest.
type Entry struct {
	Name     string
	W        *mixing.Schedule // what rounds do; nil: exact averaging, as long as a ring all-reduce
	Plan     *design.Plan     // prices the rounds of W; nil: they cost what travels along the arcs of W
	Settings Settings
}

// A Point is what a test of the averaged model found.
type Point struct {
	Iteration int
	TimeMS    float64 // what the cluster needs for these iterations
	TrainLoss float64 // mean over nodes in the last step; NaN before the first
	Score
	Distance float64 // root mean square distance of the nodes' models from their mean
}

// A Length says how long a contest lasts.
type Length struct {
	Iterations int
	TestEvery  int // iterations between tests; a last test follows the last iteration
}

// Validate complains about values out of range.
func (l Length) Validate() error {
	switch {
	case l.Iterations < 1 || l.Iterations > limits.Rounds:
		return fmt.Errorf("train: iterations is %d; it must be from 1 to %d", l.Iterations, limits.Rounds)
	case l.TestEvery < 1 || l.TestEvery > limits.Rounds:
		return fmt.Errorf("train: test_every is %d; it must be from 1 to %d iterations", l.TestEvery, limits.Rounds)
	}
	return nil
}

// A Contest trains one model on one cluster with several ways of averaging. All begin with the same model and see the
// same batches. They advance in turn from test to test, so that a contest that is stopped can be compared.
type Contest struct {
	network *Network
	entries []Entry
	runs    []*Run
	points  [][]Point
	length  Length
	mean    []float64
}

// NewContest prepares the runs.
func NewContest(c *cluster.Cluster, n *Network, entries []Entry, l Length) (*Contest, error) {
	switch {
	case len(n.nodes) != c.Nodes():
		return nil, fmt.Errorf("train: the data is shared by %d nodes, the cluster has %d", len(n.nodes), c.Nodes())
	case len(entries) == 0:
		return nil, errors.New("train: nothing to train with; give a plan or a baseline")
	case n.params > limits.TrainingValues/c.Nodes()/len(entries):
		return nil, fmt.Errorf("train: %d parameters at %d nodes in %d runs; there may be %d at each",
			n.params, c.Nodes(), len(entries), limits.TrainingValues/c.Nodes()/len(entries))
	}
	if err := l.Validate(); err != nil {
		return nil, err
	}
	k := &Contest{network: n, length: l, mean: make([]float64, n.params), points: make([][]Point, len(entries))}
	for _, e := range entries {
		r, err := New(c, e, n)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		k.runs = append(k.runs, r)
		e.Settings = r.settings
		k.entries = append(k.entries, e)
	}
	return k, nil
}

// Train runs to the end, or until ctx does, and reports whether it is complete. It calls report, which may be nil,
// after every test, those before a checkpoint included; always in the same order.
func (k *Contest) Train(ctx context.Context, report func(entry int, p Point)) (complete bool) {
	for test := range k.tests() {
		for e, r := range k.runs {
			if test == len(k.points[e]) {
				if ahead := k.testAt(test) - r.iteration; r.Advance(ctx, ahead) < ahead {
					return false
				}
				k.points[e] = append(k.points[e], k.test(r))
			}
			if report != nil {
				report(e, k.points[e][test])
			}
		}
	}
	return true
}

// tests is how many tests there are, the one at the start included.
func (k *Contest) tests() int {
	return 1 + (k.length.Iterations+k.length.TestEvery-1)/k.length.TestEvery
}

// testAt returns the iteration after which a test takes place.
func (k *Contest) testAt(test int) int { return min(test*k.length.TestEvery, k.length.Iterations) }

func (k *Contest) test(r *Run) Point {
	r.Mean(k.mean)
	return Point{
		Iteration: r.iteration, TimeMS: r.TimeMS(), TrainLoss: r.Loss(),
		Score: k.network.Test(k.mean, 1, r.settings.Workers), Distance: r.Distance(k.mean),
	}
}

// A Setting is what all entries of a contest have in common.
type Setting struct {
	Nodes       int     `json:"nodes"`
	Data        string  `json:"data"`
	TrainImages int     `json:"train_images"`
	TestImages  int     `json:"test_images"`
	Widths      []int   `json:"widths"` // of the network's layers, inputs and classes included
	Params      int     `json:"parameters"`
	Batch       int     `json:"batch"`
	Skew        float64 `json:"skew"`
	Seed        uint64  `json:"seed"`
	Iterations  int     `json:"iterations"`
}

// Setting returns what all entries have in common.
func (k *Contest) Setting() Setting {
	n := k.network
	s := Setting{Nodes: len(n.nodes), Data: n.data.Name,
		TrainImages: n.data.Train.Count(), TestImages: n.data.Test.Count(), Widths: []int{n.data.Train.Size},
		Params: n.params, Batch: n.model.Batch, Skew: n.model.Skew, Seed: n.model.Seed,
		Iterations: k.length.Iterations}
	for _, l := range n.layers {
		s.Widths = append(s.Widths, l.out)
	}
	return s
}

// Entries returns what takes part, settings with their defaults.
func (k *Contest) Entries() []Entry { return k.entries }

// Points returns the tests of an entry so far. The slice is shared; do not write to it.
func (k *Contest) Points(entry int) []Point { return k.points[entry] }

// IterationMS returns the mean time of an entry's iteration on the cluster.
func (k *Contest) IterationMS(entry int) float64 { return k.runs[entry].IterationMS() }

// LocalImages is how many test images, evenly picked, the models of all nodes are tested on.
const LocalImages = 2000

// LocalAccuracy returns the mean accuracy of the nodes' own models on at most LocalImages test images.
func (k *Contest) LocalAccuracy(entry int) float64 {
	r := k.runs[entry]
	stride, sum := (k.network.data.Test.Count()+LocalImages-1)/LocalImages, 0.0
	for i := range r.nodes {
		sum += k.network.Test(r.Model(i), stride, r.settings.Workers).Accuracy
	}
	return sum / float64(r.nodes)
}

// Reached returns the first test with at least the accuracy given.
func Reached(points []Point, accuracy float64) (Point, bool) {
	for _, p := range points {
		if p.Accuracy >= accuracy {
			return p, true
		}
	}
	return Point{}, false
}
