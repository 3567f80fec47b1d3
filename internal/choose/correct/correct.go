// Package correct changes the description of a cluster so that its predictions agree with a trial on the machines:
// compute times as they were measured, and a factor on all bandwidths and a cost per message by least squares.
package correct

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/trial"
	"github.com/batopo/batopo/internal/ground/limits"

	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat"
)

// Numbers are what a trial tells about a cluster.
type Numbers struct {
	MessageMB    float64
	ComputeMS    float64 // of the slowest node
	Rate         float64 // bandwidths are those of the description times this
	PerMessageMS float64
}

// A Correction is a cluster with the numbers of a trial.
type Correction struct {
	Cluster    *cluster.Cluster
	Trial      *trial.Trial
	Was, Is    Numbers
	FitMessage bool // the cost per message was fitted; else one way of exchanging is too few to tell it from links
	Ways       []Way
	Skipped    []string // ways that were measured and cannot be priced, and why
}

// A Way is one of the ways of training that were measured. Before plus the three parts is After.
type Way struct {
	Name                           string
	MeasuredMS, BeforeMS, AfterMS  float64
	ComputeMS, LinksMS, MessagesMS float64 // what correcting each adds, one after the other

	Kind  trial.Kind
	Plan  *design.Plan // nil for those that run none
	noise float64      // of ln MeasuredMS
}

// Errors are the median and the largest relative error of the predictions, before and after.
func (c *Correction) Errors() (before, after [2]float64) {
	var was, is []float64
	for _, w := range c.Ways {
		was = append(was, math.Abs(w.MeasuredMS/w.BeforeMS-1))
		is = append(is, math.Abs(w.MeasuredMS/w.AfterMS-1))
	}
	return [2]float64{median(was), slices.Max(was)}, [2]float64{median(is), slices.Max(is)}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[len(sorted)/2] + sorted[(len(sorted)-1)/2]) / 2
}

// mostRanks limits what fitting costs.
const mostRanks = 256

// Check complains about a trial that says nothing about a cluster.
func Check(c *cluster.Cluster, t *trial.Trial) error {
	if err := t.Validate(); err != nil {
		return err
	}
	exchanges := func(w trial.Way) bool { return w.Ran() && w.Kind != trial.Alone }
	alone := func(w trial.Way) bool { return w.Ran() && w.Kind == trial.Alone }
	switch {
	case t.Ranks != c.Nodes():
		return fmt.Errorf("the trial has %d ranks, the cluster %d nodes; they must be the same machines", t.Ranks, c.Nodes())
	case t.Ranks > mostRanks:
		return limits.Refuse("a trial of %d ranks; descriptions are corrected for at most %d", t.Ranks, mostRanks)
	case !slices.ContainsFunc(t.Ways, exchanges) || !slices.ContainsFunc(t.Ways, alone) || len(t.ComputeMS) == 0:
		return fmt.Errorf("the trial measured no exchange, or nothing without exchange; run it again")
	}
	for k, p := range t.ReadPlans() {
		if err := p.CheckHash(); err != nil {
			return fmt.Errorf("plans[%d] of the trial: %w", k, err)
		}
		if err := p.CheckExact(); err != nil {
			return fmt.Errorf("plans[%d] of the trial: %w", k, err)
		}
	}
	return nil
}

// New fits compute times, bandwidths and the cost of a message to a trial, and explains the error of every prediction.
func New(c *cluster.Cluster, t *trial.Trial) (*Correction, error) {
	if err := Check(c, t); err != nil {
		return nil, err
	}
	f := &fit{was: numbersOf(c)}
	f.was.MessageMB = t.GradientMB
	f.described = c.Spec().WithTraining(&t.GradientMB, nil)
	f.described.Backend = cluster.Backend(t.Backend)
	f.computing = withCompute(f.described, t)
	out := &Correction{Trial: t, Was: numbersOf(c)}
	if err := f.add(t, &out.Skipped); err != nil {
		return nil, err
	}
	out.FitMessage = f.exchanging() > 1
	var err error
	if out.Is, err = f.solve(out.FitMessage); err != nil {
		return nil, err
	}
	if out.Cluster, err = f.at(out.Is.Rate, out.Is.PerMessageMS); err != nil {
		return nil, err
	}
	out.Is.ComputeMS = out.Cluster.Model().ComputeMS
	out.Ways, err = f.explained(out.Is)
	return out, err
}

func numbersOf(c *cluster.Cluster) Numbers {
	m := c.Model()
	return Numbers{MessageMB: m.MessageMB, ComputeMS: m.ComputeMS, Rate: 1, PerMessageMS: c.PerMessageMS()}
}

// withCompute is the description with the compute times of the trial: one for all nodes unless they clearly differ.
func withCompute(s cluster.Spec, t *trial.Trial) cluster.Spec {
	const alike = 1.1
	slowest := slices.Max(t.ComputeMS)
	s = s.WithTraining(nil, &slowest)
	if slowest > alike*slices.Min(t.ComputeMS) {
		model := *s.Model
		model.ComputeMS, model.NodeComputeMS = nil, t.ComputeMS
		s.Model = &model
	}
	return s
}

// A fit looks for the bandwidths and the cost per message.
type fit struct {
	described, computing cluster.Spec // with the size of the trial's messages, and with its compute times too
	was                  Numbers
	ways                 []Way
}

