// Package advise answers what to run on a cluster to train fastest: all-reduce as DistributedDataParallel does it,
// averages of all parameters, a schedule of few peers, or a static graph; in every step or in every H-th, before the
// gradient or overlapped with it.
//
// Time to a target is time per iteration times iterations. The time per iteration is computed: package cost
// simulates it on the cluster's resources. How many iterations a process needs relative to exact averaging is not known
// beforehand. It is taken from a convergence model that was fitted to training runs (law.json, see
// experiments/training/log.md). The convergence model is weak, so every prediction carries its error, the choice is
// made on the bad side of it, and what the error does not distinguish is called a tie. Settings outside of what was run
// are marked.
package advise
