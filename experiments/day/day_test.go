package main

import (
	"testing"

	"github.com/batopo/batopo/internal/choose/replan"
)

// An oracle of a kind does at least as much as every policy, the oracle over kinds at least as much as each, and
// hysteresis saves switches.
func TestAnOracleDoesMostOfKindsRunSimultaneously(t *testing.T) {
	settings := replan.Settings{Seed: 1, Evaluations: 200, SwitchMS: switchMS, HorizonMS: stepMS}
	d := &day{network: farms(), settings: settings, steps: 12, each: toTarget}
	if err := d.run(t.Context(), []kind{{"hierarchical", levels}, {"local SGD between groups", clocks}}); err != nil {
		t.Fatal(err)
	}
	if two := d.kinds[1]; two.few.switches == 0 || two.few.switches == two.scratch.switches {
		t.Errorf("local SGD between groups: %d switches with hysteresis, %d without", two.few.switches, two.scratch.switches)
	}
	all := d.oracle()
	for _, c := range d.kinds {
		for _, p := range []policy{c.never, c.few, c.scratch} {
			if p.done > c.omniscient.done || len(p.bySteps) != d.steps {
				t.Errorf("%s, %s: %v in %d steps, the oracle %v", c.kind.name, p.name, p.done, len(p.bySteps), c.omniscient.done)
			}
		}
		if c.omniscient.done > all.done {
			t.Errorf("%s: its oracle does %v, that over all kinds %v", c.kind.name, c.omniscient.done, all.done)
		}
		if c.never.switches != 0 || c.few.switches > c.scratch.switches {
			t.Errorf("%s: never has %d switches, replan %d, from scratch %d", c.kind.name, c.never.switches, c.few.switches,
				c.scratch.switches)
		}
	}
}

// A switch costs its time, unless it is free.
func TestASwitchCostsTime(t *testing.T) {
	d := &day{each: iteration}
	c, err := farms().at([]float64{1, 1, 1, 1, 1, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	first, err := levels(t.Context(), c, replan.Settings{Seed: 1, Evaluations: 200})
	if err != nil {
		t.Fatal(err)
	}
	other := *first
	other.Hash = "another"
	for _, free := range []bool{false, true} {
		p := policy{plan: first}
		for range 2 {
			if err := p.work(t.Context(), d, c, &other, free); err != nil {
				t.Fatal(err)
			}
		}
		lost := p.bySteps[1] - 2*p.bySteps[0]
		if p.switches != 1 || free != (lost == 0) || lost < 0 {
			t.Errorf("free %v: %d switches, %v fewer", free, p.switches, lost)
		}
	}
}
