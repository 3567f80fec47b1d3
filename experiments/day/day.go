package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/replan"
	"github.com/batopo/batopo/internal/ground/workers"
	"github.com/batopo/batopo/internal/show/report"
)

// A day of work on a network.
type day struct {
	network  *network
	settings replan.Settings
	steps    int
	alike    bool   // kinds do the same work, so that one oracle may choose among them
	what     string // is counted
	// each is how many milliseconds one takes.
	each  func(ctx context.Context, p *design.Plan, c *cluster.Cluster) (float64, error)
	kinds []*course
}

// A course of a day with one kind of plan.
type course struct {
	kind                            kind
	never, few, scratch, omniscient policy
	fresh                           *design.Plan // for what was seen a step ago
}

// A policy has a running plan and what it has done so far.
type policy struct {
	name     string
	plan     *design.Plan
	done     float64
	bySteps  []float64 // done by the end of every step
	switches int
}

// work runs a step on a cluster; the time of a switch is lost.
func (p *policy) work(ctx context.Context, d *day, c *cluster.Cluster, next *design.Plan, free bool) error {
	left := float64(stepMS)
	if p.plan != nil && next.Hash != p.plan.Hash {
		p.switches++
		if !free {
			left -= switchMS
		}
	}
	p.plan = next
	ms, err := d.each(ctx, next, c)
	if err != nil {
		return err
	}
	p.done += left / ms
	p.bySteps = append(p.bySteps, p.done)
	return nil
}

func (d *day) run(ctx context.Context, kinds []kind) error {
	t := newTrace(d.network.sites, stepsInDay, d.settings.Seed)
	var hardware []*cluster.Cluster // by step
	for k := range d.steps {
		now, err := d.network.at(t.next(k))
		if err != nil {
			return err
		}
		hardware = append(hardware, now)
	}
	for _, k := range kinds {
		d.kinds = append(d.kinds, &course{kind: k, never: policy{name: "never"}, few: policy{name: "replan"},
			scratch: policy{name: "from scratch"}, omniscient: policy{name: "oracle"}})
	}
	errs := make([]error, len(kinds))
	workers.Each(0, len(kinds), func(i int) {
		for k := 0; k < d.steps && errs[i] == nil; k++ {
			errs[i] = d.kinds[i].step(ctx, d, hardware[max(0, k-1)], hardware[k])
		}
	})
	return errors.Join(errs...)
}

// oracle runs whichever kind does most in a step.
func (d *day) oracle() (best policy) {
	for k := range d.steps {
		most := 0.0
		for _, c := range d.kinds {
			done := c.omniscient.bySteps
			if k > 0 {
				most = max(most, done[k]-done[k-1])
			} else {
				most = max(most, done[k])
			}
		}
		best.done += most
		best.bySteps = append(best.bySteps, best.done)
	}
	return best
}

// step runs all policies for a while.
func (c *course) step(ctx context.Context, d *day, seen, now *cluster.Cluster) error {
	fresh, err := c.kind.first(ctx, now, d.settings)
	if err != nil {
		return err
	}
	if c.fresh == nil {
		c.fresh, c.never.plan, c.few.plan = fresh, fresh, fresh
	}
	next := c.few.plan
	answer, err := replan.Decide(ctx, c.few.plan, seen, d.settings)
	if err != nil {
		return err
	}
	if !answer.Keep {
		next = answer.New
	}
	for _, step := range []struct {
		p    *policy
		next *design.Plan
	}{{&c.never, c.never.plan}, {&c.few, next}, {&c.scratch, c.fresh}} {
		if err := step.p.work(ctx, d, now, step.next, false); err != nil {
			return err
		}
	}
	best, err := d.fastest(ctx, now, fresh, c.never.plan, c.few.plan, c.scratch.plan)
	if err != nil {
		return err
	}
	c.fresh = fresh
	return c.omniscient.work(ctx, d, now, best, true)
}

// print writes a table: what was done, how long one took on average, and how much more an oracle did.
func (d *day) print() {
	fmt.Printf("| kind | policy | %s | ms each | against never | oracle of the kind | changes |\n", d.what)
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, c := range d.kinds {
		for _, p := range []policy{c.never, c.few, c.scratch, c.omniscient} {
			fmt.Printf("| %s | %s | %.0f | %.0f | %+.1f %% | %+.1f %% | %d |\n", c.kind.name, p.name, p.done,
				d.eachMS(p), 100*(p.done/c.never.done-1), 100*(c.omniscient.done/p.done-1), p.switches)
		}
	}
	if d.alike {
		best := d.oracle()
		fmt.Printf("| any | oracle | %.0f | %.0f | | | |\n", best.done, d.eachMS(best))
	}
	fmt.Println()
}

// eachMS is how long one took on average.
func (d *day) eachMS(p policy) float64 { return stepMS * float64(d.steps) / p.done }

// draw shows how long one took in every hour.
func (d *day) draw(file string) error {
	chart := report.LineChart{
		Text: report.Text{Title: "Time to the target over a day of changing bandwidths, 15 sites",
			Subtitle: "Messages of 1 MB, target error 10⁻⁴. Means of every hour, by the model; in the legend: of the day."},
		X: report.Axis{Label: "hour of the day", At: []float64{0, 4, 8, 12, 16, 20, 24}},
		Y: report.Axis{Label: "time to the target", Unit: "ms", Log: true},
	}
	for _, c := range d.kinds {
		for _, p := range []policy{c.never, c.few} {
			chart.Series = append(chart.Series, d.hourly(&p, c.kind.name+", "+p.name, p.name == c.few.name))
		}
	}
	best := d.oracle()
	chart.Series = append(chart.Series, d.hourly(&best, "oracle over all kinds", false))
	drawn, err := chart.Draw()
	if err != nil {
		return err
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(drawn.Write(out), out.Close())
}

// hourly is how long one took, hour by hour.
func (d *day) hourly(p *policy, name string, strong bool) report.Series {
	const hour = 3600 * 1000 / stepMS
	s := report.Series{Name: name, Strong: strong, Note: fmt.Sprintf("%.0f ms", d.eachMS(*p))}
	before := 0.0
	for k := hour; k <= len(p.bySteps); k += hour {
		s.X = append(s.X, float64(k)/hour-0.5)
		s.Y = append(s.Y, hour*stepMS/(p.bySteps[k-1]-before))
		before = p.bySteps[k-1]
	}
	return s
}
