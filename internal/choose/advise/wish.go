package advise

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/choose/subset"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// A Wish is what the user decides instead of the planner.
type Wish struct {
	Every  int         // the number of steps between rounds; 0: the planner chooses
	Exact  bool        // nothing that changes training: the same average as DistributedDataParallel's in every step
	Wire   design.Wire // the numbers that messages travel in: fp32, bf16 or fp16; "": the planner chooses
	Choose int         // this row of the table, from 1 on; 0: the planner chooses

	Balance bool // batches in proportion to the speed of nodes
	Timing
}

// MostEvery is the most steps between rounds that may be asked for.
const MostEvery = 512

// validate complains about wishes that no cluster can fulfil.
func (w Wish) validate() error {
	switch {
	case w.Every < 0 || w.Every > MostEvery:
		return fmt.Errorf("every is %d; it must be from 1 to %d steps", w.Every, MostEvery)
	case w.Choose < 0:
		return fmt.Errorf("choose is %d; rows are numbered from 1", w.Choose)
	case w.Exact && w.Every > 1:
		return fmt.Errorf("every is %d beside exact; averages in every step only leave training unchanged", w.Every)
	case w.Exact && w.sends() != design.FP32:
		return fmt.Errorf("wire is %q beside exact; rounded messages change training", string(w.Wire))
	case !slices.Contains([]design.Wire{"", only32, design.BF16, design.FP16}, w.Wire):
		return fmt.Errorf("wire is %q; plan writes \"fp32\", \"bf16\" and \"fp16\"", string(w.Wire))
	}
	return nil
}

// unchanged are the kinds that leave training unchanged.
var unchanged = []Kind{DDP, Hook, FSDP, HSDP}

// ErrWish says that something is not what the user wants.
var ErrWish = errors.New("not what was asked for")

// refuses says why a process does not fulfil the wish.
func (w *predictor) refuses(p *process) error {
	s := w.setting
	switch {
	case s.Timing.asks() && !p.timed():
		return fmt.Errorf("%w: phases, outer and delay are about averages of parameters among all nodes or groups", ErrWish)
	case s.Every > 1 && p.kind.Gradients():
		return fmt.Errorf("%w: it averages in every step", ErrWish)
	case s.Exact && p.On != nil && !p.Whole:
		return fmt.Errorf("%w: the batch is smaller", ErrWish)
	case s.Skew > 0 && p.On != nil:
		return fmt.Errorf("%w: nodes see different data, so none can be left out", ErrWish)
	case s.Exact && !p.Whole && !slices.Contains(unchanged, p.kind):
		return fmt.Errorf("%w: it changes training", ErrWish)
	case s.Wire != "" && p.plan != nil && p.plan.Wire != s.sends():
		return fmt.Errorf("%w: it sends %s numbers", ErrWish, p.plan.Wire)
	case s.Every > 1 && p.slow(s.Every) && !(w.table != nil && p.timed()): // the table has what was trained
		return fmt.Errorf("%w with a round after every %d steps: consensus is slower than in anything that was trained",
			errSlow, s.Every)
	}
	return nil
}

// possible adds to the error of a wish that nothing fulfils what may be asked for instead.
func (w *predictor) possible(all []*process, err error) error {
	s := w.setting
	if s.Every <= 1 && !s.Timing.asks() || errors.Is(err, ErrMemory) || errors.Is(err, feasible.ErrInfeasible) {
		return err
	}
	known, what := fmt.Sprintf("every %v steps", Intervals), ""
	if w.table != nil {
		known = w.runs(all)
		what = s.Timing.of(adamw.Averaging{}, s.Steps).Clocks()
	}
	if s.Every > 0 {
		what = fmt.Sprintf(" every %d steps%s", s.Every, what)
	}
	return fmt.Errorf("%w: nothing is known about averages%s with %s on this cluster; ask for %s", ErrChoice, what,
		s.Optimizer, known)
}

// intervals are the numbers of steps between rounds that are compared.
func (w Wish) intervals() []int {
	if w.Every > 0 {
		return []int{w.Every}
	}
	return Intervals
}

// obey makes the row that the user chose the answer, and says what its plan costs on its wire.
func (a *Advice) obey(c *cluster.Cluster) error {
	w := a.Setting.Wish
	if w.Choose > len(a.All) {
		rows := make([]string, len(a.All))
		for k, r := range a.All {
			rows[k] = fmt.Sprintf("%d %s", k+1, r.Name)
		}
		return fmt.Errorf("%w: there is no row %d; there are %s", ErrChoice, w.Choose, strings.Join(rows, "; "))
	}
	if w.Choose > 0 {
		best := a.Recommended
		if a.Recommended = a.All[w.Choose-1]; a.Recommended.Name != best.Name {
			a.Instead = &best
		}
		a.Recommended.Plan = a.Recommended.runnable()
	}
	if a.Recommended.On != nil {
		c, a.Shares = a.Recommended.On.Cluster, nil
		if c != nil {
			a.Shares = w.shares(c)
		}
	} else if a.Recommended.Shares != nil {
		a.Shares = a.Recommended.Shares
	}
	if plan := a.Recommended.Plan; plan != nil && a.Shares != nil {
		plan.BatchWeights = a.Shares
		plan.Seal()
	}
	if plan := a.Recommended.Plan; plan != nil && plan.Wire != design.FP32 {
		return plan.SetWire(c, plan.Wire)
	}
	return nil
}

// ErrChoice says that the user chose something that there is not.
var ErrChoice = errors.New("impossible choice")

// Row is the number of a candidate in the table of all.
func (a *Advice) Row(c Candidate) int {
	return 1 + slices.IndexFunc(a.All, func(other Candidate) bool { return other.Name == c.Name })
}

// shares are those of the wish; nil: equal ones.
func (w Wish) shares(c *cluster.Cluster) []float64 {
	if !w.Balance {
		return nil
	}
	return subset.Shares(c)
}

// draws are the compute times of a cluster's nodes with the batches that they have.
func (w Wish) draws(c *cluster.Cluster) *cost.Draws { return cost.DrawsWith(c, w.shares(c)) }
