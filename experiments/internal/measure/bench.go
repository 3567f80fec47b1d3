package measure

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/mixing"
)

// A Task computes one row.
type Task = ledger.Task[Measurement]

// A Bench makes the rows of topologies on one cluster.
type Bench struct {
	Experiment string // whose rows they are
	Prefix     string // what their keys begin with
	Results    string // where plans go
	Cluster    *cluster.Cluster
	Settings   map[string]any // of every row besides its own and the simulation
	Simulation Simulation
	KeepStarts bool // of plans that are the best of several runs: how each of them ended
}

// Row makes a row with settings of its own.
func (b Bench) Row(name string, settings map[string]any, compute func(context.Context) (Measurement, error)) Task {
	all := map[string]any{"simulation": b.Simulation}
	maps.Copy(all, b.Settings)
	maps.Copy(all, settings)
	return Task{Key: b.Prefix + "/" + name, Settings: all, Compute: compute}
}

// Known measures a topology that needs no solving.
func (b Bench) Known(name string, build func() (*mixing.Matrix, error)) Task {
	return b.Row(name, nil, func(ctx context.Context) (Measurement, error) {
		w, err := build()
		if err != nil {
			return Measurement{}, err
		}
		return Matrix(ctx, b.Cluster, w, b.Simulation)
	})
}

// Family builds a known topology for n nodes.
func Family(name string, n int) func() (*mixing.Matrix, error) {
	return func() (*mixing.Matrix, error) {
		f, err := mixing.FindFamily(name)
		if err != nil {
			return nil, err
		}
		return f.Build(mixing.Params{Nodes: n})
	}
}

// drawSeeds is how many draws of U-EquiStatic a rule chooses from.
const drawSeeds = 1000

// Drawn measures the U-EquiStatic topology that a rule chooses.
func (b Bench) Drawn(name string, shifts int, rule string) Task {
	settings := map[string]any{"shifts": shifts, "seeds": drawSeeds, "rule": rule}
	return b.Row(name, settings, func(ctx context.Context) (Measurement, error) {
		draws, err := Draws(b.Cluster.Nodes(), shifts, drawSeeds)
		if err != nil {
			return Measurement{}, err
		}
		chosen := Choose(draws, rule)
		m, err := Matrix(ctx, b.Cluster, chosen.Matrix, b.Simulation)
		m.Draw = &chosen
		return m, err
	})
}

// Solved answers a question, keeps the plan beside the results and measures it.
func (b Bench) Solved(name string, q Question) Task {
	key := strings.NewReplacer("/", "-", "=", "").Replace(b.Prefix + "/" + name)
	file := filepath.Join("plans", b.Experiment+"-"+key+".json")
	compute := func(ctx context.Context) (Measurement, error) {
		plan, starts, err := Solve(ctx, b.Cluster, q, filepath.Join(b.Results, file))
		if err != nil {
			return Measurement{}, fmt.Errorf("%s with %d edges: %w", q.Method, q.Edges, err)
		}
		m, err := Plan(ctx, plan, b.Simulation)
		m.Plan = filepath.ToSlash(file) // with notes on how it was found
		if b.KeepStarts {
			m.Starts = starts
		}
		return m, err
	}
	return Task{Key: b.Prefix + "/" + name, Artifact: filepath.Join(b.Results, file), Compute: compute,
		Settings: map[string]any{"question": q, "simulation": b.Simulation}}
}

// Matrix measures a mixing matrix on a cluster.
func Matrix(ctx context.Context, c *cluster.Cluster, w *mixing.Matrix, s Simulation) (Measurement, error) {
	plan, err := sweep.Describe(ctx, c, w)
	if err != nil {
		return Measurement{}, err
	}
	return Plan(ctx, plan, s)
}
