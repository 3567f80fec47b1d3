// Package minmax divides one whole such that the largest load is as small as possible: the message
// among nodes that sum it or among trees, so that the busiest link is busy for the shortest time.
package minmax

import (
	"context"
	"math"
)

// A game divides one whole among columns such that the largest row is small: with loads a ≥ 0 it maximises Σy under
// a·y ≤ 1, y ≥ 0, whose best y is the best division, scaled by 1/(largest row). Every step of the simplex method has a
// feasible y, so it may end at any of them.
type game struct {
	a        [][]float64 // per row: the tableau's columns, and what is left of its 1 last
	gain     []float64   // per column: what more of it adds to Σy
	row, col []int       // who is in the basis, and who is not; below len(col) columns of the game, from there slacks
	pivots   int
}

// mostPivots limits the steps per row and column. Hundreds of rows take about one each; equal loads can stall.
const mostPivots = 20

// Divide returns the shares of the columns, which sum to 1; loads are by row, then column, and the largest is of the
// order of 1. Of equally good divisions columns that come first get more. It stops early, with the best so far, when
// ctx ends or many steps were taken.
func Divide(ctx context.Context, loads [][]float64) (shares []float64, pivots int) {
	rows, columns := len(loads), len(loads[0])
	g := &game{a: make([][]float64, rows), gain: make([]float64, columns), row: make([]int, rows),
		col: make([]int, columns)}
	for r, load := range loads {
		g.a[r], g.row[r] = append(append(make([]float64, 0, columns+1), load...), 1), columns+r
	}
	for c := range columns {
		g.gain[c], g.col[c] = 1, c
	}
	for stalled := false; g.pivots < mostPivots*(rows+columns) && ctx.Err() == nil; {
		c := g.entering(stalled)
		if c < 0 {
			break
		}
		r := g.leaving(c)
		if r < 0 { // it loads nothing, and there is nothing to divide
			break
		}
		stalled = g.a[r][columns] <= tiny
		g.pivot(r, c)
	}
	return g.shares(), g.pivots
}

// tiny is what rounding leaves of nothing.
const tiny = 1e-11

// entering is the column that adds most or, where the last step added nothing, the first that adds anything, which
// never goes in circles (Bland); −1 at the end.
func (g *game) entering(stalled bool) int {
	best := -1
	for c, gain := range g.gain {
		switch {
		case gain <= tiny:
		case best < 0, stalled && g.col[c] < g.col[best], !stalled && gain > g.gain[best]:
			best = c
		}
	}
	return best
}

// leaving is the row that is full first, the first variable among equals; −1 where none fills.
func (g *game) leaving(c int) int {
	last, best, least := len(g.col), -1, math.Inf(1)
	for r, row := range g.a {
		if row[c] <= tiny {
			continue
		}
		ratio := row[last] / row[c]
		if best < 0 || ratio < least-tiny || ratio <= least+tiny && g.row[r] < g.row[best] {
			best, least = r, ratio
		}
	}
	return best
}

// pivot exchanges a basic variable and one outside.
func (g *game) pivot(r, c int) {
	g.pivots++
	at := g.a[r]
	inverse := 1 / at[c]
	for k := range at {
		at[k] *= inverse
	}
	at[c] = inverse
	for k, row := range g.a {
		if k != r {
			if factor := row[c]; factor != 0 {
				row[c] = 0
				subtract(row, at, factor)
			}
			row[len(g.col)] = max(0, row[len(g.col)])
		}
	}
	factor := g.gain[c]
	g.gain[c] = 0
	subtract(g.gain, at[:len(g.col)], factor)
	g.row[r], g.col[c] = g.col[c], g.row[r]
}

func subtract(from, what []float64, factor float64) {
	for k, x := range what {
		from[k] -= factor * x
	}
}

// shares returns the shares of the basis; before anything entered it, equal ones.
func (g *game) shares() []float64 {
	columns, total := len(g.col), 0.0
	out := make([]float64, columns)
	for r, v := range g.row {
		if v < columns {
			out[v] = g.a[r][columns]
			total += out[v]
		}
	}
	for c := range out {
		if total > 0 {
			out[c] /= total
		} else {
			out[c] = 1 / float64(columns)
		}
	}
	return out
}
