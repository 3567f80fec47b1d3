package sweep

import (
	"math"

	"cmp"
	"context"
	"fmt"
	"github.com/batopo/batopo/internal/cost"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/solve/schedules"
	"github.com/batopo/batopo/mixing"
)

// Groups suggests who averages exactly inside: of all levels the one on which the rounds of a one-peer
// exponential schedule between the groups are predicted to take the least time, each once.
func Groups(c *cluster.Cluster) ([][]int, error) {
	levels, err := cost.Divisions(c)
	if err != nil {
		return nil, err
	}
	best, least := levels[0], math.Inf(1)
	for _, groups := range levels {
		if len(levels) == 1 || len(groups) > mostGroups {
			continue
		}
		if ms, err := pairsMS(c, groups); err == nil && ms < least {
			best, least = groups, ms
		}
	}
	return best, nil
}

// pairsMS is how long it takes until every group has exchanged with those at distances 1, 2, 4, …, once each.
func pairsMS(c *cluster.Cluster, groups [][]int) (sum float64, err error) {
	for distance := 1; distance < len(groups); distance *= 2 {
		arcs := make([][2]int, len(groups))
		for g := range arcs {
			arcs[g] = [2]int{g, (g + distance) % len(groups)}
		}
		price, err := cost.Of(collective.LevelsRound(groups, arcs), c)
		if err != nil {
			return 0, err
		}
		sum += price.MS
	}
	return sum, nil
}

// TwoLevel says how to plan hierarchical averaging. Zero values mean what the comments say.
type TwoLevel struct {
	// Groups are the nodes that average exactly among themselves; nil: the level that Between is for, or [Groups].
	Groups   [][]int
	Between  *design.Plan   // for [BetweenGroups], of any kind; nil: the static plan that is found to agree soonest
	Purpose  design.Purpose // of the plan that is searched for
	Settings Settings       // of that search
}

// TwoLevelPlan writes a plan of hierarchical averaging. In a round the nodes of a group, such as the GPUs of a server,
// average exactly; between groups member m of each exchanges the m-th part of the message, so that a group sends one
// message to each neighbour and not one per node. Between groups anything may run: gossip, a schedule or a collective.
func TwoLevelPlan(ctx context.Context, c *cluster.Cluster, t TwoLevel) (*design.Plan, error) {
	var err error
	if t.Groups == nil {
		if t.Groups, err = t.groups(c); err != nil {
			return nil, err
		}
	}
	if t.Between == nil {
		if t.Between, err = t.search(ctx, c); err != nil {
			return nil, err
		}
	}
	if t.Between.Nodes != len(t.Groups) {
		return nil, fmt.Errorf("sweep: the plan between groups is for %d nodes; there are %d groups",
			t.Between.Nodes, len(t.Groups))
	}
	p, err := t.raise(ctx, c)
	if err != nil {
		return nil, err
	}
	p.Method = "hierarchical, " + cmp.Or(t.Between.Method, "a given plan") + " between"
	p.Seed, p.Settings = t.Between.Seed, t.Between.Settings
	p.Purpose, p.MinEigenvalue, p.Objective = t.Between.Purpose, t.Between.MinEigenvalue, t.Between.Objective
	p.Every, p.Order, p.Overlap = t.Between.Every, t.Between.Order, t.Between.Overlap
	p.Hash = p.ComputeHash()
	p.Notes = append(p.Notes, fmt.Sprintf("%d groups of %d nodes average exactly inside", len(t.Groups), len(t.Groups[0])))
	return p, nil
}

// groups returns a level with as many groups as the plan between them has nodes, where there is a plan and one fits.
func (t TwoLevel) groups(c *cluster.Cluster) ([][]int, error) {
	if t.Between != nil {
		levels, err := cost.Divisions(c)
		if err != nil {
			return nil, err
		}
		for _, groups := range levels {
			if len(groups) == t.Between.Nodes {
				return groups, nil
			}
		}
	}
	return Groups(c)
}

// search finds the static plan between groups that agrees soonest.
func (t TwoLevel) search(ctx context.Context, c *cluster.Cluster) (*design.Plan, error) {
	between, err := BetweenGroups(c, t.Groups)
	if err != nil {
		return nil, err
	}
	return Optimize(ctx, design.Problem{
		Cluster: between, MaxEdges: between.CandidateCount(), Objective: design.Time, Purpose: t.Purpose,
	}, t.Settings)
}

// raise makes a plan among groups one among all nodes.
func (t TwoLevel) raise(ctx context.Context, c *cluster.Cluster) (*design.Plan, error) {
	if t.Between.Kind == design.CollectiveKind {
		return t.raiseCollective(c)
	}
	rounds, err := t.Between.Matrices()
	if err != nil {
		return nil, err
	}
	return design.NewTwoLevelPlan(ctx, c, t.Groups, &mixing.Schedule{Rounds: rounds})
}

func (t TwoLevel) raiseCollective(c *cluster.Cluster) (*design.Plan, error) {
	var best *collective.Algorithm
	least := cost.Price{}
	for _, inside := range []collective.Scatter{collective.Direct, collective.Around} {
		way := collective.Levels(t.Groups, inside, t.Between.Collective.Runs())
		a, price, err := cost.BestChunks(way, c, schedules.Chunks)
		if err != nil {
			return nil, err
		}
		if best == nil || price.RankMS < least.RankMS {
			best, least = a, price
		}
	}
	if n := best.Transfers(); n > limits.Edges {
		return nil, limits.Refuse("sweep: it takes %d transfers; a plan holds at most %d", n, limits.Edges)
	}
	return design.NewCollectivePlan(c, design.StepsOf(best))
}
