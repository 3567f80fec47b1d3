package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"batopo/experiments/internal/paper"
)

// A Cell is one time of Table II read as a whole number of epochs.
type Cell struct {
	Dataset, Scenario, Topology string
	Seconds                     paper.Decimal
	Slowdown                    float64 // m by our reading of the topology; NaN without a row
	Epochs                      float64 // Seconds over an epoch at that m
	Whole                       bool    // a whole number of epochs prints like Seconds
	Fits                        []Fit   // every whole m up to mostSlowdown that fits
}

// A Fit is a reading of a printed time: m times slower edges, so many epochs.
type Fit struct{ Slowdown, Epochs int }

const (
	mostSlowdown = 20
	mostEpochs   = 100 // the paper trains so long
)

// Cells reads every time of the table.
func (e *Evidence) Cells() []Cell {
	var cells []Cell
	for _, dataset := range paper.Datasets {
		for _, scenario := range paper.Scenarios {
			row := e.Paper.Table2.Seconds[dataset][scenario]
			for _, topology := range sortedTopologies(row) {
				cells = append(cells, e.cell(dataset, scenario, topology, row[topology]))
			}
		}
	}
	return cells
}

// WholeEpochs counts the times that are whole epochs by our reading, and all times.
func (e *Evidence) WholeEpochs() (whole, all int) {
	for _, c := range e.Cells() {
		all++
		if c.Whole {
			whole++
		}
	}
	return whole, all
}

func (e *Evidence) cell(dataset, scenario, topology string, seconds paper.Decimal) Cell {
	c := Cell{Dataset: dataset, Scenario: scenario, Topology: topology, Seconds: seconds, Slowdown: math.NaN(), Epochs: math.NaN()}
	perEpoch, ok := e.epochSeconds(scenario)
	if !ok {
		return c
	}
	for m := 1; m <= mostSlowdown; m++ {
		if epochs := math.Round(seconds.Value() / perEpoch(float64(m))); epochs <= mostEpochs && seconds.Prints(epochs*perEpoch(float64(m))) {
			c.Fits = append(c.Fits, Fit{m, int(epochs)})
		}
	}
	if reading, ok := e.Table2.Find(scenario + "/" + topology); ok {
		c.Slowdown, c.Epochs = reading.Slowdown, seconds.Value()/reading.Seconds
		c.Whole = seconds.Prints(math.Round(c.Epochs) * reading.Seconds)
	}
	return c
}

// epochSeconds returns the time of an epoch in a scenario as a function of m: a line through
// any two rows that differ in m.
func (e *Evidence) epochSeconds(scenario string) (func(m float64) float64, bool) {
	ring, ok := e.Table2.Find(scenario + "/ring")
	if !ok {
		return nil, false
	}
	for _, row := range e.Table2.Rows {
		if v := row.Value; v.Iterations == ring.Iterations && v.Slowdown != ring.Slowdown {
			slope := (v.Seconds - ring.Seconds) / (v.Slowdown - ring.Slowdown)
			return func(m float64) float64 { return ring.Seconds + slope*(m-ring.Slowdown) }, true
		}
	}
	return nil, false
}

// sortedTopologies puts the baselines first and the paper's own by budget.
func sortedTopologies(row map[string]paper.Decimal) []string {
	var names []string
	for name := range row {
		names = append(names, name)
	}
	place := func(name string) int {
		if k := slices.Index(baselines, name); k >= 0 {
			return k
		}
		r := 0
		fmt.Sscanf(name, "paper-r%d", &r)
		return len(baselines) + r
	}
	slices.SortFunc(names, func(a, b string) int { return place(a) - place(b) })
	return names
}

