package feasible

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// An Unconnected error says that no graph within the caps of the hardware connects all nodes. It is an ErrInfeasible.
type Unconnected struct {
	Nodes  int
	Most   int    // how many edges fit at a time, at most; 0 where it is not their number that forbids it
	Stated bool   // the description states how many edges every resource carries
	Caps   []Caps // the max_edges that forbid it together; those that do not matter are left out where that is known
}

// Caps are resources with the same max_edges.
type Caps struct {
	MaxEdges  int
	Resources []string
}

// fewerAtATime is what to do where the edges of a graph are too many for one round.
const fewerAtATime = "a schedule, of rounds that need not be connected, or an all-reduce may still fit"

func (u *Unconnected) Error() string {
	return fmt.Sprintf("%v: %s; %s", ErrInfeasible, u.Why(), fewerAtATime)
}

func (u *Unconnected) Unwrap() error { return ErrInfeasible }

// Why says what forbids a connected graph, as part of a sentence.
func (u *Unconnected) Why() string {
	text := "no graph within the caps of the resources connects all nodes"
	if u.Most > 0 {
		text = fmt.Sprintf("%d nodes need %d edges to be connected, but the resources can carry at most %d at a time",
			u.Nodes, u.Nodes-1, u.Most)
	}
	if u.Stated {
		return text + ", as edges states"
	}
	var caps []string
	for _, c := range u.Caps {
		caps = append(caps, fmt.Sprintf("%d for %s", c.MaxEdges, list(c.Resources)))
	}
	if len(caps) == 0 {
		return text
	}
	return text + ", since max_edges is " + strings.Join(caps, ", ")
}

// unconnected explains why no connected graph fits into the largest capacities, which carry at most proved edges.
func (c *Hardware) unconnected(ctx context.Context, most []int, proved int) error {
	u := &Unconnected{Nodes: c.Nodes(), Most: max(0, proved), Stated: c.Spec().Edges != nil}
	if u.Stated {
		return u
	}
	guilty, err := c.guilty(ctx, most)
	if err != nil {
		return err
	}
	for _, l := range guilty {
		r := c.Resources()[l]
		k := slices.IndexFunc(u.Caps, func(known Caps) bool { return known.MaxEdges == r.MaxEdges })
		if k < 0 {
			k, u.Caps = len(u.Caps), append(u.Caps, Caps{MaxEdges: r.MaxEdges})
		}
		u.Caps[k].Resources = append(u.Caps[k].Resources, r.Name)
	}
	return u
}

// mostTried is up to which number of caps times nodes it is tried which of them matter.
const mostTried = 4096

// guilty are the resources whose caps forbid a connected graph together: lifting any of them might allow one. The
// widest caps are lifted first, so that the tightest are blamed. Where there are many, all that bind are returned.
func (c *Hardware) guilty(ctx context.Context, most []int) (caps []int, err error) {
	free := c.Uncapped()
	for l := range most {
		if most[l] < free[l] {
			caps = append(caps, l)
		}
	}
	if len(caps)*c.Nodes() > mostTried {
		return caps, nil
	}
	slices.SortStableFunc(caps, func(a, b int) int { return cmp.Compare(most[b], most[a]) })
	now, matter := slices.Clone(most), caps[:0:0]
	for _, l := range caps {
		now[l] = free[l]
		_, proved, err := c.carries(ctx, now, goal(c.Nodes()-1))
		if err != nil {
			return nil, err
		}
		if proved >= c.Nodes()-1 {
			now[l] = most[l]
			matter = append(matter, l)
		}
	}
	slices.Sort(matter)
	return matter, nil
}
