package advise

import (
	"context"
	"fmt"
	"math"

	"github.com/batopo/batopo/internal/consensus"
	"github.com/batopo/batopo/mixing"
)

// Features are what the convergence model knows of a run. All but the last four are 0 for exact averaging in every
// iteration, adapt then combine.
type Features struct {
	Spread   float64 // ln(n / n_W), n_W the effective number of neighbours; steps without averaging count
	Negative float64 // how far the least eigenvalue of any round lies below 0; directed: the least real part
	Pull     float64 // how much of the differences a round takes away: mean ‖I − W‖²/n, less exact averaging's
	Churn    float64 // mean ‖I − W‖²/n times spread in every step: models are moved a lot, and yet little mixed
	Steps    float64 // log2 of the steps from one round to the next
	CTA      float64 // 1 for combine, then adapt
	Quasi    float64 // 1 for quasi-global momentum
	Group    float64 // 1 for group norm
	Skew     float64 // see SkewOf
	Size     float64 // log2(n / 16), at least −1 and at most 1: no runs say what fewer than 8 or more than 32 nodes do
}

// SkewOf is the convergence model's measure of class skew from Dirichlet(alpha) over ten classes: 0.18 at 1.0 and 1 at
// 0.1. Half of it is how much the shares of classes vary between nodes, over how much they would if every node had one
// class.
func SkewOf(alpha float64) float64 {
	const classes = 10 // of the data that was skewed
	return 2 / (1 + classes*alpha)
}

func (f Features) named(name string) float64 {
	switch name {
	case "spread":
		return f.Spread
	case "negative":
		return f.Negative
	case "pull":
		return f.Pull
	case "churn":
		return f.Churn
	case "steps":
		return f.Steps
	case "cta":
		return f.CTA
	case "quasi":
		return f.Quasi
	case "group":
		return f.Group
	case "skew":
		return f.Skew
	case "size":
		return f.Size
	}
	panic("advise: the convergence model names an unknown feature " + name)
}

// exact reports whether the process is exact averaging in every iteration, adapt then combine.
func (f Features) exact() bool {
	const rounding = 1e-9
	return math.Abs(f.Spread)+math.Abs(f.Pull)+f.Negative < rounding && f.Steps == 0 && f.CTA == 0
}

// A shape is what the convergence model needs of a process whatever H is. One goroutine at a time uses it.
type shape struct {
	nodes    int
	negative float64
	taken    float64          // mean of ‖I − W‖²/n over the rounds, by all entries
	rounds   []*mixing.Matrix // nil: exact averaging
	moduli   []float64        // of a static W that is normal; then rounds are not looked at
	spreads  map[pace]float64 // that were computed before
}

// A pace says how often there are rounds, and how fast noise fades.
type pace struct {
	every int
	gamma float64
}

// exactShape describes exact averaging.
func exactShape(nodes int) *shape {
	return &shape{nodes: nodes, taken: takenByExact(nodes), moduli: make([]float64, nodes-1)}
}

func takenByExact(nodes int) float64 { return 1 - 1/float64(nodes) }

// features are those of the process with a round in every H-th step, added to those of a setting.
func (s *shape) features(f Features, every int, gamma float64) Features {
	f.Spread, f.Negative, f.Steps = s.spread(every, gamma), s.negative, math.Log2(float64(every))
	f.Pull = s.taken - takenByExact(s.nodes)
	f.Churn = s.taken * s.spread(1, gamma)
	f.Size = min(max(math.Log2(float64(s.nodes)/16), -1), 1)
	return f
}

// newShape looks at one period.
func newShape(ctx context.Context, rounds []*mixing.Matrix) (*shape, error) {
	n := rounds[0].Nodes()
	s := &shape{nodes: n, rounds: rounds}
	for _, w := range rounds {
		least, err := consensus.LeastEigenvalue(ctx, w)
		if err != nil {
			return nil, err
		}
		s.negative = max(s.negative, -least)
		s.taken += taken(w) / float64(len(rounds))
	}
	if len(rounds) == 1 {
		spectrum, err := rounds[0].Spectrum(ctx)
		if err != nil {
			return nil, err
		}
		s.moduli = spectrum.Moduli
	}
	if s.moduli == nil && n > consensus.MostNodes {
		return nil, fmt.Errorf("advise: %d nodes; the effective number of neighbours of a schedule, or of a W without "+
			"symmetry, is computed for at most %d", n, consensus.MostNodes)
	}
	return s, nil
}

// taken is ‖I − W‖²/n.
func taken(w *mixing.Matrix) float64 {
	sum := 0.0
	for i, own := range w.Self() {
		sum += square(1 - own)
		_, weights := w.Row(i)
		for _, weight := range weights {
			sum += square(weight)
		}
	}
	return sum / float64(w.Nodes())
}

// spread is ln(n / n_W(γ)) with a round in every H-th step.
func (s *shape) spread(every int, gamma float64) float64 {
	key := pace{every, gamma}
	if known, ok := s.spreads[key]; ok {
		return known
	}
	variance := 0.0
	if s.moduli != nil {
		variance = s.normalVariance(every, gamma)
	} else {
		variance = consensus.Variance(s.rounds, every, gamma)
	}
	if s.spreads == nil {
		s.spreads = map[pace]float64{}
	}
	s.spreads[key] = math.Log(float64(s.nodes) * variance * (1 - gamma))
	return s.spreads[key]
}

// normalVariance is the mean variance of x ← W_t(√γ x + noise) by eigenvalues: on a mode of modulus λ it is
// λ²(1 − γᴴ)/(1 − γ)/(1 − λ²γᴴ) after a round, and grows by γ and 1 in every other step.
func (s *shape) normalVariance(every int, gamma float64) float64 {
	full := 1 / (1 - gamma)
	mode := func(modulus float64) float64 {
		kept, squared := math.Pow(gamma, float64(every)), modulus*modulus
		v := squared * full * (1 - kept) / (1 - squared*kept)
		sum := 0.0
		for range every {
			sum += v
			v = gamma*v + 1
		}
		return sum / float64(every)
	}
	total := mode(1)
	for _, modulus := range s.moduli {
		total += mode(modulus)
	}
	return total / float64(s.nodes)
}
