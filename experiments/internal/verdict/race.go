package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/experiments/internal/paper"
)

// A runner is a topology in a race, with the times at which it reaches the levels of error that are asked for. In
// Table II there is one: the time to the set accuracy.
type runner struct {
	name  string
	times []float64
	unit  string // for fmt
}

func (r runner) end() float64   { return r.times[len(r.times)-1] }
func (r runner) String() string { return r.name + " " + fmt.Sprintf(r.unit, r.end()) }

// faster asks whether BA-Topo reaches no level of error later than its baselines, and the last one sooner.
func faster(q *question) (Result, string) {
	result, shown := q.race(q.Races)
	if q.Again != nil {
		again, other := q.race(q.Again)
		q.Note += " " + again.String()
		if again == Fails {
			q.Note += " as well: " + other
		}
	}
	return result, shown
}

// firstLate returns the first level, counted from 0, that a runner reaches too late; −1 where there is none.
func firstLate(mine, other runner) int {
	for k, t := range mine.times {
		last := k == len(mine.times)-1
		if t > other.times[k] || last && t == other.times[k] {
			return k
		}
	}
	return -1
}

// race lets BA-Topo with every budget run against its baselines, by our rows or by each data set of Table II.
func (q *question) race(races []paper.Race) (Result, string) {
	datasets := []string{""}
	if q.who.ID == Printed.ID {
		datasets = paper.Datasets
	}
	won := true
	var shown []string
	for _, dataset := range datasets {
		for _, race := range races {
			for _, budget := range race.Budgets {
				mine := q.run(fmt.Sprintf("paper-r%d", budget), dataset)
				text := strings.TrimPrefix(dataset+", "+mine.String(), ", ")
				var others []runner
				for _, name := range race.Rivals {
					other := q.run(name, dataset)
					others = append(others, other)
					k := firstLate(mine, other)
					won = won && k < 0
					if k >= 0 && len(q.Levels) > 0 {
						text += fmt.Sprintf(", behind %s at error %g (%.0f ms, %.0f ms)",
							other.name, q.Levels[k], mine.times[k], other.times[k])
					}
				}
				shown = append(shown, text+nearest(others))
			}
		}
	}
	return holds(won), strings.Join(shown, "; ")
}

// nearest spells a few baselines, or the fastest of many.
func nearest(others []runner) (text string) {
	const few = 3
	if len(others) > few {
		return ", next " + slices.MinFunc(others, func(a, b runner) int { return cmp.Compare(a.end(), b.end()) }).String()
	}
	for _, r := range others {
		text += ", " + r.String()
	}
	return text
}

// run finds the times of a topology; BA-Topo is the subject's.
func (q *question) run(topology, dataset string) runner {
	name, row := topology, topology
	if budget, ok := strings.CutPrefix(topology, "paper-r"); ok {
		name, row = "r = "+budget+":", q.who.Figures+"-r"+budget
	}
	at := "figures/" + q.Scenario + "/" + row
	switch {
	case dataset != "":
		seconds := q.number("Table II/%s/%s/%s/seconds", q.Scenario, topology, dataset)
		return runner{name, []float64{seconds}, "%.1f s"}
	case q.Levels == nil:
		return runner{name, []float64{q.number("%s/time_ms", at)}, "%.0f ms"}
	}
	r := runner{name: name, unit: "%.0f ms"}
	round, errors := q.number("%s/round_ms", at), q.list("%s/errors", at)
	for _, level := range q.Levels {
		reached := math.Inf(1)
		if k := slices.IndexFunc(errors, func(e float64) bool { return e <= level }); k >= 0 {
			reached = float64(k) * round
		}
		r.times = append(r.times, reached)
	}
	return r
}
