package feasible_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/topology"
)

// servers is a space of equal servers: edges inside one load its switch, edges between two load both network cards.
func servers(count, gpus, switches, cards int) design.Space {
	n := count * gpus
	s := design.Space{Nodes: n, Candidates: topology.AllPairs(n)}
	for i := range count {
		s.Limits = append(s.Limits, design.Limit{Name: fmt.Sprintf("switch %d", i), Max: switches},
			design.Limit{Name: fmt.Sprintf("card %d", i), Max: cards})
		s.MaxEdges += switches + cards/2
	}
	for k, e := range s.Candidates {
		a, b := e.I/gpus, e.J/gpus
		if a == b {
			s.Limits[2*a].Edges = append(s.Limits[2*a].Edges, k)
			continue
		}
		s.Limits[2*a+1].Edges = append(s.Limits[2*a+1].Edges, k)
		s.Limits[2*b+1].Edges = append(s.Limits[2*b+1].Edges, k)
	}
	s.MaxEdges = min(s.MaxEdges, len(s.Candidates))
	return s
}

// Three servers with one connection each cannot be joined; that takes a proof over all cards at once. With
// two each they can.
func TestServersAreConnectedOrProvedApart(t *testing.T) {
	for _, count := range []int{2, 3, 4, 8} {
		for _, gpus := range []int{2, 4, 8} {
			for _, cards := range []int{1, 2, 3} {
				space := servers(count, gpus, gpus+1, cards)
				r, err := feasible.New(context.Background(), space)
				if possible := cards > 1 || count == 2; !possible {
					if !errors.Is(err, feasible.ErrInfeasible) || !strings.Contains(err.Error(), "card 0") {
						t.Errorf("%d servers of %d, %d connections each: %v, want a proof about the cards", count, gpus, cards, err)
					}
				} else if err != nil {
					t.Errorf("%d servers of %d, %d connections each: %v", count, gpus, cards, err)
				} else if err := space.Check(r.Start().Chosen()); err != nil {
					t.Errorf("%d servers of %d, %d connections each: %v", count, gpus, cards, err)
				}
			}
		}
	}
}

// Limits that a random tree just keeps leave hardly any choice; some tree is found all the same, and never is it
// called impossible.
func TestATreeThatJustFitsIsFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 120 {
		n := 4 + rng.IntN(21)
		space := design.Space{Nodes: n, Candidates: topology.AllPairs(n), MaxEdges: n - 1 + rng.IntN(n)}
		space.MaxEdges = min(space.MaxEdges, len(space.Candidates))
		for l := range 1 + rng.IntN(n) {
			space.Limits = append(space.Limits, design.Limit{Name: fmt.Sprint("resource ", l)})
		}
		most := 1 + rng.IntN(3)
		for k := range space.Candidates {
			for _, l := range rng.Perm(len(space.Limits))[:min(most, len(space.Limits))] {
				space.Limits[l].Edges = append(space.Limits[l].Edges, k)
			}
		}
		for i := 1; i < n; i++ { // the tree
			j := rng.IntN(i)
			for l := range space.Limits {
				for _, k := range space.Limits[l].Edges {
					if e := space.Candidates[k]; e.I == j && e.J == i {
						space.Limits[l].Max++
					}
				}
			}
		}
		r, err := feasible.New(context.Background(), space)
		if err != nil {
			t.Errorf("%d nodes, %d resources, %d of them per edge: %v", n, len(space.Limits), most, err)
			continue
		}
		if err := space.Check(r.Start().Chosen()); err != nil {
			t.Error(err)
		}
	}
}

func TestCancelledSetUpEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := feasible.New(ctx, servers(8, 8, 9, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before it began: %v", err)
	}
}
