package present

import (
	"io"
	"math"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/train"
)

// TrainingStart is the first line of a training as programs read it.
type TrainingStart struct {
	Event string `json:"event"` // start
	train.Setting
	Target float64       `json:"target"`
	Runs   []TrainingRun `json:"runs"`
	Notes  []string      `json:"notes,omitempty"`
}

// TrainingRun is one way of averaging.
type TrainingRun struct {
	Name        string  `json:"run"`
	Plan        string  `json:"plan"` // hash of its rounds; empty: exact averaging
	IterationMS float64 `json:"iteration_ms"`
	train.Settings
}

// TrainingTest is a line about a test of an averaged model. Numbers that are none, of models that grew beyond bounds,
// are null.
type TrainingTest struct {
	Event     string   `json:"event"` // test
	Name      string   `json:"run"`
	Iteration int      `json:"iteration"`
	TimeMS    float64  `json:"time_ms"`
	TrainLoss *float64 `json:"train_loss"`
	TestLoss  *float64 `json:"test_loss"`
	Accuracy  float64  `json:"accuracy"`
	Distance  *float64 `json:"distance"`
}

// TrainingEnd is a line about where a way of averaging ended.
type TrainingEnd struct {
	Event         string   `json:"event"` // end
	Name          string   `json:"run"`
	Complete      bool     `json:"complete"`
	Iterations    int      `json:"iterations"`
	Accuracy      float64  `json:"accuracy"`
	LocalAccuracy *float64 `json:"local_accuracy"` // null: it was stopped
	Distance      *float64 `json:"distance"`
	ToTarget      *int     `json:"iterations_to_target"` // null: not reached
	TimeMS        *float64 `json:"time_ms_to_target"`
}

// WriteTrainingStart writes the first line.
func WriteTrainingStart(w io.Writer, t Training) error {
	start := TrainingStart{Event: "start", Setting: t.Contest.Setting(), Target: t.Target, Notes: t.Notes}
	for k, e := range t.Contest.Entries() {
		run := TrainingRun{e.Name, "", t.Contest.IterationMS(k), e.Settings}
		if e.W != nil {
			run.Plan = design.FromSchedule(e.W).Hash
		}
		start.Runs = append(start.Runs, run)
	}
	return writeJSON(w, start, "")
}

// WriteTrainingTest writes a line about a test.
func WriteTrainingTest(w io.Writer, name string, p train.Point) error {
	return writeJSON(w, TrainingTest{"test", name, p.Iteration, p.TimeMS,
		finite(p.TrainLoss), finite(p.Loss), p.Accuracy, finite(p.Distance)}, "")
}

// WriteTrainingEnd writes the last lines, one for each way of averaging.
func WriteTrainingEnd(w io.Writer, t Training) error {
	for k, e := range t.Contest.Entries() {
		points := t.Contest.Points(k)
		if len(points) == 0 {
			continue
		}
		last := points[len(points)-1]
		end := TrainingEnd{Event: "end", Name: e.Name, Complete: t.Complete, Iterations: last.Iteration,
			Accuracy: last.Accuracy, Distance: finite(last.Distance)}
		if t.Complete {
			local := t.Contest.LocalAccuracy(k)
			end.LocalAccuracy = &local
		}
		if p, ok := train.Reached(points, t.Target); ok {
			end.ToTarget, end.TimeMS = &p.Iteration, &p.TimeMS
		}
		if err := writeJSON(w, end, ""); err != nil {
			return err
		}
	}
	return nil
}

// finite returns nil for what JSON cannot say.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
