// Package cluster knows the hardware under a topology: which shared resources
// (network cards, PCIe switches, switch ports, uplinks) an edge between two nodes
// passes, how fast they are, how many edges they should carry (Algorithm 1 of the BA-Topo
// paper), and how long one averaging round therefore takes.
//
// Every bandwidth model is data: a list of resources and the route that each pair
// takes over them. Bandwidths are gigabytes (10⁹ bytes) per second and full duplex, messages are
// megabytes (10⁶ bytes), times are milliseconds.
package cluster
