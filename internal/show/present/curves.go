package present

import (
	"context"
	"fmt"

	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/consensus"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/show/report"
)

// wipedOut is the fall of the error in one round from which on it counts as exact averaging.
const wipedOut = 1e-3

// mostCurves keeps a picture readable.
const mostCurves = 12

// ErrorCurve is a simulation as a curve over time or over rounds. A round that averages exactly
// is drawn as a fall at its end: a slope would cross the target long before anything has been averaged.
func ErrorCurve(name string, r *consensus.Result, overTime bool) report.Series {
	s := report.Series{Name: name}
	for _, e := range r.Errors {
		x := float64(e.Round)
		if overTime {
			x = e.TimeMS
		}
		if last := len(s.Y) - 1; last >= 0 && e.RMS < wipedOut*s.Y[last] {
			s.X, s.Y = append(s.X, x), append(s.Y, s.Y[last])
		}
		s.X, s.Y = append(s.X, x), append(s.Y, e.RMS)
	}
	if r.Reached {
		last := r.Errors[len(r.Errors)-1]
		s.Note = Count(last.Round, "round")
		if overTime {
			s.Note = report.Duration(last.TimeMS)
		}
	}
	return s
}

// RowCurves simulates the first rows that reach the target, as many as a picture has room for, and returns their
// errors over time. Before each simulation it calls progress, which may be nil, with the row's position. When ctx
// ends it returns the cause.
func RowCurves(
	ctx context.Context, rows []sweep.Row, target float64, progress func(row int),
) ([]report.Series, error) {
	var curves []report.Series
	for k, r := range rows {
		if r.Plan == nil || r.Iterations == nil || len(curves) == mostCurves {
			continue
		}
		if progress != nil {
			progress(k)
		}
		w, err := r.Plan.Averages()
		if err != nil {
			return nil, err
		}
		settings := consensus.Settings{Seed: 1, Target: target, MaxRounds: min(10**r.Iterations, limits.Rounds)}
		result, err := consensus.Simulate(ctx, w, settings)
		if err != nil {
			return nil, err
		}
		if !result.Complete {
			return nil, context.Cause(ctx)
		}
		curves = append(curves, ErrorCurve(r.Name, result, true))
	}
	return curves, nil
}

// ErrorChart has consensus errors over time or over rounds, with a line at the target where that is positive.
func ErrorChart(title string, curves []report.Series, target float64, overTime bool) report.LineChart {
	text := report.Text{Title: title, Subtitle: "root mean square distance from the mean, standard Gaussian starts"}
	x := report.Axis{Label: "rounds"}
	if overTime {
		x = report.Axis{Label: "time", Unit: "ms"}
	}
	chart := report.LineChart{Text: text, X: x, Y: report.Axis{Label: "consensus error", Log: true}, Series: curves}
	if target > 0 {
		chart.Levels = []report.Level{{Name: fmt.Sprintf("target %.0e", target), Value: target}}
	}
	return chart
}
