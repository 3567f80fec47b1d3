// Package measure says what a topology does on a cluster, in the terms of the BA-Topo
// paper: its edges, degree and slowest edge, r_asym, and the time to consensus error 10⁻⁴,
// computed from the spectrum and simulated from random starts.
package measure

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/consensus"
	"github.com/batopo/batopo/verify"
)

// A Measurement is one topology on one cluster.
type Measurement struct {
	Edges      int     `json:"edges"` // half the sum of degrees, as the paper counts; directed: half the arcs
	MaxDegree  int     `json:"max_degree"`
	RAsym      float64 `json:"r_asym"`
	MinEdgeGBs float64 `json:"min_edge_gb_s"`
	RoundMS    float64 `json:"round_ms"`

	Iterations int     `json:"iterations"` // first k with ‖Wᵏ − J‖_F ≤ 10⁻⁴; 0: never
	TimeMS     float64 `json:"time_ms"`

	SimulatedIterations int     `json:"simulated_iterations"` // first round with root mean square error ≤ 10⁻⁴; 0: never
	SimulatedMS         float64 `json:"simulated_ms"`
	// Errors is the simulated root mean square error after 0, 1, 2, … rounds, where asked for.
	Errors []float64 `json:"errors,omitempty"`

	Bound        *float64 `json:"bound,omitempty"`         // proved for the problem as posed
	DegreeBound  *float64 `json:"degree_bound,omitempty"`  // proved for the plan's largest degree
	WeightsBound *float64 `json:"weights_bound,omitempty"` // proved for any weights on these edges

	Plan string `json:"plan,omitempty"` // file of the plan, beside the results
	Hash string `json:"hash,omitempty"`

	*Draw                 // of a topology that was chosen among random ones
	*Starts               // of a plan of the printed method: all runs that it is the best of
	Kind    sweep.RowKind `json:"kind,omitempty"` // of what the paper does not compare with
}

// A Simulation says how the consensus error is simulated.
type Simulation struct {
	Trials int    `json:"trials"`
	Seed   uint64 `json:"simulation_seed"`
	Curve  bool   `json:"curve,omitempty"` // keep the error of every round, down to curveEnd
}

const (
	mostRounds = 5000 // slower than that is never
	curveEnd   = 1e-5 // a decade below the paper's target
)

// Plan measures a plan, after package verify has found nothing wrong with it.
func Plan(ctx context.Context, p *design.Plan, s Simulation) (Measurement, error) {
	findings, err := verify.Check(ctx, p)
	if err != nil {
		return Measurement{}, err
	}
	if err := findings.Err(); err != nil {
		return Measurement{}, fmt.Errorf("a claim of the plan is false: %w", err)
	}
	m := Measurement{Edges: len(p.Edges()), MaxDegree: p.MaxDegree, RAsym: p.RAsym, MinEdgeGBs: p.MinEdgeGBs,
		RoundMS: p.CommunicationMS, Iterations: p.Iterations, TimeMS: p.TimeMS, Hash: p.Hash}
	if p.Directed {
		m.Edges = len(p.Edges()) / 2
	}
	if p.Bound != nil {
		m.Bound = &p.Bound.RAsym
	}
	if p.DegreeBound != nil {
		m.DegreeBound = &p.DegreeBound.RAsym
	}
	if p.WeightsBound != nil {
		m.WeightsBound = &p.WeightsBound.RAsym
	}
	return m, m.simulate(ctx, p, s)
}

func (m *Measurement) simulate(ctx context.Context, p *design.Plan, s Simulation) error {
	w, err := p.Schedule()
	if err != nil {
		return err
	}
	target := p.TargetError
	if s.Curve {
		target = min(target, curveEnd)
	}
	result, err := consensus.Simulate(ctx, w,
		consensus.Settings{Trials: s.Trials, Seed: s.Seed, MaxRounds: mostRounds, Target: target})
	if err != nil {
		return err
	}
	for _, e := range result.Errors {
		if m.SimulatedIterations == 0 && e.RMS <= p.TargetError {
			m.SimulatedIterations, m.SimulatedMS = e.Round, e.TimeMS
		}
		if s.Curve {
			m.Errors = append(m.Errors, fourDigits(e.RMS))
		}
	}
	return nil
}

// fourDigits is precise enough to draw and keeps result files readable.
func fourDigits(v float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64) // reads what it has just written
	return short
}

// Outcomes are what one way of solving gave, once per seed.
type Outcomes struct {
	Nodes   int       `json:"nodes"`
	Edges   int       `json:"edges,omitempty"` // budget, where there is one
	RAsym   []float64 `json:"r_asym"`
	Seconds float64   `json:"seconds"` // of all seeds together; differs from run to run
}

// An Epoch is what an epoch of training costs with one topology on one kind of hardware.
type Epoch struct {
	Edges      int     `json:"edges"`
	MaxDegree  int     `json:"max_degree"`
	Slowdown   float64 `json:"slowdown"`   // m = b_avail / b_min
	Iterations int     `json:"iterations"` // per epoch
	Seconds    float64 `json:"seconds"`
}

// EpochSeconds prices an epoch as the paper's times show it to have been done: communication at full bandwidth
// and computation both rounded to 10 ms per epoch.
func EpochSeconds(iterations, slowdown float64) float64 {
	seconds := func(ms float64) float64 { return math.Round(iterations*ms/10) / 100 }
	return seconds(cluster.PaperMessageMB/cluster.PaperBandwidthGBs)*slowdown + seconds(cluster.PaperComputeMS)
}
