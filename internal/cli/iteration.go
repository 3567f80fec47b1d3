package cli

import "github.com/spf13/cobra"

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
