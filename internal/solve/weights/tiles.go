package weights

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// tile is the edge of the squares that large matrices are worked on. Three of
// them fit into a first-level cache, and gonum multiplies squares of this size without starting
// goroutines, which would allocate.
const tile = 64

// square returns a zero n × n matrix.
func square(n int) blas64.General { return reshape(nil, n) }

// reshape returns an n × n matrix in the given memory, or in new memory where that is too small. Its rows do not
// all fall on the same cache sets.
func reshape(data []float64, n int) blas64.General {
	stride := n
	if n >= tile && n%32 == 0 {
		stride += 8
	}
	resize(&data, n*stride)
	return blas64.General{Rows: n, Cols: n, Stride: stride, Data: data}
}

// part returns a view of rows × cols entries from (i, j) on.
func part(a blas64.General, i, j, rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: a.Stride,
		Data: a.Data[i*a.Stride+j : (i+rows-1)*a.Stride+j+cols]}
}

func upper(a blas64.General) blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: a.Rows, Stride: a.Stride, Data: a.Data}
}

func symmetric(a blas64.General) blas64.Symmetric {
	return blas64.Symmetric{Uplo: blas.Upper, N: a.Rows, Stride: a.Stride, Data: a.Data}
}

// cholesky overwrites the upper triangle of a with R, a = RᵀR, and reports
// whether a is positive definite. The lower triangle is not touched.
func cholesky(a blas64.General) bool {
	n := a.Rows
	for j := 0; j < n; j += tile {
		width := min(tile, n-j)
		diagonal := part(a, j, j, width, width)
		if _, ok := lapack64.Potrf(symmetric(diagonal)); !ok {
			return false
		}
		for c := j + width; c < n; c += tile {
			blas64.Trsm(blas.Left, blas.Trans, 1, upper(diagonal), part(a, j, c, width, min(tile, n-c)))
		}
		for r := j + width; r < n; r += tile {
			rows := min(tile, n-r)
			left := part(a, j, r, width, rows)
			blas64.Syrk(blas.Trans, -1, left, 1, symmetric(part(a, r, r, rows, rows)))
			for c := r + rows; c < n; c += tile {
				cols := min(tile, n-c)
				blas64.Gemm(blas.Trans, blas.NoTrans, -1, left, part(a, j, c, width, cols), 1, part(a, r, c, rows, cols))
			}
		}
	}
	return true
}

// invertTriangle overwrites the upper triangle of r with its inverse.
func invertTriangle(r blas64.General) {
	n := r.Rows
	for j := 0; j < n; j += tile {
		width := min(tile, n-j)
		diagonal := part(r, j, j, width, width)
		// Column j of the inverse above the diagonal: −R₀⁻¹ R₀ⱼ Rⱼⱼ⁻¹, with R₀⁻¹ already in place.
		// Row i needs only rows i … j of the column as it was, so top to bottom is safe.
		for i := 0; i < j; i += tile {
			target := part(r, i, j, tile, width)
			blas64.Trmm(blas.Left, blas.NoTrans, -1, upper(part(r, i, i, tile, tile)), target)
			for k := i + tile; k < j; k += tile {
				blas64.Gemm(blas.NoTrans, blas.NoTrans, -1, part(r, i, k, tile, tile), part(r, k, j, tile, width), 1, target)
			}
			blas64.Trsm(blas.Right, blas.NoTrans, 1, upper(diagonal), target)
		}
		lapack64.Trtri(upper(diagonal))
	}
}

// gram writes R Rᵀ, R the upper triangle of r, to all of dst: the inverse of a
// matrix from the inverse of its Cholesky factor. Below the diagonal r must be zero.
func gram(dst, r blas64.General) {
	n := r.Rows
	for i := 0; i < n; i += tile {
		rows := min(tile, n-i)
		blas64.Syrk(blas.NoTrans, 1, part(r, i, i, rows, n-i), 0, symmetric(part(dst, i, i, rows, rows)))
		for j := i + rows; j < n; j += tile {
			cols := min(tile, n-j)
			blas64.Gemm(blas.NoTrans, blas.Trans, 1, part(r, i, j, rows, n-j), part(r, j, j, cols, n-j), 0,
				part(dst, i, j, rows, cols))
		}
	}
	mirror(dst)
}

// product writes a·b to dst, square by square.
func product(dst, a, b blas64.General) {
	n := dst.Rows
	for i := 0; i < n; i += tile {
		rows := min(tile, n-i)
		for j := 0; j < n; j += tile {
			cols := min(tile, n-j)
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, part(a, i, 0, rows, n), part(b, 0, j, n, cols), 0,
				part(dst, i, j, rows, cols))
		}
	}
}

// mirror copies the upper triangle to the lower one.
func mirror(a blas64.General) {
	for i := range a.Rows {
		for j := i + 1; j < a.Cols; j++ {
			a.Data[j*a.Stride+i] = a.Data[i*a.Stride+j]
		}
	}
}

// row returns row i of a.
func row(a blas64.General, i int) []float64 { return a.Data[i*a.Stride : i*a.Stride+a.Cols] }
