// Package matrix is the linear algebra that methods for weights share: dense matrices in tiles, Newton's system, how
// far a step may go, and small Hermitian blocks of lifts.
package matrix

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// Tile is the edge of the squares that large matrices are worked on. Three of
// them fit into a first-level cache, and gonum multiplies squares of this size without starting
// goroutines, which would allocate.
const Tile = 64

// Square returns a zero n × n matrix.
func Square(n int) blas64.General { return Reshape(nil, n) }

// Reshape returns an n × n matrix in the given memory, or in new memory where that is too small. Its rows do not
// all fall on the same cache sets.
func Reshape(data []float64, n int) blas64.General {
	stride := n
	if n >= Tile && n%32 == 0 {
		stride += 8
	}
	Resize(&data, n*stride)
	return blas64.General{Rows: n, Cols: n, Stride: stride, Data: data}
}

// Part returns a view of rows × cols entries from (i, j) on.
func Part(a blas64.General, i, j, rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: a.Stride,
		Data: a.Data[i*a.Stride+j : (i+rows-1)*a.Stride+j+cols]}
}

func upper(a blas64.General) blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: a.Rows, Stride: a.Stride, Data: a.Data}
}

// Symmetric is the matrix whose upper triangle a holds.
func Symmetric(a blas64.General) blas64.Symmetric {
	return blas64.Symmetric{Uplo: blas.Upper, N: a.Rows, Stride: a.Stride, Data: a.Data}
}

// Cholesky overwrites the upper triangle of a with R, a = RᵀR, and reports
// whether a is positive definite. The lower triangle is not touched.
func Cholesky(a blas64.General) bool {
	n := a.Rows
	for j := 0; j < n; j += Tile {
		width := min(Tile, n-j)
		diagonal := Part(a, j, j, width, width)
		if _, ok := lapack64.Potrf(Symmetric(diagonal)); !ok {
			return false
		}
		for c := j + width; c < n; c += Tile {
			blas64.Trsm(blas.Left, blas.Trans, 1, upper(diagonal), Part(a, j, c, width, min(Tile, n-c)))
		}
		for r := j + width; r < n; r += Tile {
			rows := min(Tile, n-r)
			left := Part(a, j, r, width, rows)
			blas64.Syrk(blas.Trans, -1, left, 1, Symmetric(Part(a, r, r, rows, rows)))
			for c := r + rows; c < n; c += Tile {
				cols := min(Tile, n-c)
				blas64.Gemm(blas.Trans, blas.NoTrans, -1, left, Part(a, j, c, width, cols), 1, Part(a, r, c, rows, cols))
			}
		}
	}
	return true
}

// InvertTriangle overwrites the upper triangle of r with its inverse.
func InvertTriangle(r blas64.General) {
	n := r.Rows
	for j := 0; j < n; j += Tile {
		width := min(Tile, n-j)
		diagonal := Part(r, j, j, width, width)
		// Column j of the inverse above the diagonal: −R₀⁻¹ R₀ⱼ Rⱼⱼ⁻¹, with R₀⁻¹ already in place.
		// Row i needs only rows i … j of the column as it was, so top to bottom is safe.
		for i := 0; i < j; i += Tile {
			target := Part(r, i, j, Tile, width)
			blas64.Trmm(blas.Left, blas.NoTrans, -1, upper(Part(r, i, i, Tile, Tile)), target)
			for k := i + Tile; k < j; k += Tile {
				blas64.Gemm(blas.NoTrans, blas.NoTrans, -1, Part(r, i, k, Tile, Tile), Part(r, k, j, Tile, width), 1, target)
			}
			blas64.Trsm(blas.Right, blas.NoTrans, 1, upper(diagonal), target)
		}
		lapack64.Trtri(upper(diagonal))
	}
}

// Gram writes R Rᵀ, R the upper triangle of r, to all of dst: the inverse of a
// matrix from the inverse of its Cholesky factor. Below the diagonal r must be zero.
func Gram(dst, r blas64.General) {
	n := r.Rows
	for i := 0; i < n; i += Tile {
		rows := min(Tile, n-i)
		blas64.Syrk(blas.NoTrans, 1, Part(r, i, i, rows, n-i), 0, Symmetric(Part(dst, i, i, rows, rows)))
		for j := i + rows; j < n; j += Tile {
			cols := min(Tile, n-j)
			blas64.Gemm(blas.NoTrans, blas.Trans, 1, Part(r, i, j, rows, n-j), Part(r, j, j, cols, n-j), 0,
				Part(dst, i, j, rows, cols))
		}
	}
	Mirror(dst)
}

// Product writes a·b to dst, square by square.
func Product(dst, a, b blas64.General) {
	n := dst.Rows
	for i := 0; i < n; i += Tile {
		rows := min(Tile, n-i)
		for j := 0; j < n; j += Tile {
			cols := min(Tile, n-j)
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, Part(a, i, 0, rows, n), Part(b, 0, j, n, cols), 0,
				Part(dst, i, j, rows, cols))
		}
	}
}

// Mirror copies the upper triangle to the lower one.
func Mirror(a blas64.General) {
	for i := range a.Rows {
		for j := i + 1; j < a.Cols; j++ {
			a.Data[j*a.Stride+i] = a.Data[i*a.Stride+j]
		}
	}
}

// Row returns row i of a.
func Row(a blas64.General, i int) []float64 { return a.Data[i*a.Stride : i*a.Stride+a.Cols] }

// Resize sets the length of a slice that is about to be overwritten.
func Resize[T any](s *[]T, n int) {
	if cap(*s) < n {
		*s = make([]T, n)
	}
	*s = (*s)[:n]
}

// CopyUpper copies the upper triangle.
func CopyUpper(dst, src blas64.General) {
	for i := range src.Rows {
		copy(Row(dst, i)[i:], Row(src, i)[i:])
	}
}
