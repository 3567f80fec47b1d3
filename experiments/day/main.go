// Command day simulates a day of changing bandwidths and asks what replanning brings, for plans of every kind.
//
//	go run ./experiments/day                    prints the tables of docs/research/links.md
//	go run ./experiments/day -o day.svg         and draws the first one hour by hour
//
// Rates change every twenty minutes. Policies see the rates of the step before, as a measurement would show them; only
// the oracle sees those of the step. A change of plan costs its time; the oracle's are free. The oracle of a kind runs
// the best plan of all that are known in a step: the one from scratch and those of the other policies.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/replan"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

const (
	stepsInDay = 72 // of twenty minutes
	stepMS     = 24 * 3600 * 1000 / stepsInDay
	switchMS   = 5000 // without progress at a change of plan
)

func main() {
	file := flag.String("rates", "format/importer/testdata/gossipfl-15-node-wan.csv", "matrix of rates in MB/s")
	seed := flag.Uint64("seed", 1, "of the trace")
	evaluations := flag.Int("evaluations", 500, "of every search")
	only := flag.Int("day", 0, "only this one of the three")
	picture := flag.String("o", "", "draw the first day into this file")
	flag.Parse()
	if err := run(context.Background(), *file, *seed, *evaluations, *only, *picture); err != nil {
		fmt.Fprintln(os.Stderr, "day:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, file string, seed uint64, evaluations, only int, picture string) error {
	sites, err := wan(file)
	if err != nil {
		return err
	}
	settings := replan.Settings{Seed: seed, Evaluations: evaluations, SwitchMS: switchMS, HorizonMS: stepMS}
	const averages, training = "averages in a day", "training steps in a day"
	for k, one := range []struct {
		day
		kinds []kind
	}{
		{day{network: sites, what: averages, each: toTarget, alike: true},
			[]kind{{"static graph", staticGraph}, {"schedule", schedule}, {"all-reduce", allReduce}}},
		{day{network: farms(), what: averages, each: toTarget}, []kind{{"hierarchical", levels}}},
		{day{network: farms(), what: training, each: iteration}, []kind{{"batopo.ddp", gradients},
			{"local SGD between groups", clocks}}},
	} {
		if only > 0 && k != only-1 {
			continue
		}
		d := &one.day
		d.settings, d.steps = settings, stepsInDay
		if err := d.run(ctx, one.kinds); err != nil {
			return err
		}
		d.print()
		if k == 0 && picture != "" {
			if err := d.draw(picture); err != nil {
				return err
			}
		}
	}
	return nil
}

// A kind of plan, and the first plan of a day.
type kind struct {
	name  string
	first func(ctx context.Context, c *cluster.Cluster, s replan.Settings) (*design.Plan, error)
}

func staticGraph(ctx context.Context, c *cluster.Cluster, s replan.Settings) (*design.Plan, error) {
	return sweep.Optimize(ctx, design.Problem{Cluster: c, MaxEdges: 45, Objective: design.Time},
		sweep.Settings{Seed: s.Seed, Evaluations: s.Evaluations})
}

// schedule begins with the best that replan finds from a one-peer exponential one.
func schedule(ctx context.Context, c *cluster.Cluster, s replan.Settings) (*design.Plan, error) {
	peers, err := onePeer(c.Nodes())
	if err != nil {
		return nil, err
	}
	p, err := design.NewSchedulePlan(ctx, c, peers)
	if err != nil {
		return nil, err
	}
	return better(ctx, p, c, s)
}

func onePeer(n int) (*mixing.Schedule, error) {
	family, err := mixing.FindSchedule("one-peer-exponential")
	if err != nil {
		return nil, err
	}
	return family.Build(mixing.ScheduleParams{Nodes: n})
}

func allReduce(ctx context.Context, c *cluster.Cluster, s replan.Settings) (*design.Plan, error) {
	p, err := design.NewCollectivePlan(c, ring(c.Nodes()))
	if err != nil {
		return nil, err
	}
	return better(ctx, p, c, s)
}

func ring(n int) *design.Collective {
	return &design.Collective{Algorithm: design.RingForm, Order: topology.InOrder(n)}
}

// gradients are averaged in every step by an all-reduce of this project's.
func gradients(ctx context.Context, c *cluster.Cluster, s replan.Settings) (*design.Plan, error) {
	p, err := design.NewCollectivePlan(c, ring(c.Nodes()))
	if err != nil {
		return nil, err
	}
	p.Average, p.Purpose = design.Gradients, design.Training
	p.Seal()
	return better(ctx, p, c, s)
}

// levels average inside sites, and run a schedule between them.
func levels(ctx context.Context, c *cluster.Cluster, s replan.Settings) (*design.Plan, error) {
	groups := sitesOf(c)
	peers, err := onePeer(len(groups))
	if err != nil {
		return nil, err
	}
	p, err := design.NewTwoLevelPlan(ctx, c, groups, peers)
	if err != nil {
		return nil, err
	}
	return better(ctx, p, c, s)
}

// clocks average gradients inside sites in every step, and models among the sites every eight.
func clocks(ctx context.Context, c *cluster.Cluster, s replan.Settings) (*design.Plan, error) {
	groups := sitesOf(c)
	p, err := design.NewTwoClockPlan(c, groups, ring(len(groups)))
	if err != nil {
		return nil, err
	}
	p.Every, p.Purpose = 8, design.Training
	p.Seal()
	return better(ctx, p, c, s)
}

func sitesOf(c *cluster.Cluster) (groups [][]int) {
	for i := range c.Nodes() {
		if i%groupsOf == 0 {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], i)
	}
	return groups
}

// better is the best plan of its kind that replan finds, however little it gains.
func better(ctx context.Context, p *design.Plan, c *cluster.Cluster, s replan.Settings) (*design.Plan, error) {
	s.Changes = 1
	answer, err := replan.Decide(ctx, p, c, s)
	if err != nil || answer.New == nil {
		return p, err
	}
	return answer.New, nil
}

// toTarget is how long a plan takes to the target error.
func toTarget(ctx context.Context, p *design.Plan, c *cluster.Cluster) (float64, error) {
	now, err := p.On(ctx, c)
	if err != nil {
		return 0, err
	}
	return now.TimeMS, nil
}

func iteration(_ context.Context, p *design.Plan, c *cluster.Cluster) (float64, error) {
	return p.IterationMS(c)
}

// fastest is the plan that takes least time on a cluster.
func (d *day) fastest(ctx context.Context, c *cluster.Cluster, plans ...*design.Plan) (*design.Plan, error) {
	times := make([]float64, len(plans))
	for k, p := range plans {
		var err error
		if times[k], err = d.each(ctx, p, c); err != nil {
			return nil, err
		}
	}
	return plans[slices.Index(times, slices.Min(times))], nil
}
