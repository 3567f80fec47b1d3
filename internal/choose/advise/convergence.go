package advise

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/internal/choose/adamw"
)

// A Convergence predicts how many times the epochs of synchronous training a process needs to the same accuracy:
// ln(relative epochs) = Σ over terms of coefficient × product of features.
type Convergence struct {
	Gamma  float64 `json:"gamma"` // with which n_W keeps noise from one iteration to the next
	Terms  []Term  `json:"terms"`
	Prior  float64 `json:"prior"` // a term whose standard error is close to it was never measured
	Errors []struct {
		Skew      *float64 `json:"skew"` // nil: none
		RMS       float64  `json:"rms"`
		WithSteps float64  `json:"rms_with_steps"` // where H is above 1; 0: not measured
	} `json:"leave_out_by_skew"` // of ln(relative epochs) of processes left out of the fit
	LeaveOut struct {
		RMS   float64 `json:"rms"`
		Right float64 `json:"right"` // share of pairs of runs that come out in the right order
	} `json:"leave_out"`
	Runs struct {
		All int `json:"all"`
	} `json:"runs"`
	Domain struct {
		Nodes  []int                 `json:"nodes"`
		Every  []int                 `json:"every"`
		Ranges map[string][2]float64 `json:"ranges"` // of single features
	} `json:"domain"`
	Rounding adamw.Roundings `json:"sixteen_bits"`
}

// A Term is a coefficient of a product of features.
type Term struct {
	Product       []string `json:"product"`
	Coefficient   float64  `json:"coefficient"`
	StandardError float64  `json:"standard_error"`
}

//go:embed law.json
var measured []byte

// MeasuredConvergence returns the convergence model fitted to the project's training runs.
func MeasuredConvergence() *Convergence {
	model, err := readConvergence(measured)
	if err != nil {
		panic(err) // the embedded file is tested
	}
	return model
}

func readConvergence(source []byte) (*Convergence, error) {
	m := new(Convergence)
	if err := json.Unmarshal(source, m); err != nil {
		return nil, fmt.Errorf("advise: law.json: %w", err)
	}
	if !(m.Gamma > 0 && m.Gamma < 1) || len(m.Terms) == 0 || len(m.Errors) == 0 || len(m.Domain.Nodes) == 0 {
		return nil, fmt.Errorf("advise: law.json: gamma %v, %d terms, errors for %d skews, %d numbers of nodes; gamma "+
			"must be above 0 and below 1, and there must be at least one of each", m.Gamma, len(m.Terms), len(m.Errors),
			len(m.Domain.Nodes))
	}
	return m, nil
}

// uninformed is the share of the prior's width above which a standard error means that the runs hold no information.
const uninformed = 0.95

// Epochs predicts ln of the epochs relative to exact averaging in the same setting on that many nodes, and its standard
// error. That is the error on processes left out of the fit. It is larger beyond the numbers of nodes that were
// measured, for what was never run together, and for terms that the runs hold no information about.
func (m *Convergence) Epochs(f Features, nodes int) (log, deviation float64) {
	if f.exact() {
		return 0, 0
	}
	exact := Features{Group: f.Group, Quasi: f.Quasi, Skew: f.Skew}
	variance := square(m.error(f.Skew, f.Steps) * m.beyond(nodes) * f.guessed(nodes))
	for _, t := range m.Terms {
		x := product(f, t.Product) - product(exact, t.Product)
		log += t.Coefficient * x
		if t.StandardError > uninformed*m.Prior {
			variance += square(t.StandardError * x)
		}
	}
	return log, math.Sqrt(variance)
}

// beyond is how many times as large the error is taken on that many nodes: 1 within the measured numbers, and 1 more
// for every doubling or halving beyond. That is a guess, since no run says how errors grow there, but they do.
func (m *Convergence) beyond(nodes int) float64 {
	low, high := slices.Min(m.Domain.Nodes), slices.Max(m.Domain.Nodes)
	return 1 + math.Log2(max(1, float64(nodes)/float64(high), float64(low)/float64(nodes)))
}

// ErrorAt is the convergence model's typical error of ln(relative epochs) in a setting, with a round in every H-th
// step.
func (m *Convergence) ErrorAt(s Setting, every int) float64 {
	return m.error(s.features().Skew, math.Log2(float64(every)))
}

// error is the convergence model's error at a skew: between two that were measured it lies on a line.
func (m *Convergence) error(skew, steps float64) float64 {
	type point struct{ skew, rms float64 }
	var points []point
	for _, e := range m.Errors {
		at := 0.0
		if e.Skew != nil {
			at = SkewOf(*e.Skew)
		}
		rms := e.RMS
		if steps > 0 {
			rms = max(rms, e.WithSteps)
		}
		points = append(points, point{at, rms})
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.skew, b.skew) })
	last := points[len(points)-1]
	for k, p := range points {
		if skew <= p.skew {
			if k == 0 {
				return p.rms
			}
			before := points[k-1]
			return before.rms + (p.rms-before.rms)*(skew-before.skew)/(p.skew-before.skew)
		}
	}
	return last.rms * max(1, skew/last.skew)
}

func square(x float64) float64 { return x * x }

func product(f Features, names []string) float64 {
	out := 1.0
	for _, name := range names {
		out *= f.named(name)
	}
	return out
}
