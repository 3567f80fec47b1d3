package present

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/show/report"
	"github.com/batopo/batopo/internal/train"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Training is a contest as shown.
type Training struct {
	Contest  *train.Contest
	Others   []*train.Contest // the same with other seeds, all complete; numbers are means over all then
	Complete bool             // false: it was stopped; the nodes' own models are not tested then, which takes long
	Target   float64          // accuracy
	Notes    []string         // what was made up, and what takes no part and why
}

// WriteTraining prints what was trained, and where every way of averaging ended.
func WriteTraining(w io.Writer, t Training) error {
	fmt.Fprintln(w, describeSetting(t.Contest.Setting(), t.Contest.Entries()[0].Settings))
	fmt.Fprintln(w)
	if err := trainingTable(t).WriteText(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, note := range t.Notes {
		fmt.Fprintln(w, note)
	}
	if n := len(t.Others); n > 0 {
		fmt.Fprintf(w, "Numbers with ± are means over %d seeds with Student's 95 %% interval.\n", n+1)
	}
	_, err := fmt.Fprintln(w,
		"Accuracy: the averaged model on test images, “of nodes” the mean of the nodes' own; "+
			"distance is the root\nmean square distance of the nodes' models from their mean. Time is predicted: "+
			"compute and rounds of the cluster's model.")
	return err
}

func trainingTable(t Training) report.Table {
	goal := percent(t.Target)
	table := report.NewTable("averaging", ">ms/iteration", ">iterations", ">accuracy", ">of nodes",
		">iterations to "+goal, ">s to "+goal, ">distance")
	notes := slices.ContainsFunc(t.Contest.Entries(), func(e train.Entry) bool { return entryNote(e) != "" })
	if notes {
		table.Columns = append(table.Columns, report.Column{Title: "note"})
	}
	for k, e := range t.Contest.Entries() {
		points := t.Contest.Points(k)
		if len(points) == 0 {
			continue
		}
		last := points[len(points)-1]
		var accuracy, local, iterations, seconds, apart []float64
		for _, c := range append([]*train.Contest{t.Contest}, t.Others...) {
			points := c.Points(k)
			end := points[len(points)-1]
			accuracy, apart = append(accuracy, end.Accuracy), append(apart, end.Distance)
			if t.Complete {
				local = append(local, c.LocalAccuracy(k))
			}
			if p, ok := train.Reached(points, t.Target); ok {
				iterations, seconds = append(iterations, float64(p.Iteration)), append(seconds, p.TimeMS/1000)
			}
		}
		runs := len(accuracy)
		cells := []string{
			e.Name, inColumn(t.Contest.IterationMS(k), 2), fmt.Sprint(last.Iteration), interval(accuracy, 4, runs),
			interval(local, 4, runs), interval(iterations, 0, runs), interval(seconds, 2, runs), distance(mean(apart)),
		}
		if notes {
			cells = append(cells, entryNote(e))
		}
		table.Add(cells...)
	}
	return table
}

// interval spells one number, or the mean of several with Student's 95 % interval. Where some runs have no number there
// is no mean: the cell says how many have one.
func interval(values []float64, digits, runs int) string {
	switch n := len(values); {
	case n == 0:
		return "–"
	case n < runs:
		return fmt.Sprintf("%d of %d", n, runs)
	case n == 1:
		return fixed(values[0], digits)
	default:
		t := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile(0.975)
		half := t * stat.StdDev(values, nil) / math.Sqrt(float64(n))
		return fixed(mean(values), digits) + " ± " + fixed(half, digits)
	}
}

func mean(values []float64) float64 { return stat.Mean(values, nil) }

// distance spells a distance between models; what rounding leaves of none is 0.
func distance(v float64) string {
	const rounding = 1e-12
	if v < rounding {
		return "0"
	}
	return fmt.Sprintf("%.2g", v)
}

// describeSetting says in words what is trained and how.
func describeSetting(s train.Setting, how train.Settings) string {
	momentum := "no momentum"
	if how.Beta > 0 {
		momentum = fmt.Sprintf("%s momentum %s", how.Momentum, short(how.Beta))
	}
	return fmt.Sprintf("%d nodes, %s: %d training and %d test images, %s\n%s, %s, %s per node, learning rate %s, %s",
		s.Nodes, s.Data, s.TrainImages, s.TestImages, spread(s.Skew),
		modelName(s.Widths), Count(s.Params, "parameter"), inflected(s.Batch, "image", "images"), short(how.Rate), momentum)
}

// spread says how classes are spread over nodes.
func spread(skew float64) string {
	if skew == 0 {
		return "classes evenly spread"
	}
	return fmt.Sprintf("classes spread by Dirichlet(%s)", short(skew))
}

// modelName spells the widths of a network: 64–32–10.
func modelName(widths []int) string {
	if len(widths) == 2 {
		return fmt.Sprintf("softmax regression %d–%d", widths[0], widths[1])
	}
	return "network " + strings.ReplaceAll(strings.Trim(fmt.Sprint(widths), "[]"), " ", "–")
}

// entryNote says how an entry averages where that is not a round after every step.
func entryNote(e train.Entry) string {
	var parts []string
	if e.Settings.Every > 1 {
		parts = append(parts, fmt.Sprintf("every %d", e.Settings.Every))
	}
	if e.Settings.Order != design.AdaptThenCombine {
		parts = append(parts, string(e.Settings.Order))
	}
	if e.Settings.Overlap {
		parts = append(parts, "overlapped")
	}
	return strings.Join(parts, ", ")
}

func percent(share float64) string { return short(100*share) + " %" }

// TrainingChart has the test error of the averaged models over predicted time, or over iterations.
func TrainingChart(t Training, overTime bool) report.LineChart {
	setting := t.Contest.Setting()
	chart := report.LineChart{
		Text: report.Text{
			Title:    fmt.Sprintf("Training on %d nodes", setting.Nodes),
			Subtitle: fmt.Sprintf("%s, %s, %s; averaged model", setting.Data, spread(setting.Skew), modelName(setting.Widths)),
		},
		X: report.Axis{Label: "predicted time", Unit: "s"}, Y: report.Axis{Label: "test error", Log: true},
		Levels: []report.Level{{Name: "accuracy " + percent(t.Target), Value: 1 - t.Target}},
	}
	if !overTime {
		chart.X = report.Axis{Label: "iterations"}
	}
	// A model without any error is drawn as half of one: a logarithmic axis has no 0.
	least := 0.5 / float64(setting.TestImages)
	for k, e := range t.Contest.Entries() {
		s := report.Series{Name: e.Name, Strong: e.Name == PlanName}
		for i, p := range t.Contest.Points(k) {
			x := p.TimeMS / 1000
			if !overTime {
				x = float64(p.Iteration)
			}
			accuracy := []float64{p.Accuracy}
			for _, c := range t.Others {
				accuracy = append(accuracy, c.Points(k)[i].Accuracy)
			}
			s.X, s.Y = append(s.X, x), append(s.Y, max(least, 1-mean(accuracy)))
		}
		if p, ok := train.Reached(t.Contest.Points(k), t.Target); ok && len(t.Others) == 0 {
			s.Note = fixed(p.TimeMS/1000, 2) + " s"
			if !overTime {
				s.Note = fmt.Sprint(p.Iteration)
			}
		}
		if len(s.X) > 0 {
			chart.Series = append(chart.Series, s)
		}
	}
	return chart
}

// PlanName is what a plan is called that was searched for beside its baselines.
const PlanName = "plan"
