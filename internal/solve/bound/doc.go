// Package bound proves how good a topology can possibly be: lower limits on r_asym that hold for every
// graph within an edge budget or within limits on degrees, and for every choice of weights on it. No
// optimisation over graphs is involved; a bound for thousands of nodes takes milliseconds.
//
// Most arguments play the spectrum against the graph by a trace. If all eigenvalues but the one of the constant vector
// lie in [−ρ, ρ], a polynomial that is small there has a small trace; if W has few entries, the rows sum to 1 only when
// the entries, and with them the trace, are large. [Limits.Best] tries
//
//   - "complete", "tree", "ring": cases whose optimum is known;
//   - "cut": a set of nodes that few edges can leave;
//   - "gateway": the few nodes that all between two such sets has to pass, sets being groups that hardware holds apart;
//   - "ball": one node with few others within k steps (Chebyshev polynomial of degree k);
//   - "two-step": W² row by row over all degree sequences, for any weights;
//   - "walk": closed walks of length 3 and 4 over all degree sequences, for weights that are not negative;
//
// and returns the largest. docs/research/bounds.md has the proofs and says how to recheck each
// one; package verify does so without this package.
package bound
