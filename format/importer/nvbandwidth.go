package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// readNVBandwidth reads nvbandwidth -j. A test of both directions at once counts before one of a single direction:
// nodes that average send and receive at the same time. Where it reports both together, half of that is taken.
func readNVBandwidth(source []byte) (*Description, error) {
	var file struct {
		NVBandwidth struct {
			Testcases []struct {
				Name   string              `json:"name"`
				About  string              `json:"bandwidth_description"`
				Matrix [][]json.RawMessage `json:"bandwidth_matrix"`
			} `json:"testcases"`
		} `json:"nvbandwidth"`
	}
	if err := json.Unmarshal(source, &file); err != nil {
		return nil, fmt.Errorf("importer: this is not JSON as nvbandwidth -j writes it: %w", err)
	}
	for _, wanted := range []string{
		"device_to_device_bidirectional_memcpy_read_ce", "device_to_device_bidirectional_memcpy_write_ce",
		"device_to_device_memcpy_read_ce", "device_to_device_memcpy_write_ce",
		"device_to_device_memcpy_read_sm", "device_to_device_memcpy_write_sm",
	} {
		for _, test := range file.NVBandwidth.Testcases {
			if test.Name != wanted || len(test.Matrix) == 0 {
				continue
			}
			rows := make([][]float64, len(test.Matrix))
			for i, row := range test.Matrix {
				for j, raw := range row {
					v, err := cell(strings.Trim(string(raw), `"`), 1, i, j)
					if err != nil {
						return nil, fmt.Errorf("%w (test %s)", err, wanted)
					}
					rows[i] = append(rows[i], v)
				}
			}
			// A read of the row's device moves data from the column's to it.
			if strings.Contains(wanted, "read") {
				rows = transposed(rows)
			}
			scale := 1.
			if strings.Contains(test.About, "Total") {
				scale = 0.5
			}
			d, err := measured(rows, numbered(len(rows)), scale)
			if err == nil {
				d.note("rates are those of the test %s", wanted)
			}
			return d, err
		}
	}
	return nil, errors.New("importer: no test between devices with a bandwidth_matrix; " +
		"run nvbandwidth -j -t device_to_device_memcpy_read_ce")
}

// transposed swaps rows and columns of a square matrix; another is left for the complaint that follows.
func transposed(rows [][]float64) [][]float64 {
	if slices.ContainsFunc(rows, func(row []float64) bool { return len(row) != len(rows) }) {
		return rows
	}
	out := square(len(rows))
	for i, row := range rows {
		for j, v := range row {
			out[j][i] = v
		}
	}
	return out
}
