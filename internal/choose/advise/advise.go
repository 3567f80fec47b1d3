package advise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/ground/workers"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// An Advice is what to run, and what it was chosen from.
type Advice struct {
	Setting     Setting
	Convergence *Convergence
	Recommended Candidate
	Instead     *Candidate      // what the planner would take instead of the user's choice; nil where it is the same
	ComputeMS   float64         // of an iteration on the node that computes longest
	Shares      []float64       // of the batch, in proportion to the speed of nodes; nil: equal ones
	DDP         *Candidate      // DistributedDataParallel; nil where no all-reduce can be run
	half        *Candidate      // the same with gradients in 16 bits
	Ranks       *Ranks          // the order in which to start ranks for DDP; nil where it is all one
	NoGraph     error           // why no static graph was searched for; nil where one was
	All         []Candidate     // every way to average with the H, order and overlap that suit it best; the best first
	Unmeasured  []Candidate     // candidates whose epochs are unknown: never recommended; the soonest first
	Changes     []Axis          // what would change the answer
	Tip         *Tip            // what another momentum would gain; nil where that is not clear
	Unsearched  bool            // the all-reduce hides behind computation, so nothing else was compared
	Hurried     bool            // the time was over before all that might change it was tried
	Skipped     []sweep.Skipped // what was not considered, and why
}

// finishing is how long candidates may be looked at after ctx has ended.
const finishing = time.Second

// From chooses among the plans and known topologies of a sweep for training, and all-reduce. Where ctx ends, axes that
// have not been tried are left out. tell, which may be nil, is called with how far it is, by one goroutine at a time.
func From(ctx context.Context, c *cluster.Cluster, sweep *sweep.Sweep, s Setting,
	tell func(design.Progress)) (*Advice, error) {
	a, d, err := decide(ctx, c, sweep, s, (*list).fill, tell)
	if err != nil {
		return nil, err
	}
	return a.extended(ctx, func(a *Advice) {
		a.Tip = d.tip(ctx)
		if a.Instead == nil {
			a.Changes = d.find(ctx)
		}
	}), nil
}

// extended returns the advice with what more can be said about it, and without if that takes too long after ctx has
// ended: then it goes on with a copy that nobody sees.
func (a *Advice) extended(ctx context.Context, more func(*Advice)) *Advice {
	longer := *a
	if _, err := grace.Within(ctx, grace.Period, func() (any, error) { more(&longer); return nil, nil }); err == nil {
		a = &longer
	}
	a.Hurried = ctx.Err() != nil
	return a
}

// hides reports whether DistributedDataParallel hides all communication. There links are no reason to train otherwise,
// and only epochs would speak for a tip.
func (a *Advice) hides() bool { return a.DDP != nil && a.DDP.IterationMS <= hidden*a.ComputeMS }

// decide recommends one of what fill lists, and returns what it takes to decide again with other numbers.
func decide(ctx context.Context, c *cluster.Cluster, swept *sweep.Sweep, s Setting,
	fill func(*list, context.Context, *sweep.Sweep, func(design.Progress)),
	tell func(design.Progress)) (*Advice, *decider, error) {
	if tell == nil {
		tell = func(design.Progress) {}
	}
	s = s.On(c)
	if err := s.Validate(); err != nil {
		return nil, nil, err
	}
	late, release := grace.After(ctx, finishing) // a search that was stopped still gets its answer
	defer release()
	l := &list{c: c, setting: s, tight: feasible.NoGraph(swept.NoGraph)}
	w := newPredictor(MeasuredConvergence(), s)
	l.gossips = w.gossips(c)
	fill(l, late, swept, tell)
	here := scene{c: c, faster: 1, compute: s.draws(c), like: c}
	all, unpriced, err := w.rank(late, here, l.processes, tell)
	if err != nil && ctx.Err() != nil {
		return nil, nil, sweep.ErrNoPlan // what was not listed or priced in time may well run
	}
	if err != nil {
		return nil, nil, s.short(c, w.possible(l.processes, l.nothing(swept, err)))
	}
	a := &Advice{Setting: s, Convergence: w.model, NoGraph: swept.NoGraph, Skipped: append(l.skipped, unpriced...)}
	a.Ranks, a.Shares, a.ComputeMS = l.ranks, s.shares(c), here.computeMS()
	a.settle(all)
	a.DDP, a.half = a.baseline(DDP, w, here, l.processes), a.baseline(HalfDDP, w, here, l.processes)
	if a.DDP == nil && slices.ContainsFunc(a.Skipped, func(s sweep.Skipped) bool {
		return s.Name == ddpLabel.name && s.Late()
	}) {
		return nil, nil, sweep.ErrNoPlan // whatever else was priced has nothing to be compared with
	}
	if err := a.obey(c); err != nil && ctx.Err() != nil {
		return nil, nil, sweep.ErrNoPlan
	} else if err != nil {
		return nil, nil, err
	}
	a.claim(c)
	d := &decider{w: w, here: here, listed: l, tell: tell, searched: true, spare: mostSpare, now: a.Recommended,
		won:   map[string]bool{a.Recommended.process: true},
		known: map[numbers]*cluster.Cluster{}, there: map[*cluster.Cluster][]*process{}}
	d.add(l.processes)
	return a, d, nil
}

