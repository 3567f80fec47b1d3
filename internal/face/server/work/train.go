package work

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/internal/train"
	"github.com/batopo/batopo/mixing"
)

// A TrainRequest asks how plans and known topologies learn on a cluster. The command line fills one from its flags.
// What is left out has the value of [DefaultTraining].
type TrainRequest struct {
	Cluster    cluster.Spec `json:"cluster"`
	Plans      []NamedPlan  `json:"plans,omitempty"`
	Baselines  []string     `json:"baselines,omitempty"` // families, schedules, all-reduce
	Iterations int          `json:"iterations,omitempty"`
	TestEvery  int          `json:"test_every,omitempty"`
	Hidden     []int        `json:"hidden,omitempty"` // widths of the hidden layers
	Skew       float64      `json:"skew,omitempty"`   // classes are spread by Dirichlet(skew); 0 means evenly
	Batch      int          `json:"batch,omitempty"`  // images per node and iteration
	Target     float64      `json:"target,omitempty"` // accuracy
	Seed       uint64       `json:"seed,omitempty"`

	Rate        float64        `json:"rate,omitempty"`     // learning rate
	Momentum    train.Momentum `json:"momentum,omitempty"` // "" means local
	Beta        float64        `json:"beta,omitempty"`     // factor of the momentum
	WeightDecay float64        `json:"weight_decay,omitempty"`
	Order       design.Order   `json:"order,omitempty"` // "" means the plan's, else atc
	Every       int            `json:"every,omitempty"` // 0 means the plan's, else 1

	Workers int `json:"-"` // 0 means all cores
}

// DefaultTraining is what is trained where nothing else is asked for.
func DefaultTraining() TrainRequest {
	return TrainRequest{Iterations: 300, TestEvery: 5, Hidden: []int{32}, Batch: 16, Target: 0.9, Seed: 1, Rate: 0.05,
		Beta: 0.9}
}

// A TrainAnswer holds the lines that batopo train --json prints: of the start, of every test, and of the ends.
type TrainAnswer struct {
	Start present.TrainingStart  `json:"start"`
	Tests []present.TrainingTest `json:"tests"`
	Ends  []present.TrainingEnd  `json:"ends"`
}

// Model is what every node trains.
func (r *TrainRequest) Model() train.Model {
	return train.Model{Hidden: r.Hidden, Batch: r.Batch, Skew: r.Skew, Seed: r.Seed}
}

// Length is how long to train.
func (r *TrainRequest) Length() train.Length {
	return train.Length{Iterations: r.Iterations, TestEvery: r.TestEvery}
}

func (r *TrainRequest) settings() train.Settings {
	momentum := train.Momentum(strings.ToLower(string(r.Momentum)))
	return train.Settings{Rate: r.Rate, Beta: r.Beta, Momentum: cmp.Or(momentum, train.Local), WeightDecay: r.WeightDecay,
		Order: design.Order(strings.ToLower(string(r.Order))), Every: r.Every, Workers: r.Workers}
}

// Validate checks what can be checked without the cluster.
func (r *TrainRequest) Validate() error {
	if !(r.Target > 0 && r.Target < 1) {
		return fmt.Errorf("target is %v; an accuracy to reach is above 0 and below 1", r.Target)
	}
	if err := r.Length().Validate(); err != nil {
		return err
	}
	return r.settings().Validate()
}

func (r *TrainRequest) check(l Limits) (title string, err error) {
	if len(r.Plans)+len(r.Baselines) == 0 {
		return "", errors.New("nothing to train with; give plans or baselines")
	}
	if err := r.Validate(); err != nil {
		return "", err
	}
	c, _, err := l.clusterAndPlans(r.Cluster, r.Plans)
	if err != nil {
		return "", err
	}
	_, err = train.NewNetwork(train.Digits(), r.Model(), c.Nodes())
	if err == nil && r.Iterations > l.Iterations {
		err = fmt.Errorf("iterations is %d; this server allows %d", r.Iterations, l.Iterations)
	}
	return "training of " + present.Count(len(r.Plans)+len(r.Baselines), "way"), err
}

