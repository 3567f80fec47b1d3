// Command day simulates a day of changing bandwidths on a WAN of 15 sites and asks what replanning brings.
//
//	go run ./experiments/day            prints the table of docs/research/links.md
//
// Rates change every ten minutes. Policies see the rates of the step before, as a measurement would show them; only
// the oracle sees those of the step. A change of plan costs its time; the oracle's are free. All run the same work:
// averages to the target error, one after the other. The oracle's plan is the best of all that are known in a step:
// the one from scratch and those of the other policies.
package main

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"strconv"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/replan"
	"github.com/batopo/batopo/internal/choose/sweep"
)

const (
	steps     = 144 // of ten minutes
	stepMS    = 24 * 3600 * 1000 / steps
	messageMB = 1.0
	switchMS  = 5000 // without progress at a change of plan
)

func main() {
	file := flag.String("rates", "format/importer/testdata/gossipfl-15-node-wan.csv", "matrix of rates in MB/s")
	seed := flag.Uint64("seed", 1, "of the trace")
	evaluations := flag.Int("evaluations", 3000, "of every plan from scratch")
	flag.Parse()
	if err := run(context.Background(), *file, *seed, *evaluations); err != nil {
		fmt.Fprintln(os.Stderr, "day:", err)
		os.Exit(1)
	}
}

// A policy has a running plan and what it has done so far.
type policy struct {
	name     string
	plan     *design.Plan
	averages float64 // to the target error
	switches int
	changed  int // edges, over all switches
}

// work runs a step on a cluster; the time of a switch is lost.
func (p *policy) work(ctx context.Context, c *cluster.Cluster, switched bool) error {
	w, err := p.plan.Matrices()
	if err != nil {
		return err
	}
	now, err := sweep.Describe(ctx, c, w[0])
	if err != nil {
		return err
	}
	left := float64(stepMS)
	if switched {
		left -= switchMS
	}
	p.averages += left / now.TimeMS
	return nil
}

// best runs a step with whichever plan is fastest on the cluster.
func (p *policy) best(ctx context.Context, c *cluster.Cluster, plans ...*design.Plan) error {
	most, before := 0.0, p.averages
	var chosen *design.Plan
	for _, plan := range plans {
		try := policy{plan: plan}
		if err := try.work(ctx, c, false); err != nil {
			return err
		}
		if try.averages > most {
			most, chosen = try.averages, plan
		}
	}
	p.take(chosen)
	p.averages = before + most
	return nil
}

// take goes over to another plan and reports whether it is another one.
func (p *policy) take(next *design.Plan) bool {
	if p.plan == nil || next.Hash == p.plan.Hash {
		p.plan = next
		return false
	}
	p.switches++
	p.changed += distance(p.plan, next)
	p.plan = next
	return true
}

// distance counts the edges that only one of two plans has.
func distance(a, b *design.Plan) int {
	has := map[[2]int]int{}
	for _, e := range a.Edges() {
		has[[2]int{e.I, e.J}]++
	}
	for _, e := range b.Edges() {
		has[[2]int{e.I, e.J}]++
	}
	only := 0
	for _, times := range has {
		only += times % 2
	}
	return only
}

func run(ctx context.Context, file string, seed uint64, evaluations int) error {
	base, err := readRates(file)
	if err != nil {
		return err
	}
	day := newTrace(base, steps, seed)
	never := &policy{name: "never"}
	few := &policy{name: "replan"}
	scratch := &policy{name: "from scratch"}
	oracle := &policy{name: "oracle"}
	var seen *cluster.Cluster // one step ago
	var best *design.Plan     // for what was seen
	for k := range steps {
		now, err := hardware(day.next(k), messageMB)
		if err != nil {
			return err
		}
		fresh, err := solve(ctx, now, seed, evaluations)
		if err != nil {
			return err
		}
		if seen == nil {
			seen, best = now, fresh
			never.take(fresh)
			few.take(fresh)
		}
		next := few.plan
		answer, err := replan.Decide(ctx, few.plan, seen, replan.Settings{Seed: seed, SwitchMS: switchMS, HorizonMS: stepMS})
		if err != nil {
			return err
		}
		if !answer.Keep {
			next = answer.New
		}
		for _, step := range []struct {
			p    *policy
			next *design.Plan
		}{{never, never.plan}, {few, next}, {scratch, best}} {
			if err := step.p.work(ctx, now, step.p.take(step.next)); err != nil {
				return err
			}
		}
		if err := oracle.best(ctx, now, fresh, never.plan, few.plan, scratch.plan); err != nil {
			return err
		}
		seen, best = now, fresh
	}
	fmt.Println("| policy | averages in a day | against never | changes of plan | edges changed at a time |")
	fmt.Println("|---|---|---|---|---|")
	for _, p := range []*policy{never, few, scratch, oracle} {
		fmt.Printf("| %s | %.0f | %+.1f %% | %d | %.1f of %d |\n", p.name, p.averages, 100*(p.averages/never.averages-1),
			p.switches, float64(p.changed)/float64(max(1, p.switches)), len(never.plan.Edges()))
	}
	return nil
}

func solve(ctx context.Context, c *cluster.Cluster, seed uint64, evaluations int) (*design.Plan, error) {
	return sweep.Optimize(ctx, design.Problem{Cluster: c, MaxEdges: 45, Objective: design.Time},
		sweep.Settings{Seed: seed, Evaluations: evaluations})
}

// readRates reads a matrix of MB/s as GB/s.
func readRates(name string) ([][]float64, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.Comment = '#'
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, err
	}
	rates := make([][]float64, len(rows))
	for i, row := range rows {
		for _, cell := range row {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", name, i+1, err)
			}
			rates[i] = append(rates[i], v/1000)
		}
	}
	return rates, nil
}
