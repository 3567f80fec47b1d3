// Package rounding turns scores on candidate edges into a choice of edges that
// keeps every rule of a [design.Space] exactly: the edge budget, the limits M z ≤ e
// or M z = e, and connectedness.
//
// A relaxation (ADMM, an eigenvector, a random draw) says how much it would like each
// edge. Taking the r largest breaks the limits; [Rounder.Round] looks for the
// feasible choice with the largest total score instead:
//
//   - No limits: connected choices of r edges are the bases of a matroid, so the greedy
//     choice is optimal.
//   - Every edge uses one limit of each of two groups (a transport problem), or one limit
//     in all: minimum-cost flow gives the best choice under the limits.
//   - Every edge uses two limits (node degrees, switch ports): greedy, completed along
//     alternating paths, as in matching theory.
//   - Anything else: greedy, completed by a tabu search on the limits.
//
// Then exchanges of up to two edges against two connect the graph and raise the score;
// they never break a limit.
//
// [New] decides first whether any choice exists. It returns [ErrInfeasible] with a reason that can be checked by hand
// where one is known (a resource that must carry more than it may, prices at which every spanning tree costs more than
// the limits are worth, degrees that violate Erdős–Gallai, limits that contradict each other), or says that every
// choice was tried. [ErrUndecided] is the honest third answer: nothing was found, nothing was proved.
package rounding
