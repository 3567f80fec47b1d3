package cli

import (
	"context"
	"errors"
	"fmt"
	"github.com/batopo/batopo/cost"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/outfile"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/present"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/train"
)

// allReduce is the baseline of exact averaging.
const allReduce = "all-reduce"

// input sorts arguments into a cluster and files of one's own.
func (f *trainFlags) input(args []string) (*cluster.Cluster, []graphFile, error) {
	if len(args) == 0 && f.at.nodes == 0 {
		return nil, nil, errors.New("train on which machines? Give --nodes N, a cluster description, or a plan")
	}
	return compareInput(&f.at, args)
}

// entries are the files given, or a plan that is searched for, and the baselines; notes say what was made up for a
// file, and which baselines the cluster cannot carry.
func (f *trainFlags) entries(
	ctx context.Context, env Env, hardware *cluster.Cluster, files []graphFile,
) (entries []train.Entry, notes []string, err error) {
	baselines, notes, err := f.baselineEntries(hardware)
	if err != nil {
		return nil, nil, err
	}
	for _, g := range files {
		e, note, err := f.ownEntry(g)
		if err != nil {
			return nil, nil, err
		}
		if entries = append(entries, e); note != "" {
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
	for _, e := range entries {
		if e.Diverges() {
			notes = append(notes, fmt.Sprintf("%s: with an average in every %d steps quasi-global momentum drives its nodes "+
				"apart; it will diverge", e.Name, e.Settings.Every))
		}
	}
	return entries, notes, nil
}

// ownEntry trains by a file as its plan says, unless flags say otherwise.
func (f *trainFlags) ownEntry(g graphFile) (e train.Entry, note string, err error) {
	w, note, err := g.mixed()
	if err != nil {
		return e, "", err
	}
	s := f.settings
	if g.plan != nil {
		if g.plan.Kind == design.CollectiveKind {
			w = nil // the exact mean
		}
		if !f.ownOrder {
			s.Order = g.plan.Order
		}
		if !f.ownEvery {
			s.Every = g.plan.Every
		}
		s.Overlap = g.plan.Overlap && !(f.ownOrder && s.Order == design.AdaptThenCombine)
	}
	return train.Entry{Name: g.name, W: w, Plan: g.plan, Settings: s}, note, nil
}

// search finds a plan for training.
func (f *trainFlags) search(ctx context.Context, env Env, hardware *cluster.Cluster) (train.Entry, error) {
	how := searchFlags{method: string(planner.Auto), quiet: f.quiet}
	var plan *design.Plan
	err := how.run(ctx, env, func(ctx context.Context, s planner.Settings) (err error) {
		plan, err = batopo.Best(ctx, hardware, batopo.Options{
			Purpose: design.Training, Seed: f.model.Seed, Evaluations: f.evaluations,
			Workers: f.settings.Workers, Progress: s.Progress,
		})
		return err
	})
	if err == nil && ctx.Err() != nil {
		err = stopped(ctx) // the best plan so far would not be the one of another run
	}
	if err != nil {
		return train.Entry{}, err
	}
	w, err := plan.Averages()
	return train.Entry{Name: present.PlanName, W: w, Plan: plan, Settings: f.settings}, err
}

// baselineEntries are the known topologies asked for.
func (f *trainFlags) baselineEntries(hardware *cluster.Cluster) (entries []train.Entry, notes []string, err error) {
	if strings.EqualFold(f.baselines, "none") {
		return nil, nil, nil
	}
	for name := range strings.SplitSeq(f.baselines, ",") {
		e := train.Entry{Name: strings.ToLower(strings.TrimSpace(name)), Settings: f.settings}
		var impossible error
		if e.Name == allReduce {
			_, impossible = cost.Of(collective.Ring(topology.InOrder(hardware.Nodes())), hardware)
		} else {
			e.W, impossible, err = baseline(hardware, e.Name, f.model.Seed)
		}
		switch {
		case err != nil:
			return nil, nil, err
		case impossible != nil:
			notes = append(notes, fmt.Sprintf("not listed: %s: %s", e.Name, present.Reason(impossible)))
		default:
			entries = append(entries, e)
		}
	}
	return entries, notes, nil
}

// baseline builds a family or schedule by its name; impossible says why this cluster cannot have it.
func baseline(c *cluster.Cluster, name string, seed uint64) (s *mixing.Schedule, impossible, err error) {
	if k := slices.IndexFunc(mixing.Families, func(f mixing.Family) bool { return f.Name == name }); k >= 0 {
		var w *mixing.Matrix
		w, impossible = mixing.Families[k].Build(mixing.Params{Nodes: c.Nodes(), Seed: seed})
		switch {
		case impossible != nil:
		case !w.Graph().Connected():
			impossible = fmt.Errorf("what seed %d draws is not connected; another seed may be", seed)
		default:
			s = mixing.Static(w)
		}
	} else if k := slices.IndexFunc(mixing.Schedules, func(f mixing.ScheduleFamily) bool {
		return f.Name == name && !f.Takes(mixing.ParamBase)
	}); k >= 0 {
		s, impossible = mixing.Schedules[k].Build(mixing.ScheduleParams{Nodes: c.Nodes(), Seed: seed})
	} else {
		return nil, nil, fmt.Errorf("--baselines has %q; known are %s", name, strings.Join(baselineNames(), ", "))
	}
	for k := 0; impossible == nil && k < len(s.Rounds); k++ {
		_, impossible = cost.Gossip(c, s.Rounds[k])
	}
	return s, impossible, nil
}

func baselineNames() []string {
	names := []string{allReduce}
	for _, f := range mixing.Families {
		names = append(names, f.Name)
	}
	for _, f := range mixing.Schedules {
		if !f.Takes(mixing.ParamBase) {
			names = append(names, f.Name)
		}
	}
	return names
}

// restore continues from the checkpoint if there is one.
func (f *trainFlags) restore(c *train.Contest) error {
	if f.checkpoint == "" {
		return nil
	}
	in, err := os.Open(f.checkpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	if err := c.Restore(in); err != nil {
		return fmt.Errorf("%s: %w\nGive the same flags as then, or another file", f.checkpoint, err)
	}
	return nil
}

// save writes the checkpoint; a stop comes too late for it.
func (f *trainFlags) save(ctx context.Context, c *train.Contest) error {
	return outfile.Write(context.WithoutCancel(ctx), f.checkpoint, c.Save)
}
