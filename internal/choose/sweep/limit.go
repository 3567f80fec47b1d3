package sweep

import (
	"fmt"

	"github.com/batopo/batopo/design"
)

// withoutIdleLimit answers a question for consensus whose limit μ on the spectrum is negative. Under a limit solvers
// minimise λ₂ and let λ_n fall to μ, however slowly that agrees. What is wanted is the least r_asym with λ_n ≥ μ, which
// is one of two simpler answers: that without the limit, if it keeps the limit anyway; otherwise every plan within the
// limit has λ₂ > −μ ≥ −λ_n, so its r_asym is λ₂.
func withoutIdleLimit(p design.Problem, answer func(design.Problem) (*design.Plan, error)) (*design.Plan, error) {
	if p.Purpose != design.Consensus || p.MinEigenvalue == nil || *p.MinEigenvalue >= 0 {
		return answer(p)
	}
	free := p
	free.MinEigenvalue = nil
	plan, err := answer(free)
	if err != nil || *plan.LambdaN < *p.MinEigenvalue {
		return answer(p)
	}
	plan.Notes = append(plan.Notes,
		fmt.Sprintf("the limit of %v on the smallest eigenvalue is kept without asking for it", *p.MinEigenvalue))
	return plan, nil
}
