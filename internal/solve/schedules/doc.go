// Package schedules looks for sequences of rounds that average in little time on hardware of unequal speed, and proves
// how little any sequence can take.
//
// Three forms are searched. In a gossip schedule every round is a doubly stochastic W, so that the mean of all nodes
// is kept after every round, which training needs. A whole-message schedule is exact too, but nodes may collect sums
// and hand them back, so only the end is an average; in parts, the message is cut up and pieces follow each other, each
// over its own tree. Rounds last as long as their slowest transfer, so who takes part in which round decides.
package schedules
