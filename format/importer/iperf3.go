package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/ground/limits"
)

// readIperf3 reads iperf3 -J: the rate that arrived, from one host to another, and back where --bidir measured that
// too. Half of the shortest round trip is the latency: longer ones wait behind the test's own data. It describes two
// nodes, the one that ran the program first; [Pairs] makes a matrix of many.
func readIperf3(source []byte) (*Description, error) {
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
			Received *sum           `json:"sum_received"`
			Back     *sum           `json:"sum_received_bidir_reverse"`
			Streams  []iperf3Stream `json:"streams"`
		} `json:"end"`
	}
	if err := json.Unmarshal(source, &file); err != nil {
		return nil, fmt.Errorf("importer: this is not JSON as iperf3 -J writes it: %w", err)
	}
	switch {
	case file.Error != "":
		return nil, fmt.Errorf("importer: iperf3 ended with an error: %s; measure again, or leave this file out",
			limits.Shorten(strings.TrimPrefix(file.Error, "error - "), 120))
	case len(file.Start.Connected) == 0 || file.End.Received == nil:
		return nil, errors.New("importer: no end.sum_received; is this what iperf3 -J prints, to its end?")
	case !(file.End.Received.Rate > 0) || file.End.Back != nil && !(file.End.Back.Rate > 0):
		return nil, errors.New("importer: end.sum_received.bits_per_second must be above 0; nothing arrived")
	}
	rates := [][]float64{{0, file.End.Received.Rate / bitsPerGB}, {0, 0}}
	if file.End.Back != nil {
		rates[1][0] = file.End.Back.Rate / bitsPerGB
	}
	if file.Start.Test.Reverse != 0 {
		rates[0][1], rates[1][0] = rates[1][0], rates[0][1]
	}
	d := &Description{Names: []string{file.Start.Connected[0].Local, file.Start.Connected[0].Remote},
		Matrix: &cluster.Matrix{GBs: rates}}
	if ms := shortestTrip(file.End.Streams) / 2e3; ms > 0 {
		d.Matrix.LatencyMS = [][]float64{{0, ms}, {ms, 0}}
	}
	return d, nil
}

type iperf3Stream struct {
	Sender struct {
		Here      bool    `json:"sender"`  // it is this host; only the sender times round trips
		RoundTrip float64 `json:"min_rtt"` // µs; 0 or nothing where the system does not tell
	} `json:"sender"`
}

// shortestTrip is in µs; 0 where no stream has one.
func shortestTrip(streams []iperf3Stream) (shortest float64) {
	for _, s := range streams {
		if trip := s.Sender.RoundTrip; s.Sender.Here && trip > 0 && (shortest == 0 || trip < shortest) {
			shortest = trip
		}
	}
	return shortest
}

const bitsPerGB = 8e9
