package train

import (
	"context"
	"fmt"
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/mixing"

	"gonum.org/v1/gonum/floats"
)

// An Objective is what nodes minimise, each on data of its own.
type Objective interface {
	// Params returns the number of parameters.
	Params() int
	// Start writes the model that all nodes begin with.
	Start(x []float64)
	// Gradient writes a stochastic gradient of a node at x into dst and returns the loss. It depends on its arguments
	// alone: step counts from 0. Calls for different nodes may run at the same time; it should not allocate.
	Gradient(dst, x []float64, node, step int) (loss float64)
}

// A Run is the models of all nodes on their way.
type Run struct {
	w         *mixing.Schedule // nil: exact averaging
	plan      *design.Plan     // nil: w says it all
	objective Objective
	settings  Settings
	clock     *cost.Clock

	nodes, params int
	iteration     int

	// Of all nodes, one after the other.
	x, next, momentum, gradient []float64
	loss                        []float64 // of each node in the last step

	mixes             bool           // nodes average in this step
	round             *mixing.Matrix // with what; nil is the exact mean
	descend, exchange func(int)      // method values, made once
}

// New prepares a run of an entry on a cluster: nodes average by the rounds of its schedule in turn or, where it has
// none, exactly, which takes as long as a ring all-reduce.
func New(c *cluster.Cluster, e Entry, o Objective) (*Run, error) {
	if e.Plan != nil {
		if err := e.Plan.Trainable(); err != nil {
			return nil, err
		}
	}
	s := e.Settings
	if err := s.Validate(); err != nil {
		return nil, err
	}
	s = s.WithDefaults()
	r := &Run{w: e.W, plan: e.Plan, objective: o, settings: s, nodes: c.Nodes(), params: o.Params()}
	if r.params < 1 || r.params > limits.TrainingValues/r.nodes {
		return nil, fmt.Errorf("train: %d parameters at %d nodes; there must be 1 to %d at each",
			r.params, r.nodes, limits.TrainingValues/r.nodes)
	}
	var err error
	if r.clock, err = newClock(c, e, s); err != nil {
		return nil, err
	}
	size := r.nodes * r.params
	r.x, r.next, r.momentum = make([]float64, size), make([]float64, size), make([]float64, size)
	r.gradient, r.loss = make([]float64, size), make([]float64, r.nodes)
	o.Start(r.Model(0))
	for i := 1; i < r.nodes; i++ {
		copy(r.Model(i), r.Model(0))
	}
	r.descend, r.exchange = r.gradientOf, r.update
	return r, nil
}

// Advance runs up to count iterations, fewer when ctx ends, and returns how many.
func (r *Run) Advance(ctx context.Context, count int) int {
	c := newCrew(r.settings.Workers)
	defer c.stop()
	for k := range count {
		if ctx.Err() != nil {
			return k
		}
		r.step(c)
	}
	return count
}

// step is one iteration of all nodes.
func (r *Run) step(c *crew) {
	h := r.settings.Every
	r.mixes, r.round = (r.iteration+1)%h == 0, nil
	if r.mixes && r.w != nil {
		r.round = r.w.Round(r.iteration / h)
	}
	c.each(r.nodes, r.descend)
	c.each((r.params+chunk-1)/chunk, r.exchange)
	r.x, r.next = r.next, r.x
	r.iteration++
}

func (r *Run) gradientOf(node int) {
	lo, hi := node*r.params, (node+1)*r.params
	r.loss[node] = r.objective.Gradient(r.gradient[lo:hi], r.x[lo:hi], node, r.iteration)
}

// TimeMS returns how long the cluster needs for the iterations that are done.
func (r *Run) TimeMS() float64 { return r.clock.At(r.iteration) }

// IterationMS returns the mean time of an iteration.
func (r *Run) IterationMS() float64 { return r.clock.IterationMS }

// Loss returns the mean over nodes of the losses in the last step.
func (r *Run) Loss() float64 {
	if r.iteration == 0 {
		return math.NaN()
	}
	return floats.Sum(r.loss) / float64(r.nodes)
}

// Model returns the parameters of a node. The slice belongs to the run and is valid until the next iteration.
func (r *Run) Model(node int) []float64 { return r.x[node*r.params : (node+1)*r.params] }

// Mean writes the averaged model.
func (r *Run) Mean(dst []float64) {
	copy(dst, r.Model(0))
	for i := 1; i < r.nodes; i++ {
		floats.Add(dst, r.Model(i))
	}
	floats.Scale(1/float64(r.nodes), dst)
}

// Distance returns how far models are apart, given their mean: the root mean square over nodes of ‖x_i − x̄‖₂.
func (r *Run) Distance(mean []float64) float64 {
	sum := 0.0
	for i := range r.nodes {
		d := floats.Distance(r.Model(i), mean, 2)
		sum += d * d
	}
	return math.Sqrt(sum / float64(r.nodes))
}
