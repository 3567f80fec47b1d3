package admm

import (
	"errors"
	"math"
)

// errEigen is what LAPACK's failure to converge means here.
var errEigen = errors.New("admm: eigenvalues did not converge; the iterates are no longer finite")

// clampNonnegative projects on {v ≥ 0}.
func clampNonnegative(v []float64) {
	for k, x := range v {
		v[k] = max(x, 0)
	}
}

// keepLargest projects on the cardinality constraint: the r largest entries stay (or
// become 1 if binary), the others become 0. Of equal entries the first ones stay.
func (it *iteration) keepLargest(v []float64, binary bool) {
	least, ties := math.Inf(-1), it.p.budget
	if ties < len(v) {
		copy(it.largest, v)
		least = rankLargest(it.largest, ties)
		for _, x := range v {
			if x > least {
				ties--
			}
		}
	}
	for k, x := range v {
		switch {
		case x > least:
		case x == least && ties > 0:
			ties--
		default:
			v[k] = 0
			continue
		}
		if binary {
			v[k] = 1
		}
	}
}

// rankLargest returns the r-th largest entry (r ≥ 1) by Hoare's selection; it reorders v.
func rankLargest(v []float64, r int) float64 {
	lo, hi, want := 0, len(v)-1, r-1
	for lo < hi {
		pivot := v[(lo+hi)/2]
		i, j := lo, hi
		for i <= j {
			for v[i] > pivot {
				i++
			}
			for v[j] < pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case want <= j:
			hi = j
		case want >= i:
			lo = i
		default:
			return v[want]
		}
	}
	return v[want]
}

// projectCone projects sign·v on the positive semidefinite matrices, (25): v is the upper
// triangle of S with sign −1, of T with sign 1.
func (it *iteration) projectCone(v []float64, sign float64) error {
	raw := it.matrix.RawSymmetric()
	k := 0
	for i := range raw.N {
		row := raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N]
		for j := range row {
			row[j] = sign * v[k]
			k++
		}
	}
	if !it.eigen.ProjectPSD(it.matrix, it.matrix) {
		return errEigen
	}
	k = 0
	for i := range raw.N {
		for _, x := range raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N] {
			v[k] = sign * x
			k++
		}
	}
	return nil
}
