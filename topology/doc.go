// Package topology knows simple undirected graphs on the nodes 0 … n−1: how to
// build the well-known families, how to describe symmetric graphs by a few arcs
// ([Lift]), and how to read and write the usual file formats.
//
// A [Graph] says which nodes may talk. How much they listen to each other is the
// business of package mixing.
package topology