// add prices what was measured, on the cluster as described; what has no price is left out.
func (f *fit) add(t *trial.Trial, skipped *[]string) error {
	c, err := cluster.New(f.described)
	if err != nil {
		return err
	}
	for _, w := range t.Ways {
		if !w.Ran() {
			continue
		}
		plan, known := t.PlanOf(w)
		if w.Plan != nil && !known {
			*skipped = append(*skipped, w.Name+": its plan is not in the file")
			continue
		}
		ms, err := priceOf(c, w.Kind, plan)
		if err != nil {
			*skipped = append(*skipped, fmt.Sprintf("%s: %v", w.Name, err))
			continue
		}
		f.ways = append(f.ways, Way{Name: w.Name, MeasuredMS: w.MeasuredMS, BeforeMS: ms, Kind: w.Kind, Plan: plan,
			noise: noiseOf(w)})
	}
	if f.exchanging() == 0 {
		return fmt.Errorf("none of the exchanges that were measured has a price on this cluster: %s", (*skipped)[0])
	}
	return nil
}

// noiseOf is the standard error of what was measured, relative to it, and never less than what predictions may be
// trusted to.
func noiseOf(w trial.Way) float64 {
	const trusted = 0.02
	if len(w.BlocksMS) < 2 {
		return 1
	}
	_, deviation := stat.MeanStdDev(w.BlocksMS, nil)
	return math.Hypot(trusted, stat.StdErr(deviation, float64(len(w.BlocksMS)))/w.MeasuredMS)
}

// exchanging counts the ways that tell something about links.
func (f *fit) exchanging() (count int) {
	for _, w := range f.ways {
		if w.Kind != trial.Alone {
			count++
		}
	}
	return count
}

// at is the cluster with bandwidths that many times as large, and that cost per message.
func (f *fit) at(rate, perMessageMS float64) (*cluster.Cluster, error) {
	s := f.computing.WithRates(rate)
	s.PerMessageMS = perMessageMS
	return cluster.New(s)
}

// misfit is the sum of squares of ln(measured/predicted), in units of the noise.
func (f *fit) misfit(rate, perMessageMS float64) float64 {
	c, err := f.at(rate, perMessageMS)
	if err != nil {
		return math.Inf(1) // beyond what a description may say
	}
	sum := 0.0
	for _, w := range f.ways {
		if w.Kind == trial.Alone {
			continue
		}
		ms, err := priceOf(c, w.Kind, w.Plan)
		if err != nil {
			return math.Inf(1)
		}
		sum += square(math.Log(w.MeasuredMS/ms) / w.noise)
	}
	return sum
}

func square(x float64) float64 { return x * x }

// solve finds the numbers that fit best. The description counts as a measurement too, a rough one: bandwidths may be
// off by a factor of two, and the cost of a message by four times what it is, or would have to be to matter. So noise
// does not move them far.
func (f *fit) solve(message bool) (Numbers, error) {
	const widest = 8 // of ln rate
	rough := []float64{math.Ln2, 4}
	usual := max(f.was.PerMessageMS, f.perMessage())
	number := func(x []float64) (rate, perMessageMS float64) {
		perMessageMS = f.was.PerMessageMS
		if message {
			perMessageMS = math.Abs(f.was.PerMessageMS + x[1]*usual)
		}
		return math.Exp(min(max(x[0], -widest), widest)), perMessageMS
	}
	start := make([]float64, 1)
	if message {
		start = make([]float64, 2)
	}
	result, err := optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 {
		sum := f.misfit(number(x))
		for k, v := range x {
			sum += square(v / rough[k])
		}
		return sum
	}}, start, &optimize.Settings{FuncEvaluations: 400, Concurrent: 1}, &optimize.NelderMead{SimplexSize: 0.5})
	if err != nil {
		return Numbers{}, fmt.Errorf("the trial fits no links: %w", err)
	}
	rate, perMessageMS := number(result.X)
	if perMessageMS < finestMS {
		perMessageMS = 0
	}
	return Numbers{MessageMB: f.was.MessageMB, Rate: significant(rate), PerMessageMS: significant(perMessageMS)}, nil
}

// finestMS is the least cost of a message that a clock sees.
const finestMS = 1e-4

// perMessage is a cost per message that would matter: a hundredth of the shortest iteration.
func (f *fit) perMessage() float64 {
	least := math.Inf(1)
	for _, w := range f.ways {
		least = min(least, w.MeasuredMS)
	}
	return least / 100
}

// significant rounds to four digits, which is more than a trial knows.
func significant(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64) // its own form always parses
	return rounded
}

// explained says what correcting each number adds to every prediction.
func (f *fit) explained(is Numbers) ([]Way, error) {
	steps := []struct{ rate, perMessageMS float64 }{
		{1, f.was.PerMessageMS}, {is.Rate, f.was.PerMessageMS}, {is.Rate, is.PerMessageMS},
	}
	out := slices.Clone(f.ways)
	for k := range out {
		w := &out[k]
		w.AfterMS = w.BeforeMS
		for s, part := range []*float64{&w.ComputeMS, &w.LinksMS, &w.MessagesMS} {
			c, err := f.at(steps[s].rate, steps[s].perMessageMS)
			if err != nil {
				return nil, err
			}
			ms, err := priceOf(c, w.Kind, w.Plan)
			if err != nil {
				return nil, err
			}
			*part, w.AfterMS = ms-w.AfterMS, ms
		}
	}
	return out, nil
}
