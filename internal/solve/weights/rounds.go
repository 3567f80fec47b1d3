package weights

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// A RoundsResult holds weights that bring ‖Wᵏ − J‖_F to a target in few rounds, and what is proved about them.
type RoundsResult struct {
	// Weights has one entry per edge of the graph, or per arc of the lift. They are those that the solve started from
	// where no others need fewer rounds, else those with the least error after Rounds rounds.
	Weights []float64
	Rounds  int

	// Bound says that no weights on the graph need fewer rounds than Bound.Rounds; nil when nothing was proved.
	Bound *design.RoundsBound

	// Skipped says why nothing was tried; empty where something was.
	Skipped string
	Stop    design.Stop
}

// SolveRounds finds weights that need the fewest rounds k until ‖Wᵏ − J‖_F is at most target. It starts from given
// weights, one per edge, best from [Solve]: those have the least r_asym, which is what many rounds depend on most,
// but not all. Sign and MinEigenvalue of the settings say which weights are allowed.
//
// ‖Wᵏ − J‖_F is convex in the weights for every k, so that the least k is found, and its proof, by minimising it for
// one k after the other. Graphs beyond a few hundred nodes are left as they are; the result says so.
func SolveRounds(ctx context.Context, g *topology.Graph, start []float64, target float64, s Settings) (*RoundsResult,
	error) {
	if err := checkGraph(g); err != nil {
		return nil, err
	}
	return SolveLiftRounds(ctx, asLift(g), start, target, s)
}

// SolveLiftRounds is SolveRounds for a lift, with one weight per arc. By symmetry and convexity no weights that
// differ inside an arc need fewer rounds.
func SolveLiftRounds(ctx context.Context, l topology.Lift, start []float64, target float64, s Settings) (*RoundsResult,
	error) {
	s = s.withDefaults()
	if err := errors.Join(s.validate(), checkStart(l, start, target)); err != nil {
		return nil, err
	}
	r := &RoundsResult{Weights: slices.Clone(start)}
	r.Skipped = tooLarge(l)
	if r.Skipped != "" {
		return r, nil
	}
	v, err := NewLiftSolver(l.Orbits, l.Size)
	if err != nil {
		return nil, err
	}
	if err := v.check(l); err != nil {
		return nil, err
	}
	v.limits(l, s)
	w := newRoundsMethod(l, &v.program)
	q := quest{w: w, target: target, settings: s}
	q.run(ctx, r, v.interiorPoint(l))
	return r, nil
}

func checkStart(l topology.Lift, start []float64, target float64) error {
	if len(start) != len(l.Arcs) {
		return fmt.Errorf("weights: %d weights to start from; there are %d edges or arcs", len(start), len(l.Arcs))
	}
	if floats.HasNaN(start) || slices.ContainsFunc(start, func(v float64) bool { return math.IsInf(v, 0) }) {
		return errors.New("weights: the weights to start from are not all finite")
	}
	if !(target > 0 && target < 1) {
		return fmt.Errorf("weights: the target error is %v; it must be between 0 and 1", target)
	}
	return nil
}

// mostStepWork limits n³ summed over blocks plus a share of (variables)³, which a Newton step is about fifty times
// of: half a second.
const mostStepWork = 1 << 25

// tooLarge says why a lift is beyond the method, if it is.
func tooLarge(l topology.Lift) string {
	orbits, size, arcs := float64(l.Orbits), float64(l.Size), float64(len(l.Arcs))
	step := orbits*orbits*orbits*(1+4*(size-1)) + arcs*arcs*arcs/50
	if proof := orbits * orbits * orbits * size * size; step <= mostStepWork && proof <= design.MostRoundsWork {
		return ""
	}
	if l.Size == 1 {
		return fmt.Sprintf("%d nodes and %d edges without symmetry are too many", l.Orbits, len(l.Arcs))
	}
	return fmt.Sprintf("%d arcs on %d orbits of %d nodes are too many", len(l.Arcs), l.Orbits, l.Size)
}

// interiorPoint returns weights that keep all limits strictly.
func (v *LiftSolver) interiorPoint(l topology.Lift) []float64 {
	inside := make([]float64, len(l.Arcs))
	for e, arc := range l.Arcs {
		inside[e] = v.program.startWeight(max(v.degree[arc.A], v.degree[arc.B]))
	}
	return inside
}
