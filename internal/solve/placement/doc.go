// Package placement decides which node plays which part of a known topology: a ring through eight servers is fast
// where neighbours share a server, and slow or impossible where they do not. Known topologies are compared fairly only
// in a good order.
package placement
