// Package batopo designs averaging topologies for decentralised training: which peers each
// machine averages its model with, and with what weights, so that agreement is fastest
// on the bandwidth a cluster really has.
//
// The nouns are in topology (graphs), mixing (matrices W), cluster (hardware) and design
// (problems and plans); the solvers in weights, admm, search and planner; package verify rechecks
// their claims. ARCHITECTURE.md shows how they fit together.
package batopo
