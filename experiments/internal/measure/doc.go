// Package measure says what a topology does on a cluster, in the terms of the BA-Topo
// paper: its edges, degree and slowest edge, r_asym, and the time to consensus error 10⁻⁴,
// computed from the spectrum and simulated from random starts.
package measure
