package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// checkStated complains about stated edges that are not one number per resource, or more than can use it.
func (c *Cluster) checkStated(check *checker) {
	e := c.spec.Edges
	if e == nil {
		return
	}
	if len(e) != len(c.resources) {
		check.complain("edges", "has %d entries for %d resources; give one number for each of %s",
			len(e), len(c.resources), c.resourceNames())
		return
	}
	for l, most := range c.Most() {
		if e[l] < 0 || e[l] > most {
			check.complain(fmt.Sprintf("edges[%d]", l), "is %d; %s carries between 0 and %d edges",
				e[l], c.resources[l].Name, most)
		}
	}
}

// resourceNames lists the resources in order, the first ones of many.
func (c *Cluster) resourceNames() string {
	const most = 8
	var names []string
	for _, r := range c.resources[:min(most, len(c.resources))] {
		names = append(names, r.Name)
	}
	if len(c.resources) > most {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// StatesEdges reports whether the description says itself how many edges each resource carries.
func (c *Cluster) StatesEdges() bool { return c.spec.Edges != nil }

// stated is the allocation that the description states, if a connected graph keeps it. It is the same for every r: a
// plan may have fewer edges, so r may also be more than the resources carry.
func (c *Cluster) stated(ctx context.Context, r int) (Allocation, error) {
	e, least := c.spec.Edges, c.nodes-1
	found, _, err := c.carries(ctx, e, goal(least))
	if err != nil {
		return Allocation{}, err
	}
	if found < least {
		return Allocation{}, c.tooMany(ctx, least, e)
	}
	return Allocation{UnitGBs: shares{c.bandwidths(), e}.slowest(e), Edges: slices.Clone(e), MaxEdges: r}, nil
}

// statedBudget is the only budget of a cluster that states its edges.
func (c *Cluster) statedBudget(ctx context.Context) ([]Allocation, error) {
	a, err := c.stated(ctx, c.nodes-1)
	if err != nil {
		return nil, err
	}
	found, _, err := c.Carries(ctx, a.Edges)
	a.MaxEdges = max(found, a.MaxEdges)
	return []Allocation{a}, err
}
