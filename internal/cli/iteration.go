package cli

import (
	"fmt"
	"slices"

	"github.com/batopo/batopo/planner"

	"github.com/spf13/cobra"
)

// bindIteration adds what only optimize asks of the methods admm and paper.
func (s *searchFlags) bindIteration(c *cobra.Command) {
	if c.Name() != "optimize" {
		return
	}
	i, f := &s.settings.Iteration, c.Flags()
	f.Float64Var(&i.Growth, "growth", 0,
		"admm and paper: factor on the penalty after every step (default: admm 1.001, paper 1)")
	f.Float64Var(&i.Share, "share", 0,
		"admm and paper: part of the first weights on the annealed graph, the rest is random "+
			"(default: admm ½ and 0 in turns, paper 1)")
	f.Float64Var(&i.Alpha, "alpha", 0, "admm and paper: α of the paper's lemma (default 1)")
	f.Float64Var(&i.Epsilon, "epsilon", 0,
		"admm and paper: ε, where to stop (default 1e-6; paper: of ‖X − Y‖², as printed; admm: of both relative residuals)")
	f.IntVar(&i.Steps, "steps", 0, "admm and paper: the most steps of a run (default: admm 2000, paper 5000)")
	f.BoolVar(&i.Exact, "exact", false, "admm: use the resources up, M z = e, instead of staying within them, M z ≤ e")
	f.BoolVar(&i.SparseWeights, "sparse-weights", false,
		"admm: keep at most R weights also where resources limit the edges, as (28) has it")
	f.BoolVar(&i.PrintedStep, "printed-step", false, "admm: solve the linear system by Bi-CGSTAB with ILU, as paper does")
	f.BoolVar(&i.ClosedForm, "closed-form", false,
		"paper: solve the linear system by formulas, as admm does: the same iterates up to rounding")
}

// othersFlag complains about a flag that only the methods admm and paper look at where another one is asked for.
func (s *searchFlags) othersFlag() error {
	iterates := []planner.Method{planner.ADMM, planner.Paper}
	if s.given == nil || slices.Contains(iterates, s.settings.Method) ||
		!slices.Contains(planner.Methods, s.settings.Method) {
		return nil // a method that is not known is the planner's to refuse
	}
	for _, name := range []string{"rho", "starts", "growth", "share", "alpha", "epsilon", "steps", "exact",
		"sparse-weights", "printed-step", "closed-form"} {
		if s.given.Changed(name) {
			return fmt.Errorf("--%s is for the methods admm and paper; with --method %s it changes nothing", name,
				s.settings.Method)
		}
	}
	return nil
}
