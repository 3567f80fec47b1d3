// Package replan decides whether a plan that runs should change after bandwidths have, and finds a better one of its
// kind.
//
// A change costs connections and, in training, a disturbance, and the next measurement may say something else. So the
// answer is to keep the plan unless the predicted gain is worth it ([Settings]). A schedule is placed and searched
// again, all-reduces are made again, and what the running plan's clocks say stays ([alternatives]).
//
// A static graph changes a little: edges leave the resources that hold the round up, others are added where there is
// room, a few pairs of edges are exchanged, and only that many may change. Then the edges get new weights. Round times
// are tried one below the other, from what the plan takes now: at each of them every resource may carry that many
// edges, and the edges of the plan are thinned out until that holds. Candidates are compared by the spread of the
// eigenvalues of their Laplacian, which takes one eigenvalue problem, and the best few get optimal weights.
package replan
