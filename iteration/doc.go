// Package iteration predicts how long an iteration of decentralised training takes: the gradient, the exchange with
// others, and waiting for those who are late.
//
// Nodes do not share a clock. A node begins its next gradient when its own exchange is over, and an exchange with a
// peer begins when both are ready for it. So the times at which nodes begin their iterations follow a recursion of
// maxima and sums (max-plus):
//
//	ready_i = begin_i + compute_i
//	begin_i = max(ready_i, ready_j of all peers j) + time of the round
//
// In a collective everybody is everybody's peer. The recursion is simulated, with compute times drawn anew in every
// iteration where they vary. A round of gossip takes its slowest edge's time for all nodes that take part in it, and
// none for those that do not.
//
// With overlap the round runs beside the gradient. DistributedDataParallel, the rival, overlaps too: it averages
// gradients in buckets, each as soon as all nodes have computed that part of the backward pass.
package iteration
