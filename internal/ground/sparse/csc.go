package sparse

import (
	"fmt"
	"slices"
)

// An Entry is one number at a row and column.
type Entry struct {
	Row, Col int
	Value    float64
}

// A CSC is a matrix in compressed sparse column storage: column j holds the entries
// start[j] … start[j+1], rows ascending. It is immutable.
type CSC struct {
	rows, cols int
	start      []int
	row        []int
	value      []float64
}

// NewCSC builds a matrix from entries in any order. Entries at the same place are added.
// Zeros are kept: they are places that a factorization may fill.
func NewCSC(rows, cols int, entries []Entry) (*CSC, error) {
	if rows < 1 || cols < 1 {
		return nil, fmt.Errorf("sparse: a matrix of %d × %d; both must be at least 1", rows, cols)
	}
	for _, e := range entries {
		if e.Row < 0 || e.Row >= rows || e.Col < 0 || e.Col >= cols {
			return nil, fmt.Errorf("sparse: entry (%d, %d) lies outside the %d × %d matrix", e.Row, e.Col, rows, cols)
		}
	}
	sorted := slices.Clone(entries)
	slices.SortStableFunc(sorted, func(a, b Entry) int {
		if a.Col != b.Col {
			return a.Col - b.Col
		}
		return a.Row - b.Row
	})
	m := &CSC{rows: rows, cols: cols, start: make([]int, cols+1),
		row: make([]int, 0, len(sorted)), value: make([]float64, 0, len(sorted))}
	for k, e := range sorted {
		if k > 0 && e.Row == sorted[k-1].Row && e.Col == sorted[k-1].Col {
			m.value[len(m.value)-1] += e.Value
			continue
		}
		m.row, m.value = append(m.row, e.Row), append(m.value, e.Value)
		m.start[e.Col+1]++
	}
	for j := range cols {
		m.start[j+1] += m.start[j]
	}
	return m, nil
}

// Dims returns the numbers of rows and columns.
func (m *CSC) Dims() (rows, cols int) { return m.rows, m.cols }

// At returns one entry. It is meant for tests: a binary search in the column.
func (m *CSC) At(i, j int) float64 {
	lo, hi := m.start[j], m.start[j+1]
	if k, ok := slices.BinarySearch(m.row[lo:hi], i); ok {
		return m.value[lo+k]
	}
	return 0
}

// Apply computes dst = m x without allocating. dst and x must not overlap.
func (m *CSC) Apply(dst, x []float64) {
	if len(dst) != m.rows || len(x) != m.cols {
		panic("sparse: Apply needs dst of one entry per row and x of one per column")
	}
	clear(dst)
	for j, xj := range x {
		if xj == 0 {
			continue
		}
		lo, hi := m.start[j], m.start[j+1]
		row, value := m.row[lo:hi], m.value[lo:hi]
		for k, i := range row {
			dst[i] += value[k] * xj
		}
	}
}

// Entries is how many places are stored.
func (m *CSC) Entries() int { return len(m.value) }
