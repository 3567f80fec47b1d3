// Package mixing knows mixing matrices: sparse doubly stochastic W, the rules that
// put weights on a graph, the families that people compare with, and what one
// averaging step x ← Wx does.
//
// Convention: W[i][j] is what node i gives to the value it receives from node j. Rows and
// columns sum to 1; J = 11ᵀ/n is the matrix that averages exactly, and
// r_asym(W) = ‖W − J‖₂ is the factor by which the consensus error shrinks per round.
package mixing
