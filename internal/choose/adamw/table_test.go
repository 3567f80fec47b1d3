package adamw

import (
	"math"
	"strings"
	"testing"
)

// Reading between rows has to be better than taking the nearest one, on rows that it has not seen.
func TestStepsReadBetweenRowsBeatTheNearestRow(t *testing.T) {
	line, nearest := Measured().leaveOut()
	t.Logf("rows left out: read on a line %.1f %% off, nearest row %.1f %% off", 100*line, 100*nearest)
	if !(line < nearest/2) || line > 0.05 {
		t.Errorf("a line is %.3f off and the nearest row %.3f; read measured rows only", line, nearest)
	}
}

func TestStepsAreThoseOfTheRuns(t *testing.T) {
	table := Measured()
	s, err := table.Steps(Averaging{Models: 2, Every: 16})
	if err != nil || !(s.Low < s.Ratio && s.Ratio < s.High) || s.Rate != 1 || !strings.Contains(s.Source, "groups of 4, H 16") {
		t.Errorf("two models every 16 steps: %+v, %v", s, err)
	}
	if s, err := table.Steps(Averaging{Models: 2, Every: 64}); err != nil || !strings.Contains(s.Source, "25.4 million") {
		t.Errorf("two models every 64 steps were run with two sizes, and the larger counts: %+v, %v", s, err)
	}
	if exact, err := table.Steps(Averaging{Process: "exact", Models: 8, Every: 1}); err != nil || exact.Rate != 2 {
		t.Errorf("eight models in every step: %+v, %v", exact, err)
	}
	if one, err := table.Steps(Averaging{Models: 1}); err != nil || one.Ratio != 1 || one.High != 1 {
		t.Errorf("synchronous training: %+v, %v", one, err)
	}
	alone := table.Part(4, 8)
	if rare, known := table.Steps(Averaging{Models: 2, Every: 256}); known != nil || alone.Ratio < rare.Ratio {
		t.Errorf("half the nodes alone %+v; with five averages in all %+v, %v", alone, rare, known)
	}
}

// Few bits in pieces have rows of their own, which say nothing about whole models or other numbers.
func TestFewBitsInPiecesHaveTheirOwnRows(t *testing.T) {
	table, found := Measured(), 0
	for _, a := range table.Measured(2) {
		s, err := table.Steps(a)
		if err != nil || !a.Pieces {
			continue
		}
		found++
		if !strings.Contains(s.Source, "in pieces") || !(s.Low < s.Ratio && s.Ratio < s.High) {
			t.Errorf("%+v: %+v", a, s)
		}
		if a.Pieces = false; a.Bits < 8 {
			if s, err := table.Steps(a); err == nil {
				t.Errorf("%+v was never run: %+v", a, s)
			}
		}
	}
	two, err := table.Steps(Averaging{Models: 2, Every: 4, Bits: 2, Pieces: true})
	if whole, known := table.Steps(Averaging{Models: 2, Every: 4}); err != nil || known != nil || two.Ratio > whole.High {
		t.Errorf("2 bits in pieces %+v, 32 bits at once %+v, %v", two, whole, err)
	}
	if found < 4 {
		t.Errorf("only %d ways in pieces", found)
	}
	if s, err := table.Steps(Averaging{Models: 3, Every: 4, Bits: 1, Pieces: true}); err == nil {
		t.Errorf("three models were never run: %+v", s)
	}
}

// Synchronous starts of other lengths lie on a line between those that were run: each that lies between two others is
// read within 3 % from them, and its interval holds what was measured.
func TestStartsAreReadBetweenStarts(t *testing.T) {
	table, found := Measured(), 0
	for _, r := range table.All() {
		a := r.Averaging
		if a.Models != 2 || a.Every != 64 || a.Synchronous == 0 || a.OuterRate != 0 {
			continue
		}
		want, err := table.Steps(a)
		got, known := table.Without(r.Name).Steps(a)
		if err != nil {
			t.Fatal(err)
		}
		if known != nil {
			continue // the longest and the shortest start
		}
		found++
		if math.Abs(math.Log(got.Ratio/want.Ratio)) > 0.03 || got.Low > want.Ratio || got.High < want.Ratio {
			t.Errorf("%s: %+v, read between others %+v", r.Name, want, got)
		}
	}
	if found < 2 {
		t.Errorf("%d starts lie between two others", found)
	}
	if s, err := table.Steps(Averaging{Models: 2, Every: 64, Synchronous: 0.8}); err == nil {
		t.Errorf("no start was so long: %+v", s)
	}
}

// Two batches a step take more batches, and never twice as many; a longer job fewer. More were not run, and the error
// says what was.
func TestStepsOfSeveralBatches(t *testing.T) {
	table := Measured()
	usual, err := table.Accumulated(2, 0)
	long, known := table.Accumulated(2, 3000)
	if err != nil || known != nil || !(1 < long.Low && long.Ratio < usual.Ratio && usual.High < 2) {
		t.Errorf("two batches a step: %+v, %v; in long jobs %+v, %v", usual, err, long, known)
	}
	if !strings.Contains(usual.Source, "times the batches of DDP") || usual.Length != 2000 {
		t.Errorf("%+v", usual)
	}
	if s, err := table.Accumulated(4, 0); err == nil || !strings.Contains(err.Error(), "those of 2 took 1.26 to 1.40 times") {
		t.Errorf("four batches a step were never run: %+v, %v", s, err)
	}
	if s, err := table.Accumulated(1, 0); err != nil || s.Ratio != 1 {
		t.Errorf("one batch a step: %+v, %v", s, err)
	}
}

