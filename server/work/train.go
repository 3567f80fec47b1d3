package work

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/outfile"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/present"
	"github.com/batopo/batopo/server/jobs"
	"github.com/batopo/batopo/train"
)

// A TrainRequest asks how plans and known topologies learn small digits on a cluster.
type TrainRequest struct {
	Cluster    cluster.Spec `json:"cluster"`
	Plans      []NamedPlan  `json:"plans,omitempty"`
	Baselines  []string     `json:"baselines,omitempty"`  // by the names that compare lists
	Iterations int          `json:"iterations,omitempty"` // 0 means 300
	TestEvery  int          `json:"test_every,omitempty"` // 0 means 5
	Skew       float64      `json:"skew,omitempty"`       // classes are spread by Dirichlet(skew); 0 means evenly
	Batch      int          `json:"batch,omitempty"`      // images per node and iteration; 0 means 16
	Rate       float64      `json:"rate,omitempty"`       // learning rate; 0 means 0.05
	Target     float64      `json:"target,omitempty"`     // accuracy; 0 means 0.9
	Seed       uint64       `json:"seed,omitempty"`       // 0 means 1
}

// A TrainAnswer holds the lines that batopo train --json prints: of the start, of every test, and of the ends.
type TrainAnswer struct {
	Start present.TrainingStart  `json:"start"`
	Tests []present.TrainingTest `json:"tests"`
	Ends  []present.TrainingEnd  `json:"ends"`
}

const hidden = 32 // width of the network's hidden layer

func (r *TrainRequest) model() train.Model {
	return train.Model{Hidden: []int{hidden}, Batch: cmp.Or(r.Batch, 16), Skew: r.Skew, Seed: cmp.Or(r.Seed, 1)}
}

func (r *TrainRequest) length() train.Length {
	return train.Length{Iterations: cmp.Or(r.Iterations, 300), TestEvery: cmp.Or(r.TestEvery, 5)}
}

func (r *TrainRequest) settings() train.Settings {
	return train.Settings{Rate: cmp.Or(r.Rate, 0.05), Beta: 0.9, Every: 1}
}

func (r *TrainRequest) check(l Limits) (title string, err error) {
	if err := r.checkNumbers(l); err != nil {
		return "", err
	}
	compare := CompareRequest{Cluster: r.Cluster, Plans: r.Plans}
	c, err := compare.build(l)
	if err != nil {
		return "", err
	}
	_, err = train.NewNetwork(train.Digits(), r.model(), c.Nodes())
	return "training of " + present.Count(len(r.Plans)+len(r.Baselines), "way"), err
}

// checkNumbers checks what can be checked without the cluster.
func (r *TrainRequest) checkNumbers(l Limits) error {
	if len(r.Plans)+len(r.Baselines) == 0 {
		return fmt.Errorf("nothing to train with; give plans or baselines")
	}
	if target := cmp.Or(r.Target, 0.9); !(target > 0 && target < 1) {
		return fmt.Errorf("target is %v; an accuracy is above 0 and below 1", r.Target)
	}
	if r.Iterations > l.Iterations {
		return fmt.Errorf("iterations is %d; this server allows %d", r.Iterations, l.Iterations)
	}
	if err := r.length().Validate(); err != nil {
		return err
	}
	return r.settings().Validate()
}

func (r *TrainRequest) run(ctx context.Context, l Limits, feed *jobs.Feed) ([]outfile.File, error) {
	c, err := cluster.New(r.Cluster)
	if err != nil {
		return nil, err
	}
	network, err := train.NewNetwork(train.Digits(), r.model(), c.Nodes())
	if err != nil {
		return nil, err
	}
	entries, err := r.entries(ctx, l, c)
	if err != nil {
		return nil, err
	}
	contest, err := train.NewContest(c, network, entries, r.length())
	if err != nil {
		return nil, err
	}
	t := present.Training{Contest: contest, Target: cmp.Or(r.Target, 0.9)}
	t.Complete = contest.Train(ctx, func(entry int, p train.Point) {
		var line present.TrainingTest
		err := decoded(&line, func(b *bytes.Buffer) error {
			return present.WriteTrainingTest(b, entries[entry].Name, p)
		})
		if err == nil {
			feed.Keep("test", line)
		}
	})
	if len(contest.Points(0)) == 0 {
		return nil, nil
	}
	answer, err := trainAnswer(t)
	if err != nil {
		return nil, err
	}
	files := []outfile.File{jsonFile(ResultFile, answer)}
	if figure, err := present.DrawTraining(t, true); err == nil {
		files = append(files, outfile.File{Name: "learning.svg", Write: figure.Write})
	}
	return written(files)
}

// entries are the plans given and the baselines asked for.
func (r *TrainRequest) entries(
	ctx context.Context, l Limits, c *cluster.Cluster,
) (out []train.Entry, err error) {
	compare := CompareRequest{Cluster: r.Cluster, Plans: r.Plans}
	rows, _, err := compare.own(ctx, l, c)
	if err != nil {
		return nil, err
	}
	if len(r.Baselines) > 0 {
		known, _ := planner.Baselines(ctx, c, cmp.Or(r.Seed, 1))
		for _, name := range r.Baselines {
			k := slices.IndexFunc(known, func(row planner.Row) bool { return row.Name == name })
			if k < 0 {
				return nil, fmt.Errorf("baselines has %q, which is not one that this cluster can have", name)
			}
			rows = append(rows, known[k])
		}
	}
	for _, row := range rows {
		e := train.Entry{Name: row.Name, Settings: r.settings()}
		if row.Plan != nil {
			if e.W, err = row.Plan.Schedule(); err != nil {
				return nil, err
			}
		}
		out = append(out, e)
	}
	return out, nil
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
