package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// A run is what the training simulator measured, and what a convergence model says of it that was fitted without its
// process.
type run struct {
	Process   string   `json:"process"`
	Lazy      float64  `json:"lazy"`
	Nodes     int      `json:"nodes"`
	Norm      string   `json:"norm"`
	Skew      *float64 `json:"skew"`
	Momentum  string   `json:"momentum"`
	Order     string   `json:"order"`
	Every     int      `json:"every"`
	Rate      float64  `json:"lr"`
	Stem      string   `json:"stem"`
	Schedule  string   `json:"schedule"` // of the learning rate
	Seed      int      `json:"seed"`
	Block     int      `json:"block"`     // runs of one block differ in process, H, order and momentum only
	ToTarget  float64  `json:"to_target"` // epochs, or epochs without reaching the target
	Censored  bool     `json:"censored"`
	Cut       bool     `json:"cut"`       // its time ran out first: nobody knows whether it would have got there
	Predicted float64  `json:"predicted"` // epochs relative to exact averaging
}

func readRuns(folder string) ([]run, error) {
	source, err := os.ReadFile(filepath.Join(folder, "training", "left_out.json"))
	if err != nil {
		return nil, err
	}
	var file struct{ Runs []run }
	return file.Runs, json.Unmarshal(source, &file)
}

// name is the process in words.
func (r run) name() string {
	name := strings.TrimSuffix(filepath.Base(r.Process), ".json")
	if r.Lazy != 1 {
		name += fmt.Sprintf(" lazy %g", r.Lazy)
	}
	if r.Every != 1 {
		name += fmt.Sprintf(" H = %d", r.Every)
	}
	return name + " " + r.Order
}

func (r run) exact() bool { return r.Process == "exact" }

// candidate reports whether a plan can ask for it (none averages all nodes by half) and its time is known.
func (r run) candidate() bool { return (!r.exact() || r.Lazy == 1) && !r.Cut }

// levels are what is run between groups, and their size; without groups every node is one.
func (r run) levels() (between string, size int) {
	between, of, found := strings.Cut(r.Process, " between groups of ")
	if !found {
		return r.Process, 1
	}
	size, err := strconv.Atoi(of)
	if err != nil || size < 1 || r.Nodes%size != 0 {
		return r.Process, 1 // building it will say that there is no such thing
	}
	return between, size
}

// rounds is one period, between groups where there are any; for exact averaging, which is no gossip, it is nil.
func (r run) rounds(folder string) ([]*mixing.Matrix, error) {
	if r.exact() {
		return nil, nil
	}
	s, err := r.schedule(folder)
	if err != nil {
		return nil, err
	}
	if r.Lazy == 1 {
		return s.Rounds, nil
	}
	var out []*mixing.Matrix
	for _, w := range s.Rounds {
		var arcs []mixing.Arc
		for i := range w.Nodes() {
			from, weight := w.Row(i)
			for k, j := range from {
				arcs = append(arcs, mixing.Arc{From: j, To: i, Weight: r.Lazy * weight[k]})
			}
		}
		lazy, err := mixing.FromArcs(w.Nodes(), arcs)
		if err != nil {
			return nil, err
		}
		out = append(out, lazy)
	}
	return out, nil
}

func (r run) schedule(folder string) (*mixing.Schedule, error) {
	if strings.HasSuffix(r.Process, ".json") {
		plan, err := design.ReadPlanFile(filepath.Join(folder, "training", "queues", r.Process))
		if err != nil {
			return nil, err
		}
		return plan.Schedule()
	}
	name, size := r.levels()
	nodes := r.Nodes / size
	if f, err := mixing.FindSchedule(name); err == nil {
		return f.Build(mixing.ScheduleParams{Nodes: nodes})
	}
	f, err := mixing.FindFamily(name)
	if err != nil {
		return nil, err
	}
	w, err := f.Build(mixing.Params{Nodes: nodes})
	if err != nil {
		return nil, err
	}
	return mixing.Static(w), nil
}
