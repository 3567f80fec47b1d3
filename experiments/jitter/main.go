// Command jitter compares iterations of 16 gloo processes that sleep for random times, measured by sleepers.py, with
// the simulation of package cost.
//
//	go run ./experiments/jitter          the comparison, from measured.json
//	go run ./experiments/jitter plans    writes the plans that are measured
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/cost"
)

const folder = "experiments/jitter"

// A measurement is what sleepers.py writes.
type measurement struct {
	Ranks      int                `json:"ranks"`
	MeanMS     float64            `json:"mean_ms"`
	JitterMS   float64            `json:"jitter_ms"`
	Iterations int                `json:"iterations"`
	Torch      string             `json:"torch"`
	Date       string             `json:"date"`
	Cores      int                `json:"cores"`
	LoadBefore float64            `json:"load_before"`
	LoadAfter  float64            `json:"load_after"`
	MeasuredMS map[string]float64 `json:"measured_ms"` // per plan
}

func main() {
	work := compare
	if len(os.Args) > 1 && os.Args[1] == "plans" {
		work = writePlans
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "jitter:", err)
		os.Exit(1)
	}
}

func compare() error {
	m, err := read(folder)
	if err != nil {
		return err
	}
	fmt.Printf("%d gloo processes, compute %v ± %v ms, %d iterations, load %v before and %v after, %d cores\n\n",
		m.Ranks, m.MeanMS, m.JitterMS, m.Iterations, m.LoadBefore, m.LoadAfter, m.Cores)
	fmt.Println("| plan | measured, ms | simulated, ms | difference |\n|---|---|---|---|")
	for _, name := range slices.Sorted(maps.Keys(m.MeasuredMS)) {
		ms, err := m.simulate(folder, name)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %.1f | %.1f | %+.1f %% |\n", name, m.MeasuredMS[name], ms, 100*(ms/m.MeasuredMS[name]-1))
	}
	return nil
}

func read(folder string) (m measurement, err error) {
	source, err := os.ReadFile(filepath.Join(folder, "measured.json"))
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(source, &m)
}

// simulate predicts an iteration of a plan whose messages take no time.
func (m measurement) simulate(folder, name string) (float64, error) {
	plan, err := design.ReadPlanFile(filepath.Join(folder, "plans", name+".json"))
	if err != nil {
		return 0, err
	}
	c, err := equal(m.Ranks)
	if err != nil {
		return 0, err
	}
	p, err := plan.Process(c)
	if err != nil {
		return 0, err
	}
	compute := cost.Compute{
		MS: slices.Repeat([]float64{m.MeanMS}, m.Ranks), JitterMS: slices.Repeat([]float64{m.JitterMS}, m.Ranks),
	}
	const enough = 20000 // iterations: the simulation's own error is far below the error of 60 measured ones
	return p.Slower(0).MeanOver(compute.Draws(1), enough)
}
