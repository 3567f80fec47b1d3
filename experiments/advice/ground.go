package main

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
)

// A ground is a cluster that races are run on, with what does not depend on the race.
type ground struct {
	name    string
	folder  string // of the experiments
	c       *cluster.Cluster
	groups  [][]int // servers, say; none where all nodes are alike
	ddpMS   float64
	exactMS float64 // the quickest parameter averaging
}

func readGround(ctx context.Context, folder, name string) (*ground, error) {
	c, err := cluster.ReadFile(filepath.Join(folder, "..", "examples", name+".yaml"))
	if err != nil {
		return nil, err
	}
	on := &ground{name: name, folder: folder, c: c}
	if levels, err := cost.Divisions(c); err == nil { // an error says that there are none
		on.groups = levels[0]
	}
	if on.ddpMS, err = advise.DDPIterationMS(ctx, c, 0); err != nil {
		return nil, err
	}
	exact, err := sweep.CollectivePlan(ctx, c, "", 1)
	if err != nil {
		return nil, err
	}
	on.exactMS = exact.CommunicationMS
	return on, nil
}

// fitting are the runs on the cluster's number of nodes, with hierarchical averaging those with its groups.
func (on *ground) fitting(runs []run) []run {
	return slices.DeleteFunc(slices.Clone(runs), func(r run) bool {
		_, size := r.levels()
		return on.c.Nodes() != r.Nodes || size > 1 && (len(on.groups) == 0 || len(on.groups[0]) != size)
	})
}

// iterationMS is the time of an iteration as it would be run: combine, then adapt overlaps; all-reduces are
// DistributedDataParallel or, of models, the quickest all-reduce.
func (on *ground) iterationMS(ctx context.Context, r run) (float64, advise.Kind, error) {
	overlap := r.Order == string(design.CombineThenAdapt)
	if r.exact() && !overlap && r.Every == 1 {
		return on.ddpMS, advise.DDP, nil
	}
	p, kind, err := on.process(ctx, r)
	if err != nil {
		return 0, "", err
	}
	ms, err := p.Running(r.Every, cost.DelayOf(overlap)).OnCluster(on.c)
	return ms, kind, err
}

func (on *ground) process(ctx context.Context, r run) (*cost.Process, advise.Kind, error) {
	if r.exact() {
		return &cost.Process{Nodes: on.c.Nodes(), Rounds: []cost.Exchange{{MS: on.exactMS}}}, advise.Collective, nil
	}
	rounds, err := r.rounds(on.folder)
	if err != nil {
		return nil, "", err
	}
	plan, err := on.plan(ctx, r, &mixing.Schedule{Rounds: rounds})
	if err != nil {
		return nil, "", err
	}
	p, err := plan.Process(on.c)
	return p, advise.KindOf(plan), err
}

func (on *ground) plan(ctx context.Context, r run, s *mixing.Schedule) (*design.Plan, error) {
	if _, size := r.levels(); size > 1 {
		return design.NewTwoLevelPlan(ctx, on.c, on.groups, s)
	}
	return design.NewSchedulePlan(ctx, on.c, s)
}
