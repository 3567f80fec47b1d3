// Package weights finds the best weights for a given graph and proves that they are.
//
// The mixing matrix is W = I − Σ gₖ aₖaₖᵀ, aₖ the incidence vector of edge k. The value
// to be made small is s = r_asym(W) = ‖W − J‖₂, J = 11ᵀ/n, which is the semidefinite program
//
//	minimise s   subject to   −sI ⪯ W − J ⪯ sI,   g ≥ 0,   Σ_{k at i} gₖ ≤ 1 at every node i
//
// (fastest mixing Markov chain, [design.NonNegative]; Boyd, Diaconis and Xiao 2004). Without the limits on g it is
// [design.Free] (Xiao and Boyd 2004, "Fast linear iterations for distributed averaging"). With a limit
// W ⪰ μI on the spectrum the lower half is replaced by it and s = λ₂(W).
//
// Three ways lead to a solution:
//
//   - [Solve]: a primal-dual interior-point method that never forms the constraint matrices: they have
//     rank one, so the Newton matrix consists of differences of table entries.
//   - [LiftSolver] and [SolveLift]: the same method on a cyclic lift, one variable per arc and small Hermitian blocks.
//     Only blocks near the boundary are carried along.
//   - for graphs too large for that, Solve scales simple weights to their best and proves nothing.
//
// The first two return a [design.Certificate]: a dual point in factored form, from which anybody can
// recompute a lower bound on the value by weak duality. docs/research/weights.md derives it.
package weights
