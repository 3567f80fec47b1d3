package feasible

import (
	"math"

	"github.com/batopo/batopo/design"
)

// IndependentLimits returns the positions of limits whose rows of M are linearly independent and span all of
// them, in order. In an Exact space only limits that must be filled are rows of M, and when a dependent one
// contradicts the others, the error wraps [ErrInfeasible]. It costs O(q³ + edges) for q limits.
func IndependentLimits(space design.Space) ([]int, error) {
	uses := make([][]int, len(space.Candidates))
	var limits []design.Limit
	var place []int
	for l, limit := range space.Limits {
		if space.Exact && !space.MustFill(limit) {
			continue
		}
		for _, k := range limit.Edges {
			uses[k] = append(uses[k], len(limits))
		}
		limits, place = append(limits, limit), append(place, l)
	}
	rows, err := independentRows(uses, limits)
	if !space.Exact {
		err = nil
	}
	for i, row := range rows {
		rows[i] = place[row]
	}
	return rows, err
}

// independentRows runs Cholesky's method on M Mᵀ row by row. A row whose pivot vanishes is a
// combination of those before it, and so must be its limit.
func independentRows(uses [][]int, limits []design.Limit) (rows []int, err error) {
	// Entries are integers up to the number of candidates; what rounding leaves of a
	// vanishing pivot is far below this share of the diagonal.
	const vanishing = 1e-9
	q := len(limits)
	if q == 0 {
		return nil, nil
	}
	g := gram(uses, q)
	factor := make([]float64, 0, q*q) // rows of the factor, one of length q per independent row
	for l, limit := range limits {
		row := make([]float64, q)
		for t, k := range rows {
			sum := g.At(l, k)
			for u := range t {
				sum -= row[u] * factor[t*q+u]
			}
			row[t] = sum / factor[t*q+t]
		}
		pivot := g.At(l, l)
		for _, v := range row {
			pivot -= v * v
		}
		if pivot > vanishing*g.At(l, l) {
			row[len(rows)] = math.Sqrt(pivot)
			factor = append(factor, row...)
			rows = append(rows, l)
			continue
		}
		if want := impliedLimit(factor, row, rows, limits); math.Abs(want-float64(limit.Max)) > 1e-6 && err == nil {
			err = infeasible("the limit of %s follows from the others and would have to be %.6g, but it is %d",
				limit.Name, want, limit.Max)
		}
	}
	return rows, err
}

// impliedLimit returns Σ cₖ eₖ where the dependent row of M is Σ cₖ (row k).
func impliedLimit(factor, row []float64, rows []int, limits []design.Limit) float64 {
	q := len(row)
	c := make([]float64, len(rows))
	for t := len(rows) - 1; t >= 0; t-- {
		c[t] = row[t]
		for u := t + 1; u < len(rows); u++ {
			c[t] -= factor[u*q+t] * c[u]
		}
		c[t] /= factor[t*q+t]
	}
	sum := 0.0
	for t, k := range rows {
		sum += c[t] * float64(limits[k].Max)
	}
	return sum
}
