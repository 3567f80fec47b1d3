// Package feasible answers which graphs fit on the hardware. There are two questions.
//
// How many edges does the hardware carry, and how fast is each? [Hardware.Allocate] returns the capacities of all
// resources for a number of edges, [Hardware.Budgets] the numbers worth solving for, and [Hardware.Algorithm1] the
// paper's allocation. [Hardware.Carries] counts the edges of the largest connected graph within capacities: it
// searches (packing) and proves (prices).
//
// Which edges does a score prefer? [New] decides whether any connected choice keeps the rules of a [design.Space]: the
// edge budget and the limits M z ≤ e or M z = e. [Rounder.Round] looks for the choice with the largest total score:
//
//   - No limits: connected choices of r edges are the bases of a matroid, so the greedy
//     choice is optimal.
//   - Every edge uses two limits (node degrees, switch ports): greedy, completed along
//     alternating paths, as in matching theory.
//   - Anything else: greedy, completed by a tabu search on the limits.
//
// Then exchanges of up to two edges against two connect the graph and raise the score;
// they never break a limit.
//
// Both questions have the same three answers: a graph; [ErrInfeasible] with a proof, which can be checked by hand where
// it is short; and [ErrUndecided], where nothing was found and nothing was proved.
package feasible