func abstractSpeedups(e *Evidence, _ Subject) (answer, error) {
	t := e.Paper.Table2
	least := map[string]float64{"homogeneous": math.Inf(1), "heterogeneous": math.Inf(1)}
	for _, s := range t.Speedups {
		kind := "heterogeneous"
		if s.Scenario == "homogeneous" {
			kind = "homogeneous"
		}
		least[kind] = min(least[kind], t.FastestOther(s.Dataset, s.Scenario)/t.Seconds[s.Dataset][s.Scenario][s.Topology].Value())
	}
	a := answer{holds: true, note: "the quotients of Table II, unrounded"}
	var shown []string
	for _, kind := range []string{"homogeneous", "heterogeneous"} {
		a.holds = a.holds && least[kind] > t.AbstractSpeedups[kind].Value()
		shown = append(shown, fmt.Sprintf("%s at least %.4f", kind, least[kind]))
	}
	a.shown = strings.Join(shown, "; ")
	return a, nil
}

// trainingSameEdges compares the times of topologies with the same number of edges.
func trainingSameEdges(e *Evidence, _ Subject) (answer, error) {
	a := answer{holds: true, note: accuracyByTime}
	var shown []string
	for _, r := range budgets["homogeneous"] {
		for _, other := range baselines {
			row, ok := e.Table2.Find("homogeneous/" + other)
			if !ok {
				return a, errMissing{"homogeneous/" + other}
			}
			if row.Edges != r {
				continue
			}
			for _, dataset := range paper.Datasets {
				seconds := e.Paper.Table2.Seconds[dataset]["homogeneous"]
				mine, theirs := seconds[fmt.Sprintf("paper-r%d", r)], seconds[other]
				a.holds = a.holds && mine.Value() < theirs.Value()
				shown = append(shown, fmt.Sprintf("%s, r = %d: %s s, %s %s s", dataset, r, mine, other, theirs))
			}
		}
	}
	a.shown = strings.Join(shown, "; ")
	return a, nil
}

func trainingFastestAt32(e *Evidence, _ Subject) (answer, error) {
	a := answer{holds: true}
	var shown []string
	for _, dataset := range paper.Datasets {
		row := e.Paper.Table2.Seconds[dataset]["homogeneous"]
		for topology, seconds := range row {
			if topology != "paper-r32" && seconds.Value() <= row["paper-r32"].Value() {
				a.holds = false
			}
		}
		shown = append(shown, fmt.Sprintf("%s %s s, fastest other %.1f s", dataset, row["paper-r32"], e.Paper.Table2.FastestOther(dataset, "homogeneous")))
	}
	a.shown = strings.Join(shown, "; ")
	return a, nil
}

// ringEnds computes 100 epochs of the ring, the only connected graph with d = 2; "around" is within a twentieth.
func ringEnds(e *Evidence, _ Subject) (answer, error) {
	row, ok := e.Table2.Find("homogeneous/ring")
	if !ok {
		return answer{}, errMissing{"homogeneous/ring"}
	}
	ends := mostEpochs * row.Seconds
	return answer{holds: math.Abs(ends/e.Paper.Table2.RingEndsAfterSeconds-1) < 0.05, shown: fmt.Sprintf("%d epochs take %.0f s", mostEpochs, ends),
		note: "r = 16 and d = 2 on 16 nodes is the ring itself"}, nil
}

// allFaster asks whether every topology of the paper beats every other one in a scenario.
func allFaster(scenario, note string) func(*Evidence, Subject) (answer, error) {
	return func(e *Evidence, _ Subject) (answer, error) {
		a := answer{holds: true, note: note}
		var shown []string
		for _, dataset := range paper.Datasets {
			slowest := 0.0
			for topology, seconds := range e.Paper.Table2.Seconds[dataset][scenario] {
				if paper.ByMethod(topology) {
					slowest = max(slowest, seconds.Value())
				}
			}
			other := e.Paper.Table2.FastestOther(dataset, scenario)
			a.holds = a.holds && slowest < other
			shown = append(shown, fmt.Sprintf("%s: slowest BA-Topo %.1f s, fastest other %.1f s (%.3f ×)", dataset, slowest, other, other/slowest))
		}
		a.shown = strings.Join(shown, "; ")
		return a, nil
	}
}
