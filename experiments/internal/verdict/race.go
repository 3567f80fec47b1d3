package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/experiments/internal/paper"
	"github.com/batopo/batopo/report"
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

// faster asks whether BA-Topo reaches no level of error later than its rivals, and the last one sooner.
func faster(q *question) (report.Result, string) {
	result, shown := q.race(nil, firstLate)
	if q.Instead != nil {
		again, other := q.race(q.Instead, firstLate)
		q.Note += " " + again.String()
		if again == report.Fails {
			q.Note += " as well: " + other
		}
	}
	return result, shown
}

// firstLate returns the first level, counted from 0, that a runner reaches too late; −1 where there is none.
func firstLate(mine, rival runner) int {
	for k, t := range mine.times {
		last := k == len(mine.times)-1
		if t > rival.times[k] || last && t == rival.times[k] {
			return k
		}
	}
	return -1
}

// slower asks whether BA-Topo comes after its rivals, and not by more than a share of their time if there is one.
func slower(q *question) (report.Result, string) {
	return q.race(nil, func(mine, rival runner) int {
		if ratio := mine.end() / rival.end(); ratio > 1 && ratio <= 1+q.value("within") {
			return -1
		}
		return 0
	})
}

// race lets BA-Topo with every budget run against all rivals, by our rows or by each data set of Table II.
func (q *question) race(instead map[string]string, late func(mine, rival runner) int) (report.Result, string) {
	datasets := []string{""}
	if q.who.ID == Printed.ID {
		datasets = paper.Datasets
	}
	won := true
	var shown []string
	for _, dataset := range datasets {
		for _, t := range q.Paper.Scenario(q.Reading.Scenario) {
			rivals := q.rivals(t, dataset, instead)
			if len(rivals) == 0 {
				continue
			}
			mine := q.run(t, dataset, nil)
			text := strings.TrimPrefix(dataset+", "+mine.String(), ", ")
			for _, rival := range rivals {
				k := late(mine, rival)
				won = won && k < 0
				if k >= 0 && len(q.Levels) > 0 {
					text += fmt.Sprintf(", behind %s at error %g (%.0f ms, %.0f ms)",
						rival.name, q.Levels[k], mine.times[k], rival.times[k])
				}
			}
			shown = append(shown, text+nearest(rivals))
		}
	}
	return holds(won), strings.Join(shown, "; ")
}

// nearest spells a few rivals, or the fastest of many.
func nearest(rivals []runner) (text string) {
	const few = 3
	if len(rivals) > few {
		return ", next " + slices.MinFunc(rivals, func(a, b runner) int { return cmp.Compare(a.end(), b.end()) }).String()
	}
	for _, r := range rivals {
		text += ", " + r.String()
	}
	return text
}

// rivals returns whom a topology of the paper is compared with: nobody where the sentence is not about it.
func (q *question) rivals(mine paper.Training, dataset string, instead map[string]string) (rivals []runner) {
	if !mine.ByMethod() || q.Budgets != nil && !slices.Contains(q.Budgets, mine.Budget()) {
		return nil
	}
	for _, t := range q.Paper.Scenario(q.Reading.Scenario) {
		switch {
		case t.Topology == mine.Topology, t.ByMethod() && !q.OwnBudgets:
		case q.Rivals != nil && !slices.Contains(q.Rivals, t.Topology), slices.Contains(q.Except, t.Topology):
		case q.SameEdges && int(q.number("figures/%s/%s/edges", t.Scenario, t.Topology)) != mine.Budget():
		default:
			rivals = append(rivals, q.run(t, dataset, instead))
		}
	}
	return rivals
}

// run finds the times of a topology, or of the one that runs instead of it.
func (q *question) run(t paper.Training, dataset string, instead map[string]string) runner {
	name, row := t.Topology, cmp.Or(instead[t.Topology], t.Topology)
	if t.ByMethod() {
		name = fmt.Sprintf("r = %d:", t.Budget())
		row = fmt.Sprintf("%s-r%d", q.who.Figures, t.Budget())
	}
	at := "figures/" + t.Scenario + "/" + row
	switch {
	case dataset != "":
		return runner{name, []float64{t.Seconds[dataset].Value()}, "%.1f s"}
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
