package advise

import (
	"context"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/iteration"
	"github.com/batopo/batopo/mixing"
)

// exact lists DDP and the exact average of models along a ring.
func (l *list) exact(ctx context.Context) {
	order := inOrder(l.c.Nodes())
	l.add("DistributedDataParallel", ddp(l.c, order), nil)
	p, err := ringProcess(ctx, l.c, order)
	l.add("average of models along a ring", p, err)
}

func ringProcess(ctx context.Context, c *cluster.Cluster, order []int) (*process, error) {
	plan, err := ringPlan(ctx, c, order)
	if err != nil {
		return nil, err
	}
	waits, err := iteration.FromPlan(plan)
	if err != nil {
		return nil, err
	}
	price := func(c *cluster.Cluster) (cost, error) {
		a, err := collective.Ring(order).Cost(c)
		return cost{roundMS: []float64{a.MS}, bottleneck: a.Bottleneck}, err
	}
	return &process{kind: Collective, plan: plan, shape: exactShape(c.Nodes()), waits: waits, price: price}, nil
}

// ringPlan averages all nodes along a ring.
func ringPlan(ctx context.Context, c *cluster.Cluster, order []int) (*design.Plan, error) {
	a, err := collective.Ring(order).Cost(c)
	if err != nil {
		return nil, err
	}
	var arcs []mixing.Arc
	for k, i := range order {
		arcs = append(arcs, mixing.Arc{From: i, To: order[(k+1)%len(order)], Weight: 0.5})
	}
	w, err := mixing.FromArcs(len(order), arcs)
	if err != nil {
		return nil, err
	}
	p, err := design.NewSchedulePlan(ctx, c, mixing.Static(w))
	if err != nil {
		return nil, err
	}
	p.Kind, p.Rounds, p.RoundMS, p.Directed = design.CollectiveKind, nil, nil, false
	p.RAsym, p.Lambda2, p.LambdaN, p.MaxDegree = 0, nil, nil, 1
	p.CommunicationMS, p.MinEdgeGBs, p.Iterations, p.TimeMS = a.MS, a.MinGBs, 1, a.MS
	p.Collective = &design.Collective{Algorithm: "ring", Order: order}
	p.Method, p.Hash = "ring all-reduce", p.ComputeHash()
	return p, nil
}
