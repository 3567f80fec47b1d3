// Package design holds the nouns that solvers, checker and surfaces share: the
// question ([Problem], [Space]), the answer ([Plan]) and the reason for stopping
// ([Stop]). No algorithm lives here.
package design
