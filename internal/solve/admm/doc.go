// Package admm chooses a topology and its weights by the alternating direction method of
// multipliers of Shen, Zhu, Huang, Yan, Zhuo and Xu, "Bandwidth-Aware Network Topology
// Optimization for Decentralized Learning" (the BA-Topo paper); numbers in parentheses
// are that paper's equations, counted in order.
//
// # The problem
//
// With W = I − L(g) and L(g) = A Diag(g) Aᵀ, the asymptotic convergence factor is smallest
// where λ̃ = 1 − r_asym is largest (9):
//
//	max λ̃   s.t.  L + α11ᵀ/n ⪰ λ̃ I,  L ⪯ (2 − λ̃) I,  diag(L) ≤ 1,  g ≥ 0,  Card(g) ≤ r
//
// (α = 1 satisfies the paper's lemma, because λ̃ ≤ 1 always). With limits on shared
// resources, (10), binary z selects the edges: g ≤ z and M z = e, or M z ≤ e, which the
// paper does not have and which gets a slack w = e − M z ≥ 0 here.
//
// # The iteration
//
// The inequalities are moved to copies (20), (28): X = [x; S; y; T; z; ν; w] obeys the linear equations,
// Y = [x₁; S₁; y₁; T₁; z₁; ν₁; w₁] the inequalities, D holds the multipliers of X = Y. One step (22):
//
//	Y ← Proj(X + D/ρ)                     (24), (25), (30)   block by block
//	X ← Proj(Y − (D + C)/ρ)               (27), (31)         on the linear equations
//	D ← D + ρ (X − Y)                     (22), (33)
//
// The projection of X is solved as printed (sparse saddle-point system, ILU, Bi-CGSTAB)
// by [Printed], or by the formulas of closedform.go by [ClosedForm]; both give the same
// iterates.
//
// # Two variants
//
// With Settings.Literal a run is Algorithm 2 as printed, see literal.go. Otherwise it is improved:
//
// The problem is not convex: the result depends on the start and on ρ. [Solve] runs several
// starts; each begins with a graph annealed for a short average path, lets ρ grow slowly
// from a small value (a small ρ moves edges about, a large one freezes them), rounds every few
// iterations with package rounding so that a plan exists at any time, and then continues the
// same iteration on the best frozen supports, where it is convex, for the weights.
package admm
