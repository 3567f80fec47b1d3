package advise

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
)

// A Timing is what the user says about averages of parameters besides how often they are made.
type Timing struct {
	Synchronous int           `json:"phases,omitempty"` // the first steps average gradients of all; 0: chosen
	Outer       *design.Outer `json:"outer,omitempty"`  // takes the averaged change for a gradient; nil: chosen
	Delay       *int          `json:"delay,omitempty"`  // steps until an average is used; nil: chosen
}

// asks reports whether anything was said.
func (t Timing) asks() bool { return t != Timing{} }

// validate complains about what no plan can have; steps is how long the job is, 0 where nobody said it.
func (t Timing) validate(s Setting) error {
	switch o := t.Outer; {
	case !t.asks():
		return nil
	case s.Exact:
		return errors.New("phases, outer and delay are about averages of parameters; exact averages gradients: leave one out")
	case s.Optimizer == SGD:
		return fmt.Errorf("phases, outer and delay were run with %s; with %s nothing is known of them", AdamW, SGD)
	case t.Synchronous < 0:
		return fmt.Errorf("phases is %d; say how many first steps are synchronous", t.Synchronous)
	case t.Synchronous > 0 && t.Synchronous >= s.Steps:
		return fmt.Errorf("phases is %d, steps is %d; what a synchronous start saves depends on its share of the job: say "+
			"with steps how long that is, more than the start", t.Synchronous, s.Steps)
	case t.Outer != nil && s.Steps == 0:
		return errors.New("outer was run after synchronous starts, whose cost depends on their share of the job: say with " +
			"steps how long that is")
	case t.Delay != nil && (*t.Delay < 0 || *t.Delay > MostEvery):
		return fmt.Errorf("delay is %d; an average may be late by 0 to %d steps, and by no more than every", *t.Delay,
			MostEvery)
	case o != nil && !(o.LearningRate > 0 && o.LearningRate <= 2 && o.Momentum >= 0 && o.Momentum < 1):
		return fmt.Errorf("outer is %v and %v; the rate must be above 0 and at most 2, the momentum 0 to below 1: runs had "+
			"0.7 and 0.9", o.LearningRate, o.Momentum)
	}
	return nil
}

// of is a way to average with what was asked for in place of its own.
func (t Timing) of(a adamw.Averaging, steps int) adamw.Averaging {
	if t.Synchronous > 0 {
		a.Synchronous = float64(t.Synchronous) / float64(steps)
	}
	if t.Outer != nil {
		a.OuterRate, a.OuterMomentum = t.Outer.LearningRate, t.Outer.Momentum
	}
	if t.Delay != nil {
		a.Delay = *t.Delay
	}
	return a
}

// runs lists what may be asked for of some processes: every H that something is known of, with its timing.
func (w *predictor) runs(all []*process) string {
	s := w.setting
	s.Every, s.Timing, s.Steps = 0, Timing{}, max(1, s.Steps)
	free := newPredictor(w.model, s)
	every := map[string][]int{"": {1}}
	for _, p := range all {
		if !p.timed() {
			continue
		}
		for _, a := range free.measured(p) {
			if _, unknown := w.table.Steps(a); unknown == nil {
				every[a.Clocks()] = append(every[a.Clocks()], a.Every)
			}
		}
	}
	var known []string
	for _, timing := range slices.Sorted(maps.Keys(every)) {
		intervals := slices.Compact(slices.Sorted(slices.Values(every[timing])))
		known = append(known, fmt.Sprintf("every %v steps%s", intervals, timing))
	}
	return strings.Join(known, "; ")
}
