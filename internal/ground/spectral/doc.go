// Package spectral knows eigenvalues: of dense symmetric matrices in a reusable
// workspace, of matrices with cyclic symmetry by small blocks, and of large sparse
// operators by Lanczos with an error bound.
//
// Nothing here allocates once its workspace exists; one workspace serves one goroutine.
package spectral