// Fewer nodes need more steps, and never more than as many samples as all would see.
func TestStepsOfAPartOfTheNodes(t *testing.T) {
	table, before := Measured(), 1.0
	if s := table.Part(8, 8); s.Ratio != 1 {
		t.Errorf("all nodes need %v times the steps", s.Ratio)
	}
	for nodes := 7; nodes > 0; nodes-- {
		s := table.Part(nodes, 8)
		if s.Ratio <= before || s.Ratio > 8/float64(nodes) || s.Low > s.Ratio || s.High < s.Ratio || s.Source == "" {
			t.Errorf("%d of 8 nodes: %+v; one more needs %v", nodes, s, before)
		}
		before = s.Ratio
	}
}

func TestStepsBetweenRows(t *testing.T) {
	table := Measured()
	of := func(models, every int) Steps {
		t.Helper()
		s, err := table.Steps(Averaging{Models: models, Every: every})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, c := range []struct{ low, at, high Steps }{
		{of(2, 16), of(2, 20), of(2, 24)}, {of(2, 64), of(2, 128), of(2, 256)}, {of(2, 16), of(3, 16), of(4, 16)},
		{of(2, 16), of(3, 32), of(4, 64)},
	} {
		if !(c.low.Ratio < c.at.Ratio && c.at.Ratio < c.high.Ratio) {
			t.Errorf("%+v lies not between %+v and %+v", c.at, c.low, c.high)
		}
		if c.at.High/c.at.Ratio < max(c.low.High/c.low.Ratio, c.high.High/c.high.Ratio) {
			t.Errorf("%+v, read between others, is surer than they are", c.at)
		}
	}
}

// What no runs with three seeds say anything about has no number.
func TestStepsOutsideOfTheRunsAreNotKnown(t *testing.T) {
	for name, a := range map[string]Averaging{
		"H above all":           {Models: 2, Every: 512},
		"H above its models":    {Models: 8, Every: 64},
		"more models":           {Models: 64, Every: 4},
		"another process":       {Process: "erdos-renyi", Models: 8, Every: 1},
		"another delay":         {Models: 2, Every: 16, Delay: 15},
		"4 bits":                {Models: 2, Every: 16, Bits: 4},
		"outer from the start":  {Models: 2, Every: 64, OuterRate: 0.7, OuterMomentum: 0.9},
		"a longer start":        {Models: 2, Every: 64, Synchronous: 0.8},
		"a start, and H unlike": {Models: 2, Every: 32, Synchronous: 1. / 3},
	} {
		if s, err := Measured().Steps(a); err == nil || !strings.Contains(err.Error(), "AdamW") {
			t.Errorf("%s: %+v, %v; want the reason why nothing is known", name, s, err)
		}
	}
}

func TestMeasuredStepsAreKnown(t *testing.T) {
	table := Measured()
	for _, models := range []int{2, 4, 8} {
		all := table.Measured(models)
		if len(all) == 0 {
			t.Errorf("nothing is known of %d models", models)
		}
		for _, a := range all {
			if s, err := table.Steps(a); err != nil || !(s.Low <= s.Ratio) || math.IsNaN(s.Rate) {
				t.Errorf("%+v: %+v, %v", a, s, err)
			}
		}
	}
}

func TestReadStepsComplains(t *testing.T) {
	for source, want := range map[string]string{
		`{`: "JSON", `{"format": "batopo.law/v1"}`: "batopo.steps/v1", `{"format": "batopo.steps/v1"}`: "interval",
	} {
		if _, err := readSteps([]byte(source)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", source, err)
		}
	}
}

// Averages in 16 bits need the steps of those in 32 times what pairs of runs said, with both errors; rounding never
// saves steps, and what was not run in pairs changes nothing.
func TestSixteenBitsCostWhatPairsOfRunsSaid(t *testing.T) {
	table := Measured()
	for name, c := range map[string]struct {
		rounding Rounding
		ratio    float64
	}{
		"more":     {Rounding{Ratio: 1.1, Low: 1.0, High: 1.21, Pairs: 9}, 1.1},
		"fewer":    {Rounding{Ratio: 0.98, Low: 0.96, High: 1.0, Pairs: 9}, 1},
		"unknown":  {Rounding{}, 1},
		"measured": {table.Rounding("exact"), max(1, table.Rounding("exact").Ratio)},
	} {
		table.rounding = Roundings{"changes": c.rounding}
		for _, a := range []Averaging{{Models: 2, Every: 16}, {Models: 8, Every: 3}, {Models: 2, Every: 16, Delay: 4}} {
			full, err := table.Steps(a)
			if err != nil {
				t.Fatal(err)
			}
			a.Bits = 16
			half, err := table.Steps(a)
			if err != nil || math.Abs(half.Ratio/full.Ratio-c.ratio) > 1e-12 || half.High/half.Ratio < full.High/full.Ratio-1e-12 {
				t.Errorf("%s: %+v needs %v, in 32 bits %v (%v)", name, a, half, full, err)
			}
			if wider := half.High/half.Ratio > full.High/full.Ratio+1e-9; wider != (c.rounding.Pairs > 0) {
				t.Errorf("%s: the interval is %v to %v, in 32 bits %v to %v", name, half.Low, half.High, full.Low, full.High)
			}
		}
		if s, _ := table.Steps(Averaging{Models: 1, Bits: 16}); s.Ratio != 1 {
			t.Errorf("%s: gradients need %v times the steps", name, s.Ratio)
		}
	}
	far := Rounding{Ratio: 0.96, Low: 0.95, High: 0.97, Pairs: 7}
	if log, half := far.Log(); log != 0 || half < -math.Log(far.Ratio) {
		t.Errorf("a ratio of 0.96 is taken as %v with an error of %v, less than its distance from 1", math.Exp(log), half)
	}
}
