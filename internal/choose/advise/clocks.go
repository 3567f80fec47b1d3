package advise

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/topology"
)

// TwoClocks averages gradients inside groups in every step, and models among the groups, exactly, in every H-th.
const TwoClocks Kind = "two-clocks"

// clocks lists local SGD for every division of the cluster into groups: those that its description names, or that a
// network has whose description names none.
func (l *list) clocks(ctx context.Context) {
	divisions, err := groupings(l.c)
	if err == nil && l.setting.Optimizer != AdamW {
		err = fmt.Errorf("with SGD no runs tell how many epochs gradients averaged inside groups need; with the optimizer "+
			"%s they are considered", AdamW)
		l.leave(sweep.Skip("local SGD between groups", err))
		return
	}
	for _, groups := range divisions {
		for _, s := range l.sendings(len(groups)) {
			var p *process
			var plan *design.Plan
			if plan, err = AmongGroups(ctx, l.c, groups, s.wire, s.pieces); err == nil {
				p, err = newProcess(ctx, plan)
			}
			l.add(clocksLabel(groups, s.wire, s.pieces), p, err)
		}
	}
	if len(divisions) == 0 && err != nil && l.setting.Optimizer == AdamW {
		l.leave(sweep.Skip("local SGD between groups", err))
	}
}

// A sending says in which numbers models travel among groups, and in how many pieces.
type sending struct {
	wire   design.Wire
	pieces int
}

