package sparse

import (
	"fmt"
	"math"
)

// An ILU is an incomplete factorization m ≈ L U that keeps the places of m and no others.
// L has a unit diagonal that is not stored. It is immutable.
type ILU struct {
	factors  *CSC  // column j: U above and at the diagonal, L below
	diagonal []int // position of each diagonal entry
}

// NewILU factors a square matrix in its natural order. Every diagonal entry must be stored,
// if only as a zero, so that elimination can put a pivot there: in a saddle-point matrix
//
//	⎡ I  Aᵀ ⎤
//	⎣ A  0  ⎦
//
// with explicit zeros on the diagonal of the last block, eliminating the unknowns of the
// first block leaves the pivot −‖row i of A‖² at place i of the last one.
// A vanishing pivot is an error that names its column.
func NewILU(m *CSC) (*ILU, error) {
	if m.rows != m.cols {
		return nil, fmt.Errorf("sparse: ILU of a %d × %d matrix; it must be square", m.rows, m.cols)
	}
	f := &ILU{
		factors:  &CSC{rows: m.rows, cols: m.cols, start: m.start, row: m.row, value: append([]float64(nil), m.value...)},
		diagonal: make([]int, m.cols),
	}
	work := make([]float64, m.rows)
	column := make([]int, m.rows) // the last column in which a row is stored, plus 1
	for j := range m.cols {
		if err := f.eliminate(j, work, column); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// eliminate computes column j of the factors from those before it.
func (f *ILU) eliminate(j int, work []float64, column []int) error {
	c := f.factors
	lo, hi := c.start[j], c.start[j+1]
	f.diagonal[j] = -1
	for p := lo; p < hi; p++ {
		i := c.row[p]
		work[i], column[i] = c.value[p], j+1
		if i == j {
			f.diagonal[j] = p
		}
	}
	if f.diagonal[j] < 0 {
		return fmt.Errorf("sparse: ILU: diagonal entry %d is not stored; store it, zero if need be", j)
	}
	for p := lo; p < f.diagonal[j]; p++ { // rows k < j, ascending: work[k] is U[k][j] by then
		k := c.row[p]
		u := work[k]
		c.value[p] = u
		for q := f.diagonal[k] + 1; q < c.start[k+1]; q++ {
			if i := c.row[q]; column[i] == j+1 {
				work[i] -= c.value[q] * u
			}
		}
	}
	pivot := work[j]
	if pivot == 0 || math.IsNaN(pivot) {
		return fmt.Errorf("sparse: ILU: pivot %d is %v", j, pivot)
	}
	c.value[f.diagonal[j]] = pivot
	for p := f.diagonal[j] + 1; p < hi; p++ {
		c.value[p] = work[c.row[p]] / pivot
	}
	return nil
}

// Solve computes dst = U⁻¹ L⁻¹ b without allocating; dst may be b.
func (f *ILU) Solve(dst, b []float64) {
	c := f.factors
	if len(dst) != c.rows || len(b) != c.rows {
		panic("sparse: Solve needs vectors of one entry per row")
	}
	copy(dst, b)
	for j := range dst {
		x := dst[j]
		if x == 0 {
			continue
		}
		lo, hi := f.diagonal[j]+1, c.start[j+1]
		row, value := c.row[lo:hi], c.value[lo:hi]
		for k, i := range row {
			dst[i] -= value[k] * x
		}
	}
	for j := c.cols - 1; j >= 0; j-- {
		x := dst[j] / c.value[f.diagonal[j]]
		dst[j] = x
		if x == 0 {
			continue
		}
		lo, hi := c.start[j], f.diagonal[j]
		row, value := c.row[lo:hi], c.value[lo:hi]
		for k, i := range row {
			dst[i] -= value[k] * x
		}
	}
}
