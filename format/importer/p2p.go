package importer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"
)

// readP2P reads what p2pBandwidthLatencyTest of the CUDA samples prints. Of its matrices the one of both directions at
// once counts, halved: nodes that average send and receive at the same time, and a pair may have much less then. With
// peer-to-peer on, where both were measured.
func readP2P(source []byte) (*Description, error) {
	found := map[string][][]float64{}
	lines := strings.Split(string(source), "\n")
	for k := 0; k < len(lines); k++ {
		title := strings.ToLower(lines[k])
		if !strings.Contains(title, "bandwidth") || !strings.Contains(title, "matrix") || !strings.Contains(title, "gb/s") {
			continue
		}
		rows, err := p2pRows(lines, k+1)
		if err != nil {
			return nil, err
		}
		kind := "one"
		if strings.Contains(title, "bidirectional") {
			kind = "both"
		}
		if strings.Contains(title, "disabled") {
			kind += " disabled"
		}
		if _, twice := found[kind]; !twice {
			found[kind] = rows
		}
	}
	for _, kind := range []string{"both", "one", "both disabled", "one disabled"} {
		rows, ok := found[kind]
		if !ok {
			continue
		}
		scale, words := 1., "one direction at a time"
		if strings.HasPrefix(kind, "both") {
			scale, words = 0.5, "both directions at once, halved"
		}
		d, err := measured(rows, numbered(len(rows)), scale)
		if err != nil {
			return nil, err
		}
		d.note("rates are those of %s", words)
		if kind != "both" {
			d.warn("the file has no matrix of both directions at once with P2P, which the program prints last; is the end of " +
				"the file missing? Rates that were measured in another way may be too high")
		}
		return d, nil
	}
	return nil, errors.New("importer: no \"… Bandwidth Matrix (GB/s)\"; is this what p2pBandwidthLatencyTest prints?")
}

// p2pRows reads the rows behind a title: their number, then the rates. The first line that is no row ends them.
func p2pRows(lines []string, first int) ([][]float64, error) {
	var rows [][]float64
	devices := 0
	for k := first; k < len(lines); k++ {
		cells := strings.Fields(lines[k])
		if len(cells) > 0 && strings.HasPrefix(cells[0], "D") { // the header, D\D 0 1 2 …
			devices = len(cells) - 1
			continue
		}
		if len(cells) < 2 || cells[0] != strconv.Itoa(len(rows)) {
			break
		}
		row := make([]float64, len(cells)-1)
		for j, text := range cells[1:] {
			v, err := cell(text, k+1, len(rows), j)
			if err != nil {
				return nil, err
			}
			row[j] = v
		}
		if len(rows) == limits.MatrixNodes {
			return nil, fmt.Errorf("importer: line %d: more than %d devices", k+1, limits.MatrixNodes)
		}
		rows = append(rows, row)
	}
	if len(rows) < devices {
		return nil, fmt.Errorf("importer: line %d: the matrix has %d of %d rows; is the end of the file missing?",
			first, len(rows), devices)
	}
	for i, row := range rows {
		if len(row) != len(rows) {
			return nil, fmt.Errorf("importer: line %d: row %d has %d columns for %d devices", first+1+i, i, len(row), len(rows))
		}
	}
	return rows, nil
}
