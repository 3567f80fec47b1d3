// Package batopo designs averaging topologies for decentralised training: which peers each
// machine averages its model with, and with what weights, so that agreement is fastest
// on the bandwidth a cluster really has.
//
// Describe the machines with [Equal], [ReadCluster] or [NewCluster], ask [Advise] what to run, and
// take the weights from [Plan.Schedule], or from [Plan.Rank] whom a rank sends to and receives from, in order.
// [Optimize] and [Weights] answer smaller questions, and [Check] recomputes what a plan claims.
//
// The nouns are in topology (graphs), mixing (matrices W), cluster (hardware) and design (problems and plans).
// Package verify rechecks what plans claim, format reads and writes the files of other programs. Solvers and the clock
// are internal; [Price] says how long an iteration takes. ARCHITECTURE.md shows how they fit together.
package batopo