func newPredictor(model *Convergence, s Setting) *predictor {
	w := &predictor{model: model, setting: s, known: map[*process]*memory{}}
	if s.Optimizer == AdamW {
		w.table = adamw.Measured()
	}
	return w
}

// rank compares all processes; those that cannot be priced, or that ctx leaves no time for, are listed with the reason.
// The first, and all-reduces, are always compared: something must be recommended, and these cost little.
func (w *predictor) rank(ctx context.Context, s scene, processes []*process,
	tell func(design.Progress)) (all []Candidate, unpriced []sweep.Skipped, err error) {
	candidates, errs := make([]Candidate, len(processes)), make([]error, len(processes))
	count := newCounter(design.Comparing, len(processes), tell)
	w.each(processes, func(k int) {
		exact := processes[k].kind.exact()
		if ctx.Err() != nil && k > 0 && !exact {
			errs[k] = grace.ErrGivenUp
			return
		}
		errs[k] = w.refuses(processes[k])
		if errs[k] == nil {
			errs[k] = w.setting.fits(processes[k], s.links())
		}
		if errs[k] == nil {
			candidates[k], errs[k] = w.best(processes[k], s)
		}
		count.done()
	})
	forms, why := 0, error(nil) // all-reduces that AdamW's table says nothing about: maybe many, so named together
	for k, p := range processes {
		switch {
		case errors.Is(errs[k], adamw.ErrUnmeasured) && p.kind.exact():
			forms, why = forms+1, cmp.Or(why, errs[k])
		case errs[k] != nil:
			unpriced = append(unpriced, sweep.Skip(p.name, errs[k]))
		default:
			all = append(all, candidates[k])
		}
	}
	switch {
	case forms == 1:
		unpriced = append(unpriced, sweep.Skip("1 form of parameter averaging", why))
	case forms > 1:
		unpriced = append(unpriced, sweep.Skip(fmt.Sprintf("%d forms of parameter averaging", forms), why))
	}
	if len(all) == 0 {
		why := errors.New("there is nothing to run")
		if len(unpriced) > 0 {
			why = fmt.Errorf("%s: %w", unpriced[0].Name, unpriced[0].Err)
		}
		return nil, unpriced, fmt.Errorf("advise: nothing can be run on this cluster: %w", why)
	}
	return all, unpriced, nil
}

// each compares processes on all cores.
func (w *predictor) each(processes []*process, predict func(k int)) {
	for _, p := range processes {
		w.remember(p)
	}
	workers.Each(0, len(processes), predict)
}

// settle chooses, marks ties and sorts.
func (a *Advice) settle(all []Candidate) {
	chosen := Choose(all)
	for k := range all {
		all[k].Tied = k != chosen && tied(all[k], all[chosen])
	}
	a.Recommended = all[chosen]
	a.Recommended.Plan = a.Recommended.runnable()
	slices.SortStableFunc(all, func(x, y Candidate) int { return cmp.Compare(x.PessimisticMS, y.PessimisticMS) })
	for _, c := range all {
		if c.Unmeasured != "" {
			a.Unmeasured = append(a.Unmeasured, c)
		} else {
			a.All = append(a.All, c)
		}
	}
}

// baseline is DistributedDataParallel of a kind, to compare the answer with: a row, or priced where the user wants
// something else; nil where it cannot run.
func (a *Advice) baseline(kind Kind, w *predictor, here scene, processes []*process) *Candidate {
	at := slices.IndexFunc(processes, func(p *process) bool { return p.kind == kind && p.usual() })
	if row := a.Of(kind); row != nil || at < 0 || w.setting.fits(processes[at], here.links()) != nil {
		return row
	}
	best, err := w.best(processes[at], here)
	if err != nil {
		return nil
	}
	return &best
}

// Of is the candidate of a kind on all machines that ranks first, or nil.
func (a *Advice) Of(kind Kind) *Candidate {
	if k := slices.IndexFunc(a.All, func(c Candidate) bool { return c.Kind == kind && c.usual() }); k >= 0 {
		return &a.All[k]
	}
	return nil
}

// runnable is the plan that makes nodes do what a candidate says; nil where no plan can say it.
func (c Candidate) runnable() *design.Plan {
	if c.Plan == nil {
		return nil
	}
	plan := *c.Plan
	if c.Clocks != nil {
		plan.Clocks = *c.Clocks
	}
	if !c.Kind.Gradients() {
		plan.Every, plan.Order, plan.Overlap = c.Every, c.Order, c.Overlap
	} else if c.BucketMB != cost.BucketMB {
		plan.BucketMB = c.BucketMB
	}
	plan.Purpose = design.Training
	if low := plan.LambdaN; low != nil && *low < 0 && plan.MinEigenvalue == nil {
		plan.MinEigenvalue = low // a known graph, which nobody asked to keep its eigenvalues above 0
	}
	plan.Seal()
	return &plan
}
