package weights

import (
	"math"

	"github.com/batopo/batopo/design"
)

// factorColumns returns columns f with Σ ff* ⪯ Y, where at gives the entries of the n × n positive semidefinite
// Y, by Cholesky factorisation with the largest remaining diagonal entry as pivot. It stops as soon
// as the trace of what is left is at most drop. Multipliers have few eigenvalues of any
// size, so there are few columns.
func factorColumns(block, n int, drop float64, at func(i, j int) complex128) []design.Column {
	left := make([]float64, n)
	for i := range left {
		left[i] = real(at(i, i))
	}
	var columns []design.Column
	for len(columns) < n {
		pivot, trace := 0, 0.0
		for i, v := range left {
			trace += max(0, v)
			if v > left[pivot] {
				pivot = i
			}
		}
		if trace <= drop || !(left[pivot] > 0) {
			break
		}
		column := design.Column{Block: block, Re: make([]float64, n), Im: make([]float64, n)}
		scale := 1 / math.Sqrt(left[pivot])
		for i := range n {
			v := at(i, pivot)
			re, im := real(v), imag(v)
			for _, f := range columns {
				re -= f.Re[i]*f.Re[pivot] + f.Im[i]*f.Im[pivot]
				im -= f.Im[i]*f.Re[pivot] - f.Re[i]*f.Im[pivot]
			}
			column.Re[i], column.Im[i] = scale*re, scale*im
			left[i] -= column.Re[i]*column.Re[i] + column.Im[i]*column.Im[i]
		}
		left[pivot] = 0
		columns = append(columns, column)
	}
	return columns
}

// places is the number of decimals kept in a certificate. Its columns have length
// at most 1, so that rounding moves the bound by far less than the solver's tolerance, and the file
// is half as long.
const places = 1e11

// tidy rounds the columns and drops imaginary parts that are all zero.
func tidy(columns []design.Column) {
	for c := range columns {
		f := &columns[c]
		imaginary := false
		for i := range f.Re {
			f.Re[i] = math.Round(f.Re[i]*places) / places
			f.Im[i] = math.Round(f.Im[i]*places) / places
			imaginary = imaginary || f.Im[i] != 0
		}
		if !imaginary {
			f.Im = nil
		}
	}
}
