package mixing

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// singleTolerance is denseTolerance for numbers that were stored with 24 bits each.
const singleTolerance = 1e-5

// A Square is a dense array as a file holds it: a W, or the adjacency matrix of a graph.
type Square struct {
	dense  *mat.Dense
	single bool // stored as float32
}

// newSquare takes elements row by row, or column by column.
func newSquare(n int, element func(k int) float64, byColumns, single bool) (*Square, error) {
	w := mat.NewDense(n, n, nil)
	arcs := 0
	for k := range n * n {
		v, row, col := element(k), k/n, k%n
		if v != 0 && row != col {
			arcs++
		}
		if byColumns {
			row, col = col, row
		}
		w.Set(row, col, v)
	}
	if most := 2 * limits.Edges; arcs > most {
		return nil, fmt.Errorf("%d entries beside the diagonal are not 0; at most %d are supported, two for an edge",
			arcs, most)
	}
	return &Square{w, single}, nil
}

// Matrix reads the array as W; FromDense says what is accepted. Sums of float32 need be 1 to five digits only, and
// the self weights then make up for the rest.
func (s *Square) Matrix() (*Matrix, error) {
	if s.single {
		return fromDense(s.dense, singleTolerance)
	}
	return FromDense(s.dense)
}

// Adjacency returns the graph of a symmetric array of zeros and ones without self loops; ok is false for any other.
func (s *Square) Adjacency() (g *topology.Graph, ok bool) {
	n, _ := s.dense.Dims()
	var edges []topology.Edge
	for i := range n {
		for j := range i + 1 {
			v := s.dense.At(i, j)
			if v != s.dense.At(j, i) || v != 0 && (v != 1 || i == j) {
				return nil, false
			}
			if v == 1 {
				edges = append(edges, topology.Edge{I: j, J: i})
			}
		}
	}
	g, err := topology.New(n, edges)
	return g, err == nil && len(edges) > 0
}

// SquareCSV reads a square array of numbers, a row per line, with commas, semicolons, tabs or spaces between them;
// empty lines and those that begin with # are skipped.
func SquareCSV(r io.Reader) (*Square, error) {
	source, err := limits.ReadText(r, limits.GraphBytes, "a matrix")
	if err != nil {
		return nil, fmt.Errorf("mixing: csv: %w", err)
	}
	var rows [][]float64
	lines := bufio.NewScanner(bytes.NewReader(source))
	lines.Buffer(nil, limits.GraphBytes)
	cells, line := 0, 0
	for lines.Scan() {
		line++
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		fields := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(",; \t", c) })
		if cells += len(fields); 8*cells > limits.GraphBytes {
			return nil, fmt.Errorf("mixing: csv: more than %d numbers; use an edge list", limits.GraphBytes/8)
		}
		row := make([]float64, len(fields))
		for k, field := range fields {
			var err error
			if row[k], err = strconv.ParseFloat(field, 64); err != nil {
				return nil, fmt.Errorf("mixing: csv: line %d, column %d: %.40q is not a number", line, k+1, field)
			}
		}
		if len(rows) > 0 && len(row) != len(rows[0]) {
			return nil, fmt.Errorf("mixing: csv: line %d has %d numbers; the first row has %d", line, len(row), len(rows[0]))
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("mixing: csv: %w", err)
	}
	if len(rows) == 0 {
		return nil, errors.New("mixing: csv: the file has no numbers")
	}
	if len(rows) != len(rows[0]) {
		return nil, fmt.Errorf("mixing: csv: the array is %d × %d; it must be square", len(rows), len(rows[0]))
	}
	n := len(rows)
	s, err := newSquare(n, func(k int) float64 { return rows[k/n][k%n] }, false, false)
	if err != nil {
		return nil, fmt.Errorf("mixing: csv: %w", err)
	}
	return s, nil
}
