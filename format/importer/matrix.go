package importer

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/ground/limits"
)

// cell reads one measured rate. Words for "not measured" are 0; anything else that is no rate is an error that names
// its place.
func cell(text string, line, row, column int) (float64, error) {
	if text = strings.TrimSpace(text); text == "" || text == "-" || isMissing(text) {
		return 0, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if rate, ok := cluster.ParseRate(text); ok {
		v, err = rate, nil
	}
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) || v < 0 {
		return 0, fmt.Errorf("importer: line %d: row %d, column %d is %q; "+
			"it must be a rate, such as 12.5 (GB/s), 12.5GB/s or 940Mb/s, or N/A", line, row, column, shorten(text))
	}
	return v, nil
}

// measured makes a description of a square matrix; halved is what both directions at once are divided by.
func measured(rows [][]float64, names []string, scale float64) (*Description, error) {
	n := len(rows)
	if n < 2 || n > limits.MatrixNodes {
		return nil, fmt.Errorf("importer: the matrix has %d rows; it must have between 2 and %d", n, limits.MatrixNodes)
	}
	m := &cluster.Matrix{GBs: make([][]float64, n)}
	for i, row := range rows {
		if len(row) != n {
			return nil, fmt.Errorf("importer: row %d has %d columns; a matrix of %d rows has %d in each", i, len(row), n, n)
		}
		m.GBs[i] = make([]float64, n)
		for j, v := range row {
			if i != j {
				m.GBs[i][j] = v * scale
			}
		}
	}
	return &Description{Names: names, Matrix: m}, nil
}

// sayRegions notes groups that are plain in measured rates. A matrix does not say that hosts of a group share a line.
func (d *Description) sayRegions() {
	groups, factor := d.Matrix.Regions()
	if groups == nil {
		return
	}
	words := make([]string, len(groups))
	for g, members := range groups {
		names := make([]string, len(members))
		for k, i := range members {
			if names[k] = fmt.Sprint(i); d.Names != nil {
				names[k] = d.Names[i]
			}
		}
		words[g] = "[" + listed(names) + "]"
	}
	d.note("%d groups of nodes are plain: rates between them fall by a factor of %.2g: %s. If the nodes of one share a "+
		"line to the others, write a tree with an uplink for each group", len(groups), factor, listed(words))
}

// numbered names nodes as the program does that measured them.
func numbered(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = label(i)
	}
	return names
}
