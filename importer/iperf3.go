package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/limits"
)

// Iperf3 reads iperf3 -J: the rate that arrived, from one host to another, and back where --bidir measured that too.
// It describes two nodes; [Pairs] makes a matrix of many.
func Iperf3(r io.Reader) (*Description, error) {
	source, err := limits.ReadAll(r, limits.ImportBytes, "an output of iperf3")
	if err != nil {
		return nil, err
	}
	type sum struct {
		Rate float64 `json:"bits_per_second"`
	}
	var file struct {
		Error string `json:"error"`
		Start struct {
			Connected []struct {
				Local  string `json:"local_host"`
				Remote string `json:"remote_host"`
			} `json:"connected"`
			Test struct {
				Reverse int `json:"reverse"`
			} `json:"test_start"`
		} `json:"start"`
		End struct {
			Received *sum `json:"sum_received"`
			Back     *sum `json:"sum_received_bidir_reverse"`
		} `json:"end"`
	}
	if err := json.Unmarshal(source, &file); err != nil {
		return nil, fmt.Errorf("importer: this is not JSON as iperf3 -J writes it: %w", err)
	}
	switch {
	case file.Error != "":
		return nil, fmt.Errorf("importer: iperf3 ended with an error: %s", shorten(file.Error))
	case len(file.Start.Connected) == 0 || file.End.Received == nil:
		return nil, errors.New("importer: no end.sum_received; is this what iperf3 -J prints, to its end?")
	case !(file.End.Received.Rate > 0) || file.End.Back != nil && !(file.End.Back.Rate > 0):
		return nil, errors.New("importer: end.sum_received.bits_per_second must be above 0; nothing arrived")
	}
	there := file.End.Received.Rate / 8e9
	d := &Description{Names: []string{file.Start.Connected[0].Local, file.Start.Connected[0].Remote},
		Matrix: &cluster.Matrix{GBs: [][]float64{{0, there}, {0, 0}}}}
	if file.Start.Test.Reverse != 0 {
		d.Names[0], d.Names[1] = d.Names[1], d.Names[0]
	}
	if file.End.Back != nil {
		d.Matrix.GBs[1][0] = file.End.Back.Rate / 8e9
	}
	return d, nil
}

// Pairs joins measurements of single pairs to one matrix. A direction that nobody measured is taken to be like the
// other.
func Pairs(all []*Description) (*Description, error) {
	index := map[string]int{}
	var names []string
	for _, d := range all {
		for _, name := range d.Names {
			if _, known := index[name]; !known {
				index[name] = len(names)
				names = append(names, name)
			}
		}
		if d.Names[0] == d.Names[1] {
			return nil, fmt.Errorf("importer: both ends of a measurement are %s; name them by calling the file ONE--OTHER.json",
				d.Names[0])
		}
	}
	if len(names) > limits.MatrixNodes {
		return nil, fmt.Errorf("importer: %d hosts; at most %d are supported", len(names), limits.MatrixNodes)
	}
	rows := make([][]float64, len(names))
	for i := range rows {
		rows[i] = make([]float64, len(names))
	}
	for _, d := range all {
		a, b := index[d.Names[0]], index[d.Names[1]]
		rows[a][b] = max(rows[a][b], d.Matrix.GBs[0][1])
		rows[b][a] = max(rows[b][a], d.Matrix.GBs[1][0])
	}
	out, err := measured(rows, names, 1)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		for j := range rows {
			if rows[i][j] == 0 && rows[j][i] > 0 {
				out.Matrix.GBs[i][j] = rows[j][i]
				out.assume("%s to %s: as measured the other way, %.4g GB/s", names[i], names[j], rows[j][i])
			}
		}
	}
	return out, nil
}
