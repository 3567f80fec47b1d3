// Package search looks for graphs that mix fast: within an edge budget, degree limits or limits on
// shared resources it minimises r_asym under optimal weights, or λ₂ under W ⪰ μI.
//
// Three ideas carry it.
//
//   - Symmetry. A graph on n = k·m nodes on which Z_m acts with k orbits is described by a
//     few arcs ([topology.Lift]); its spectrum and its weights split into small blocks. The best graphs
//     known are nearly all of this kind, and there are far fewer of them to look at. Orbits of size 1 are no
//     symmetry at all: the same code then swaps single edges.
//   - Resolvents. Moving an arc changes each block by a matrix of rank one. The inverses of the blocks
//     at both ends of an interval around the spectrum therefore say, in O(1) per block and exactly, whether a move
//     pushes an eigenvalue out of that interval, and how it changes the barrier −Σ log det, a
//     smooth function of all eigenvalues that stands in for the extreme one. A candidate costs a microsecond where an
//     eigenvalue decomposition costs a millisecond. The derivative of the barrier along an
//     edge {i, j} is Σ ±(v_i − v_j)²/(distance to the end) over all eigenvectors v: moves are guided by all
//     eigenvectors at once, the extreme ones most.
//   - Exact weights. The barrier screens; package weights finds the weights of what passes, with a cutoff
//     that refuses a candidate as soon as its dual bound does.
//
// [Run] is the whole search: a [Portfolio] of symmetries and seeds in rounds of independent tasks, each round going on
// from the best candidates of the one before, and where there is little symmetry the iteration of package admm polishes
// them. Numbers of nodes without symmetry, such as primes, start from graphs on a node more or less. [Exhaust] settles
// problems of up to eight equal nodes by looking at every graph.
//
// All is counted in evaluations, never in seconds: the same problem, seed and number of evaluations give
// the same graph on one machine, with any number of workers. Memory is O(k·n) for k orbits, at most 64
// of them for large n.
package search
