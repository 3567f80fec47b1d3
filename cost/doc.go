// Package cost is the clock: it computes the time of a transfer, a round, a collective, an iteration of decentralised
// training and an epoch. Nothing else does, except package verify, which checks it.
//
// A transfer takes its latency, what its message and those beside it cost each, and its bytes over the busiest resource
// on its way, which all that are in flight share ([cluster.Load]). A round is over with its last transfer ([Gossip]), a
// collective with its last step ([Of]). What none can beat is [LowerBound].
//
// An iteration is the gradient, the exchange with others, and waiting for those who are late. Nodes do not share a
// clock. A node begins its next gradient when its own exchanges are over, and an exchange with a peer begins when both
// are ready for it. So the times at which nodes begin their iterations follow a recursion of maxima and sums
// (max-plus):
//
//	ready_i = begin_i + compute_i
//	begin_i = max over its peers j of max(ready_i, ready_j) + time of the pair i, j
//
// The time of a pair is that of its slower direction, with every resource on its way divided among all transfers of the
// round: who is done early leaves nothing to the others, and rounds that overlap because some nodes are ahead do not
// slow each other. The first is cautious. Against the second a period takes no less than what its busiest resource
// needs for all that it carries in it.
//
// In a collective everybody is everybody's peer and all steps count; so are members of groups and of the groups that
// they exchange with, on two levels. The recursion is simulated, with compute times drawn anew in every iteration where
// they vary.
//
// With a delay the round runs beside gradients, one where it overlaps with the gradient. DistributedDataParallel, the
// rival, overlaps too: it averages gradients in buckets, each as soon as all nodes have computed that part of the
// backward pass.
package cost