func (r *TrainRequest) run(ctx context.Context, l Limits, feed *jobs.Feed) ([]outfile.File, error) {
	c, plans, err := l.clusterAndPlans(r.Cluster, r.Plans)
	if err != nil {
		return nil, err
	}
	network, err := train.NewNetwork(train.Digits(), r.Model(), c.Nodes())
	if err != nil {
		return nil, err
	}
	entries, t, err := r.entries(c, plans)
	if err != nil {
		return nil, err
	}
	if t.Contest, err = train.NewContest(c, network, entries, r.Length()); err != nil {
		return nil, err
	}
	t.Complete = t.Contest.Train(ctx, func(entry int, p train.Point) {
		var line present.TrainingTest
		err := decoded(&line, func(b *bytes.Buffer) error {
			return present.WriteTrainingTest(b, entries[entry].Name, p)
		})
		if err == nil {
			feed.Keep("test", line)
		}
	})
	if len(t.Contest.Points(0)) == 0 {
		return nil, nil
	}
	answer, err := trainAnswer(t)
	if err != nil {
		return nil, err
	}
	files := []outfile.File{jsonFile(ResultFile, answer)}
	if figure, err := present.TrainingChart(t, true).Draw(); err == nil {
		files = append(files, outfile.File{Name: "learning.svg", Write: figure.Write})
	}
	return written(files)
}

// entries are the plans given and the baselines asked for.
func (r *TrainRequest) entries(
	c *cluster.Cluster, plans []*design.Plan,
) (out []train.Entry, t present.Training, err error) {
	for k, p := range plans {
		w, err := p.Averages()
		if err != nil {
			return nil, t, fmt.Errorf("%s: %w", r.Plans[k].Name, err)
		}
		out = append(out, r.Entry(r.Plans[k].Name, w, p))
	}
	known, notes, err := r.BaselineEntries(c)
	out = append(out, known...)
	return out, present.Training{Target: r.Target, Notes: append(notes, Diverging(out)...)}, err
}

// Diverging names the entries whose nodes will drift apart.
func Diverging(entries []train.Entry) (notes []string) {
	for _, e := range entries {
		if e.Diverges() {
			notes = append(notes, fmt.Sprintf("%s: with an average in every %d steps quasi-global momentum drives its nodes "+
				"apart; it will diverge", e.Name, e.Settings.Every))
		}
	}
	return notes
}

// Entry trains by rounds W as their plan says, unless the request says otherwise; plan may be nil.
func (r *TrainRequest) Entry(name string, w *mixing.Schedule, plan *design.Plan) train.Entry {
	s := r.settings()
	if plan != nil {
		if plan.Kind == design.CollectiveKind {
			w = nil // the exact mean
		}
		s.Order, s.Every = cmp.Or(s.Order, plan.Order), cmp.Or(s.Every, plan.Every)
		s.Overlap = plan.Overlap && s.Order != design.AdaptThenCombine
	}
	s.Order, s.Every = cmp.Or(s.Order, design.AdaptThenCombine), cmp.Or(s.Every, 1)
	return train.Entry{Name: name, W: w, Plan: plan, Settings: s}
}

func trainAnswer(t present.Training) (answer TrainAnswer, err error) {
	if err = decoded(&answer.Start, func(b *bytes.Buffer) error { return present.WriteTrainingStart(b, t) }); err != nil {
		return answer, err
	}
	for k, e := range t.Contest.Entries() {
		for _, p := range t.Contest.Points(k) {
			var line present.TrainingTest
			err := decoded(&line, func(b *bytes.Buffer) error { return present.WriteTrainingTest(b, e.Name, p) })
			if err != nil {
				return answer, err
			}
			answer.Tests = append(answer.Tests, line)
		}
	}
	var b bytes.Buffer
	if err := present.WriteTrainingEnd(&b, t); err != nil {
		return answer, err
	}
	for d := json.NewDecoder(&b); d.More(); {
		var end present.TrainingEnd
		if err := d.Decode(&end); err != nil {
			return answer, err
		}
		answer.Ends = append(answer.Ends, end)
	}
	return answer, nil
}

// decoded reads back a line of JSON: the words and digits of an answer are those of package present.
func decoded(into any, write func(*bytes.Buffer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return json.Unmarshal(b.Bytes(), into)
}
