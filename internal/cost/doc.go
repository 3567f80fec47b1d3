// Package cost is the clock: it computes the time of a transfer, a round, a collective, an iteration of decentralised
// training and an epoch. Nothing else does, except package verify, which checks it.
//
// A transfer takes its latency, what its message and those beside it cost each, and its bytes over the busiest resource
// on its way, which all that are in flight share ([cluster.Load]). A round is over with its last transfer ([Gossip]), a
// collective with its last step ([Of]).
//
// An iteration is the gradient, the exchange with others, and waiting for those who are late. Nodes do not share a
// clock. A node begins its next gradient when its own exchanges are over, and an exchange with a peer begins when both
// are ready for it. So the times at which nodes begin their iterations follow a recursion of maxima and sums
// (max-plus):
//
//	ready_i = begin_i + compute_i
//	begin_i = max over its peers j of max(ready_i, ready_j) + time of the pair i, j
//
// The time of a pair is the time of its slower direction, with every resource on its way divided among all transfers of
// the round. Bandwidth freed by an early finisher is not reused, so predictions err on the slow side. Rounds that
// overlap because some nodes are ahead do not slow each other, which errs on the fast side. Therefore a period takes at
// least the time that its busiest resource needs for everything it carries.
//
// In a collective all nodes are peers and all steps count. With hierarchical averaging the members of a group are
// peers, and so are the members of groups that exchange. The recursion is simulated. Where compute times vary, every
// iteration draws new ones.
//
// With a delay the round is overlapped with the gradients of that many steps. DistributedDataParallel overlaps too: it
// averages gradients in buckets, each as soon as all nodes have computed that part of the backward pass.
package cost
