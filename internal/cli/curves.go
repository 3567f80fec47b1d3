package cli

import (
	"context"
	"fmt"

	"batopo/consensus"
	"batopo/report"
)

// wipedOut is the fall of the error in one round from which on it counts as exact averaging.
const wipedOut = 1e-3

// errorSeries is a simulation as a curve over time or over rounds. A round that averages exactly
// is drawn as a fall at its end: a slope would cross the target long before anything has been averaged.
func errorSeries(name string, r *consensus.Result, overTime bool) report.Series {
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
		s.Note = count(last.Round, "round")
		if overTime {
			s.Note = report.Duration(last.TimeMS)
		}
	}
	return s
}

// drawErrors draws consensus error over time or over rounds.
func drawErrors(ctx context.Context, file, title string, series []report.Series, target float64, overTime bool) error {
	x := report.Axis{Label: "rounds"}
	if overTime {
		x = report.Axis{Label: "time", Unit: "ms"}
	}
	chart := report.LineChart{
		Text:   report.Text{Title: title, Subtitle: "root mean square distance from the mean, standard Gaussian starts"},
		X:      x,
		Y:      report.Axis{Label: "consensus error", Log: true},
		Series: series,
	}
	if target > 0 {
		chart.Levels = []report.Level{{Name: fmt.Sprintf("target %.0e", target), Value: target}}
	}
	figure, err := chart.Draw()
	if err != nil {
		return err
	}
	return writeFigure(ctx, file, figure)
}