// sendings are whole models in 32 and in 8 bits, and the few bits and pieces that runs among that many groups sent.
func (l *list) sendings(groups int) []sending {
	all := []sending{{design.FP32, 1}}
	if l.setting.narrow {
		return all // shares of bytes are of 32 bits
	}
	all = append(all, sending{design.INT8, 1})
	for _, a := range adamw.Measured().Measured(groups) {
		s := sending{design.Wire(fmt.Sprintf("int%d", a.Bits)), a.Every}
		if a.Pieces && s.wire.Few() && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// groupings are the divisions of a cluster into groups of one size, the largest groups first.
func groupings(c *cluster.Cluster) ([][][]int, error) {
	found, err := cost.Divisions(c)
	if err == nil || c.Spec().Matrix == nil {
		return found, err
	}
	regions, _ := c.Spec().Matrix.Regions()
	if len(regions) < 2 || len(regions) == c.Nodes() {
		return nil, errors.New("no nodes are clearly faster among themselves than with others")
	}
	for g, members := range regions {
		if len(members) != len(regions[0]) || len(members) < 2 {
			return nil, fmt.Errorf("region %d of the network has %d nodes, region 0 has %d; groups are of one size, at least 2",
				g, len(members), len(regions[0]))
		}
	}
	return [][][]int{regions}, nil
}

func clocksLabel(groups [][]int, wire design.Wire, pieces int) label {
	as := called(fmt.Sprintf("local SGD between %d groups of %d", len(groups), len(groups[0])),
		fmt.Sprintf("local SGD between groups: gradients averaged in %d groups of %d nodes in every step, models among "+
			"the groups", len(groups), len(groups[0])))
	if wire.Few() {
		bits := adamw.BitsText(wire.Bits())
		as.name, as.text = as.name+", "+bits, as.text+" in "+bits
	}
	if pieces > 1 {
		as.name += fmt.Sprintf(" in %d pieces", pieces)
		as.text += fmt.Sprintf("; one of %d parts of the model travels in every step", pieces)
	}
	return as
}

// simplerAverage is how many times as long a simpler average among groups may take.
const simplerAverage = 1.02

// AmongGroups is the quickest all-reduce among groups: a ring, halving and doubling, or shards in chunks, shared
// out by the bandwidth of the groups. The simpler ones come first. Few bits travel in no chunks, and below 8 of them
// straight to the group that sums them, which is how runs were made.
func AmongGroups(ctx context.Context, c *cluster.Cluster, groups [][]int, wire design.Wire,
	pieces int) (*design.Plan, error) {
	best, err := quickestAmong(c, amongGroups(ctx, c, groups, wire), groups)
	if err != nil {
		return nil, err
	}
	method := clocksLabel(groups, wire, pieces).name
	if wire != design.FP32 {
		best.Average, best.Wire = design.Changes, wire
		if pieces > 1 {
			best.Every, best.Pieces = pieces, pieces
		}
		if best, err = best.On(ctx, c); err != nil {
			return nil, err
		}
	}
	best.Method = method
	return best, nil
}

// amongGroups lists all-reduces among groups for a wire.
func amongGroups(ctx context.Context, c *cluster.Cluster, groups [][]int, wire design.Wire) []*design.Collective {
	order := topology.InOrder(len(groups))
	ways := []*design.Collective{{Algorithm: design.RingForm, Order: order}}
	if len(groups) > 2 {
		if wire.Bits() < 8 {
			ways = nil
		}
		shares := [][]float64{collective.EqualShares(len(groups))}
		if between, err := sweep.BetweenGroups(c, groups); err == nil {
			if best, err := cost.BestShares(ctx, between); err == nil {
				shares = append(shares, best)
			}
		}
		counts := []int{1}
		if !wire.Few() { // which would round what is copied a second time
			ways = append(ways, design.StepsOf(collective.HalvingDoubling(order)))
			counts = []int{1, 4, 16}
		}
		for _, s := range shares {
			for _, chunks := range counts {
				ways = append(ways, design.StepsOf(collective.Shards(s).InChunks(chunks)))
			}
		}
	}
	return ways
}

// quickestAmong is a plan with the quickest of some all-reduces among groups, or an earlier one that is hardly slower.
func quickestAmong(c *cluster.Cluster, ways []*design.Collective, groups [][]int) (*design.Plan, error) {
	var best *design.Plan
	var none error
	for _, how := range ways {
		plan, err := design.NewTwoClockPlan(c, groups, how)
		if err != nil {
			none = err
			continue
		}
		if best == nil || plan.CommunicationMS*simplerAverage < best.CommunicationMS {
			best = plan
		}
	}
	if best == nil {
		return nil, none
	}
	return best, nil
}

// models is how many models of a process differ between two of its averages.
func (p *process) models() int {
	if p.kind == TwoClocks {
		return len(p.plan.Inside.Groups)
	}
	return p.shape.nodes
}

// timed reports whether a process is parameter averaging, whose clocks were measured with AdamW.
func (p *process) timed() bool { return p.kind == Collective || p.kind == TwoClocks }

// Pieces is how many parts of the model are averaged in turn.
func (c Candidate) Pieces() int {
	if c.Clocks == nil {
		return 1
	}
	return c.Clocks.Parts()
}

// bits is how many a number has on the wire of the process.
func (p *process) bits() int {
	if p.plan == nil {
		return 32
	}
	return p.plan.Wire.Bits()
}

// pieces is how many pieces of the model have their turns.
func (p *process) pieces() int {
	if p.plan == nil {
		return 1
	}
	return p.plan.Parts()
}

// measured lists the clocks of all-reduces that the table may know: every H, and whatever was run with as many
// models. Phases need the length of the job.
func (w *predictor) measured(p *process) (ways []adamw.Averaging) {
	pieces := p.pieces()
	plain := adamw.Averaging{Models: p.models(), Bits: p.bits(), Pieces: pieces > 1}.Tidy()
	intervals := ClockIntervals
	if w.setting.Every > 0 {
		intervals = w.setting.intervals()
	}
	if pieces > 1 { // with other numbers of pieces it is another candidate
		intervals = slices.DeleteFunc(slices.Clone(intervals), func(every int) bool { return every != pieces })
	}
	for _, every := range intervals {
		a := plain
		a.Every = every
		ways = append(ways, a)
	}
	for _, a := range w.table.Measured(p.models()) {
		known := slices.ContainsFunc(ways, func(b adamw.Averaging) bool { return a.Like(b) && a.Every == b.Every })
		wanted := w.setting.Every == 0 || a.Every == w.setting.Every
		if !known && wanted && (pieces == 1 || a.Every == pieces && a.Delay <= 1) && a.Process == plain.Process &&
			a.SentLike(plain) && (a.Synchronous == 0 || w.setting.Steps > 0) {
			ways = append(ways, a)
		}
	}
	var out []adamw.Averaging
	for _, a := range ways {
		a = w.setting.Timing.of(a, w.setting.Steps)
		a.Length, a.Bits = w.setting.Steps, plain.Bits
		if a.Delay <= a.Every/pieces && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}
