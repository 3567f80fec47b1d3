package present

import (
	"fmt"

	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/show/report"
)

// tradeChart shows every budget's rate over its time per round, and what is proved about both.
func tradeChart(s *sweep.Sweep, as role) report.ScatterChart {
	c := report.ScatterChart{
		Text: report.Text{Title: "Rate against time per round"}, Chosen: as.note,
		X: report.Axis{Label: "time per round", Unit: "ms", Log: true},
		Y: report.Axis{Label: "r_asym"},
	}
	limit := report.Path{Name: "proved bound", Dashed: true}
	for _, o := range s.Outcomes {
		p := o.Plan
		if p == nil {
			continue
		}
		c.Points = append(c.Points, report.Point{
			Name: fmt.Sprintf("r = %d", len(p.Edges())),
			Note: fmt.Sprintf("%s, %s", Count(p.Iterations, "round"), report.Time(p.TimeMS)),
			X:    p.CommunicationMS, Y: p.RAsym, Strong: p == s.Best(),
		})
		limit.X, limit.Y = append(limit.X, p.CommunicationMS), append(limit.Y, p.Bound.RAsym)
	}
	c.Paths = []report.Path{report.Front("best found", c.Points), limit}
	return c
}

// timeChart shows the time to the target over the number of edges.
func timeChart(s *sweep.Sweep, as role) report.ScatterChart {
	c := report.ScatterChart{
		Text: report.Text{Title: "Time to target over edges"}, Chosen: as.note,
		X: report.Axis{Label: "edges", Log: true, Whole: true},
		Y: report.Axis{Label: "time to target", Unit: "ms", Log: true},
	}
	line := report.Path{Name: "best found"}
	for _, o := range s.Outcomes {
		p := o.Plan
		if p == nil || p.Iterations == 0 {
			continue
		}
		edges := float64(len(p.Edges()))
		c.Points = append(c.Points, report.Point{
			Name: short(p.TimeMS) + " ms", X: edges, Y: p.TimeMS, Strong: p == s.Best(),
		})
		line.X, line.Y = append(line.X, edges), append(line.Y, p.TimeMS)
	}
	c.Paths = []report.Path{line}
	return c
}

// candidateBars compares what could be run by the time that is worth a step of synchronous training.
func candidateBars(a *advise.Advice) (c report.BarChart) {
	const most = 8
	for _, k := range listed(a, most) {
		c.Bars = append(c.Bars, report.Bar{Name: rowText(k), Value: k.PredictedMS, Text: inColumn(k.PredictedMS, 1) + " ms",
			Strong: k.Name == a.Recommended.Name})
	}
	return c
}
