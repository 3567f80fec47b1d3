package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/ground/limits"
)

// ncclTests is what the programs of nccl-tests write with -J; other fields are ignored.
type ncclTests struct {
	Config struct {
		Threads int `json:"nthreads"`
		GPUs    int `json:"ngpus"`
		Devices []struct {
			Host   string `json:"hostname"`
			Device int    `json:"device"`
		} `json:"devices"` // the first of each process
	} `json:"config"`
	Results []struct {
		Size       int64       `json:"size"`
		OutOfPlace *ncclResult `json:"out_of_place"`
		InPlace    *ncclResult `json:"in_place"`
	} `json:"results"`
	OutOfBounds struct {
		Count int `json:"count"`
	} `json:"out_of_bounds"`
}

type ncclResult struct {
	Bus json.RawMessage `json:"bus_bw"`
}

// readNCCLTests reads the JSON that all_reduce_perf and its like write with -J. Their bus bandwidth is what the slowest
// link between two ranks carries each way while all ranks work; it becomes the link of every rank.
func readNCCLTests(source []byte) (*Description, error) {
	var file ncclTests
	if err := json.Unmarshal(source, &file); err != nil {
		return nil, fmt.Errorf("importer: this is not JSON as nccl-tests write it with -J: %w", err)
	}
	if file.OutOfBounds.Count != 0 {
		return nil, fmt.Errorf("importer: %d values came out wrong (out_of_bounds.count); the rates mean nothing",
			file.OutOfBounds.Count)
	}
	best, size := 0., int64(0)
	for k, row := range file.Results {
		for i, result := range []*ncclResult{row.OutOfPlace, row.InPlace} {
			if result == nil {
				continue
			}
			v, err := result.rate(fmt.Sprintf("results[%d].%s.bus_bw", k, []string{"out_of_place", "in_place"}[i]))
			if err != nil {
				return nil, err
			}
			if v > best {
				best, size = v, row.Size
			}
		}
	}
	if best == 0 {
		return nil, errors.New("importer: no results with a bus_bw above 0; did the test end early?")
	}
	names, err := file.ranks()
	if err != nil {
		return nil, err
	}
	d := &Description{Names: names, Tree: &cluster.Group{Nodes: len(names), Link: &cluster.Link{GBs: best}}}
	d.note("the link of every rank is the bus bandwidth at messages of %d bytes; faster links between some are not seen",
		size)
	return d, nil
}

// rate reads a bus bandwidth in GB/s.
func (r *ncclResult) rate(where string) (float64, error) {
	v, err := strconv.ParseFloat(string(r.Bus), 64)
	const most = 1e6 // a petabyte per second
	if err != nil || !(v >= 0 && v < most) {
		return 0, fmt.Errorf("importer: %s is %q; it must be a number of GB/s", where, shorten(string(r.Bus)))
	}
	return v, nil
}

// ranks names the ranks by host and device. Every process lists its first device only.
func (f *ncclTests) ranks() ([]string, error) {
	each := max(1, f.Config.Threads) // a thread per GPU, or several each
	if f.Config.GPUs > 0 && each <= limits.Nodes/f.Config.GPUs {
		each *= f.Config.GPUs
	}
	if n := len(f.Config.Devices); n == 0 || each > limits.Nodes/n || n*each < 2 {
		return nil, fmt.Errorf("importer: config lists %d devices, %d threads of %d GPUs each; "+
			"the ranks must be between 2 and %d", n, f.Config.Threads, f.Config.GPUs, limits.Nodes)
	}
	var names []string
	seen := map[string]bool{}
	for _, first := range f.Config.Devices {
		for k := range each {
			name := fmt.Sprintf("%s-gpu%d", first.Host, first.Device+k)
			if seen[name] || first.Host == "" {
				return nil, fmt.Errorf("importer: config.devices has no name of a host, or lists device %q twice", shorten(name))
			}
			seen[name] = true
			names = append(names, name)
		}
	}
	return names, nil
}
