package weights

import (
	"errors"
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
)

// Settings say which weights are allowed and when to stop. The zero value asks for
// the best nonnegative weights to full accuracy.
type Settings struct {
	Sign          design.Sign // which weights are allowed; "" means NonNegative
	MinEigenvalue *float64    // W ⪰ μI, −1 ≤ μ < 1; nil means no limit, and r_asym is minimised instead of λ₂

	Tolerance     float64 // wanted distance between the value and its proved bound; 0 means design.WeightsAccuracy
	MaxIterations int     // 0 means 100
	// Cutoff ends the solve once a proof shows that no weights reach this value;
	// 0 means never. A search can so leave hopeless graphs after a few iterations.
	Cutoff float64
	// NoCertificate leaves Result.Certificate nil. Result.Bound is then the solver's own dual value.
	NoCertificate bool

	// Progress, if not nil, is called once per iteration on the solving goroutine; it must not block.
	// Best is the value reached, Bound what is proved, Dual their distance.
	Progress func(design.Progress)
}

func (s Settings) withDefaults() Settings {
	if s.Sign == "" {
		s.Sign = design.NonNegative
	}
	if s.Tolerance == 0 {
		s.Tolerance = design.WeightsAccuracy
	}
	if s.MaxIterations == 0 {
		s.MaxIterations = 100
	}
	return s
}

func (s Settings) validate() error {
	var errs []error
	if err := s.Sign.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("weights: %w", err))
	}
	if m := s.MinEigenvalue; m != nil && !(*m >= -1 && *m < 1) {
		errs = append(errs, fmt.Errorf("weights: the smallest eigenvalue allowed is %v; it must be at least −1 and below 1",
			*m))
	}
	if !(s.Tolerance > 0) || math.IsInf(s.Tolerance, 0) {
		errs = append(errs, fmt.Errorf("weights: tolerance is %v; it must be a positive number", s.Tolerance))
	}
	if s.MaxIterations < 0 {
		errs = append(errs, fmt.Errorf("weights: at most %d iterations; give a positive number, or 0 for the default",
			s.MaxIterations))
	}
	if math.IsNaN(s.Cutoff) {
		errs = append(errs, errors.New("weights: the cutoff is not a number"))
	}
	return errors.Join(errs...)
}
