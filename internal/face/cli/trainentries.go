package cli

import (
	"context"
	"errors"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/face/server/work"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/internal/train"
)

// input sorts arguments into a cluster and files of one's own.
func (f *trainFlags) input(ctx context.Context, args []string) (*cluster.Cluster, []graphFile, error) {
	if len(args) == 0 && f.at.nodes == 0 {
		return nil, nil, errors.New("train on which machines? Give --nodes N, a cluster description, or a plan")
	}
	return compareInput(ctx, &f.at, args)
}

// entries are the files given, or a plan that is searched for, and the baselines; notes say what was made up for a
// file, and which baselines the cluster cannot carry.
func (f *trainFlags) entries(
	ctx context.Context, env Env, hardware *cluster.Cluster, files []graphFile,
) (entries []train.Entry, notes []string, err error) {
	baselines, notes, err := f.BaselineEntries(hardware)
	if err != nil {
		return nil, nil, err
	}
	for _, g := range files {
		w, note, err := g.mixed()
		if err != nil {
			return nil, nil, err
		}
		if entries = append(entries, f.Entry(g.name, w, g.plan)); note != "" {
			notes = append(notes, g.name+": "+note)
		}
	}
	if len(files) == 0 {
		e, err := f.search(ctx, env, hardware)
		if err != nil {
			return nil, nil, err
		}
		entries = append(entries, e)
	}
	entries = append(entries, baselines...)
	return entries, append(notes, work.Diverging(entries)...), nil
}

// search finds a plan for training.
func (f *trainFlags) search(ctx context.Context, env Env, hardware *cluster.Cluster) (train.Entry, error) {
	how, o := questionFlags{quiet: f.quiet}, batopo.Options{Static: true, Purpose: design.Training,
		Seed: f.Seed, Evaluations: f.evaluations, Workers: f.Workers}
	var plan *design.Plan
	err := how.run(ctx, env, o, func(o batopo.Options) error {
		answer, err := batopo.Advise(ctx, hardware, o)
		if err == nil {
			plan = answer.Plan
		}
		return err
	})
	if err == nil && ctx.Err() != nil {
		err = stopped(ctx) // the best plan so far would not be the one of another run
	}
	if err != nil {
		return train.Entry{}, err
	}
	w, err := plan.Averages()
	return f.Entry(present.PlanName, w, plan), err
}
