// Package sweep puts the solvers to work: it prices every known topology on a
// cluster, runs the searches that apply to a problem on all cores, sweeps the budgets that a
// cluster's bandwidths make meaningful, and assembles plans with their bounds.
package sweep
