package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/schedules"
)

// restingFile is a cluster of fast and slow nodes.
const restingFile = "examples/node-level-16.yaml"

// printResting compares schedules in which slow nodes rest as plan compares all others, for messages of several sizes.
func printResting(ctx context.Context, seed uint64) error {
	base, err := cluster.ReadFile(restingFile)
	if err != nil {
		return err
	}
	fmt.Println("| message, MB | best without resting | progress | best with | progress |\n|---|---|---|---|---|")
	for _, mb := range []float64{cluster.PaperMessageMB, 200, 400} {
		spec := base.Spec()
		spec.Model = &cluster.ModelSpec{MessageMB: &mb}
		c, err := cluster.New(spec)
		if err != nil {
			return err
		}
		rows, err := restingRows(ctx, c)
		if err != nil {
			return err
		}
		sweep, err := sweep.New(ctx, design.Problem{Cluster: c, Purpose: design.Training},
			sweep.Settings{Seed: seed})
		if err != nil {
			return err
		}
		sweep.Baselines = append(sweep.Baselines, rows...)
		advice, err := advise.From(ctx, c, sweep, advise.Setting{Seed: seed, Optimizer: advise.SGD}, nil)
		if err != nil {
			return err
		}
		fmt.Printf("| %.1f | %s | %s |\n", mb, best(advice.All, false), best(advice.All, true))
	}
	return nil
}

// resting marks the names of schedules in which slow nodes rest.
const resting = "slow nodes in every"

// restingRows are the schedules in which slow nodes take part in some rounds only.
func restingRows(ctx context.Context, c *cluster.Cluster) (rows []sweep.Row, err error) {
	for _, every := range schedules.RestingEvery {
		s, _, err := schedules.Resting(c, every)
		if err != nil {
			return nil, err
		}
		plan, err := design.NewSchedulePlan(ctx, c, s)
		if err != nil {
			return nil, err
		}
		rows = append(rows, sweep.PlanRow(s.Name, plan))
	}
	return rows, nil
}

// best describes the first of the candidates in which slow nodes rest, or do not.
func best(all []advise.Candidate, rest bool) string {
	for _, c := range all {
		if strings.Contains(c.Name, resting) != rest {
			continue
		}
		steps := ""
		if c.Every > 1 {
			steps = fmt.Sprintf(", H = %d", c.Every)
		}
		return fmt.Sprintf("%s%s, %.1f ms | %.1f; %.1f", c.Name, steps, c.IterationMS, c.PredictedMS, c.PessimisticMS)
	}
	return "none | –"
}
