// Package sparse knows just enough about sparse linear systems to solve the saddle-point
// systems of the BA-Topo paper as its authors describe: compressed sparse column storage,
// an incomplete LU factorization without fill, ILU(0), and the stabilized bi-conjugate
// gradient method, Bi-CGSTAB, preconditioned by it.
//
// Sources: T. A. Davis, Direct Methods for Sparse Linear Systems, SIAM 2006 (storage);
// J. A. Meijerink and H. A. van der Vorst, Mathematics of Computation 31 (1977) (incomplete
// factorization); H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) (Bi-CGSTAB).
package sparse
