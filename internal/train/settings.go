package train

import (
	"cmp"
	"fmt"
	"math"
	"runtime"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/limits"
)

// A Momentum says what becomes of past gradients; the package comment has the formulas.
type Momentum string

// The kinds of momentum. Mixed sends two messages in place of one.
const (
	Local       Momentum = "local"
	QuasiGlobal Momentum = "quasi-global"
	Mixed       Momentum = "mixed"
)

// Settings of a run. Zero values mean the documented default.
type Settings struct {
	Order       design.Order `json:"order"`        // "" means adapt then combine
	Every       int          `json:"every"`        // H: nodes average in every H-th step; 0 means 1
	Overlap     bool         `json:"overlap"`      // a round runs while the gradient is computed; combine then adapt only
	Momentum    Momentum     `json:"momentum"`     // "" means Local
	Beta        float64      `json:"beta"`         // momentum β; 0 means none
	Rate        float64      `json:"rate"`         // learning rate η; it must be given
	WeightDecay float64      `json:"weight_decay"` // this times x is added to the gradient
	Workers     int          `json:"-"`            // 0 means one per processor
}

// WithDefaults returns the settings with every default filled in.
func (s Settings) WithDefaults() Settings {
	s.Momentum = cmp.Or(s.Momentum, Local)
	s.Order = cmp.Or(s.Order, design.AdaptThenCombine)
	s.Every = cmp.Or(s.Every, 1)
	s.Workers = cmp.Or(s.Workers, runtime.GOMAXPROCS(0))
	return s
}

// Validate complains about values out of range.
func (s Settings) Validate() error {
	s = s.WithDefaults()
	switch {
	case !(s.Rate > 0) || math.IsInf(s.Rate, 0):
		return fmt.Errorf("train: rate is %v; the learning rate must be a positive number", s.Rate)
	case !(s.Beta >= 0 && s.Beta < 1):
		return fmt.Errorf("train: beta is %v; the factor of the momentum must be at least 0 and below 1", s.Beta)
	case !(s.WeightDecay >= 0) || math.IsInf(s.WeightDecay, 0):
		return fmt.Errorf("train: weight_decay is %v; it must be a finite number that is not negative", s.WeightDecay)
	case s.Momentum != Local && s.Momentum != QuasiGlobal && s.Momentum != Mixed:
		return fmt.Errorf("train: momentum is %q; it must be %q, %q or %q", s.Momentum, Local, QuasiGlobal, Mixed)
	case s.Order != design.AdaptThenCombine && s.Order != design.CombineThenAdapt:
		return fmt.Errorf("train: order is %q; it must be %q or %q",
			s.Order, design.AdaptThenCombine, design.CombineThenAdapt)
	case s.Every < 1 || s.Every > limits.Every:
		return fmt.Errorf("train: nodes average every %d steps; it must be every 1 to %d", s.Every, limits.Every)
	case s.Overlap && s.Order != design.CombineThenAdapt:
		return fmt.Errorf("train: a round can overlap with the gradient only in order %q: in order %q it needs the step",
			design.CombineThenAdapt, s.Order)
	case s.Workers < 1 || s.Workers > limits.Workers:
		return fmt.Errorf("train: %d workers; there must be 1 to %d", s.Workers, limits.Workers)
	}
	return nil
}
