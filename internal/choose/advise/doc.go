// Package advise answers what to run on a cluster to train fastest: all-reduce as DistributedDataParallel does it, an
// exact average of models, a schedule of few peers, or a static graph; in every step or in every H-th, before or beside
// the gradient.
//
// Time to a target is time per iteration times iterations. The time per iteration is computed: package cost
// simulates it on the cluster's resources. How many iterations a process needs relative to exact averaging is not known
// beforehand. It is taken from a law that was fitted to training runs (law.json, see docs/research/training-log.md).
// The law is weak, so every prediction carries its error, the choice is made on the bad side of it, and what the error
// does not tell apart is called a tie. A setting outside of what the runs were is said to be so.
package advise
