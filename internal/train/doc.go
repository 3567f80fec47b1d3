// Package train is decentralised stochastic gradient descent: every node has a model and data of its own, takes a
// gradient step, and averages its model with its neighbours'. All nodes of a run live in one process; time is what
// a cluster would need.
//
// With gradient g (weight decay included), rate η, momentum β and the matrix W of the round:
//
//	adapt then combine (atc)   x ← W(x − ηd)
//	combine then adapt (cta)   x ← Wx − ηd, the gradient being taken at the x before
//	local momentum             d = v ← βv + g
//	quasi-global momentum      d = βu + g, and after the step u ← βu + (1 − β)(x_old − x_new)/η
//	mixed momentum             as local; v is averaged like x: v ← Wv after the step (atc), v ← βWv + g (cta)
//
// Nodes average in every H-th step; in the others W is the identity. A schedule goes on by one round each time.
// Without a schedule all nodes get the exact mean.
//
// Nodes run in parallel, and sums over them are taken in their order: the number of workers changes no bit of a result.
package train
