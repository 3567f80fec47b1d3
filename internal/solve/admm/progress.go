package admm

import (
	"sync"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// progress gathers what the parallel runs report and passes it on under its mutex: one call at a time, in order.
type progress struct {
	callback func(design.Progress)
	began    time.Time
	problem  *problem
	mu       sync.Mutex
	now      design.Progress
}

func newProgress(callback func(design.Progress), p *problem, limit int) *progress {
	return &progress{callback: callback, began: time.Now(), problem: p, now: design.Progress{Total: limit}}
}

// best records a plan.
func (p *progress) best(c *candidate) {
	if p.callback == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now.Feasible && c.rAsym >= p.now.Best {
		return
	}
	var edges []topology.Edge
	var weights []float64
	for k, in := range c.chosen {
		if in {
			edges, weights = append(edges, p.problem.edges[k]), append(weights, c.weights[k])
		}
	}
	p.now.Feasible, p.now.Best, p.now.Graph, p.now.Weights = true, c.rAsym, nil, nil
	if g, err := topology.New(p.problem.n, edges); err == nil {
		p.now.Graph, p.now.Weights = g, weights
	}
}

// trace reports an iteration where a trace is asked for; rounded gives r_asym of the graph at this step.
func (r *runner) trace(it *iteration, rounded func() float64) {
	p := r.progress
	if p.callback == nil || !r.settings.Trace {
		return
	}
	_, dual := it.residuals()
	step := &design.Step{Run: r.index + 1, Number: r.report.Iterations, Rho: it.rho, Gap: it.gap(), Dual: dual,
		Lambda: it.x.lambda[0], RAsym: rounded()}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now
	now.Phase, now.Step, now.Elapsed = design.Relaxing, step, time.Since(p.began)
	p.callback(now)
}

// advance reports residuals, and that some run advanced by that many iterations: those of relaxations are the scale.
func (p *progress) advance(phase design.Phase, primal, dual float64, iterations int) {
	if p.callback == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Phase, p.now.Primal, p.now.Dual = phase, primal, dual
	p.now.Done += iterations
	p.now.Elapsed = time.Since(p.began)
	p.callback(p.now)
}
