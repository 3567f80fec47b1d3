package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/feasible"
)

func pick[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }

// shapes draws small hardware of every kind.
var shapes = map[string]func(*rand.Rand) cluster.Spec{
	"equal": func(rng *rand.Rand) cluster.Spec { return cluster.Homogeneous(2+rng.IntN(6), 9.76) },
	"unequal": func(rng *rand.Rand) cluster.Spec {
		var s cluster.Spec
		for range 2 + rng.IntN(6) {
			s.Bandwidth = append(s.Bandwidth, pick(rng, 1., 2, 3, 5, 9.76))
		}
		return s
	},
	"one server": func(rng *rand.Rand) cluster.Spec {
		return cluster.Spec{Servers: &cluster.Servers{Count: 1, GPUs: 2 + rng.IntN(6), GPUsPerSwitch: 1 + rng.IntN(4),
			SwitchesPerSocket: 1 + rng.IntN(2),
			Tree:              tree(rng), Load: pick(rng, cluster.LoadHighest, cluster.LoadPath)}}
	},
	"servers": func(rng *rand.Rand) cluster.Spec {
		count := 2 + rng.IntN(2)
		return cluster.Spec{Servers: &cluster.Servers{Count: count, GPUs: 1 + rng.IntN(7/count),
			GPUsPerSwitch: 1 + rng.IntN(3), Tree: tree(rng),
			NIC: pick(rng, 1., 3, 12.5, 50, 100), Load: pick(rng, cluster.LoadHighest, cluster.LoadPath)}}
	},
	"bcube": func(rng *rand.Rand) cluster.Spec {
		return pick(rng,
			cluster.Spec{BCube: &cluster.BCube{Ports: 2, Layers: 1, Bandwidth: []float64{1}}},
			cluster.Spec{BCube: &cluster.BCube{Ports: 2, Layers: 2, Bandwidth: []float64{pick(rng, 1., 2), 3}}},
			cluster.Spec{BCube: &cluster.BCube{Ports: 5, Layers: 1, Bandwidth: []float64{2}}})
	},
	"leaf–spine": func(rng *rand.Rand) cluster.Spec {
		return cluster.Spec{LeafSpine: &cluster.LeafSpine{Leaves: 2 + rng.IntN(2), Hosts: 1 + rng.IntN(2),
			Host: pick(rng, 1., 3), Uplink: pick(rng, 1., 2, 6.25)}}
	},
	"general": func(rng *rand.Rand) cluster.Spec {
		n := 2 + rng.IntN(5)
		s := cluster.Spec{Nodes: n}
		for l := range 1 + rng.IntN(5) {
			s.Resources = append(s.Resources,
				cluster.ResourceSpec{Name: fmt.Sprint("r", l), GBs: pick(rng, 1., 2, 3, 8), MaxEdges: pick(rng, 0, 0, 1, 2, 3)})
		}
		for i := range n {
			for j := range i {
				if rng.IntN(4) == 0 {
					continue
				}
				var over []string
				for _, l := range rng.Perm(len(s.Resources))[:1+rng.IntN(min(3, len(s.Resources)))] {
					over = append(over, s.Resources[l].Name)
				}
				s.Routes = append(s.Routes, cluster.RouteSpec{Pair: []int{j, i}, Over: over})
			}
		}
		return s
	},
}

func tree(rng *rand.Rand) cluster.TreeSpec {
	return cluster.TreeSpec{PIX: pick(rng, 1., 10, 450), Node: pick(rng, 1., 9.76), Sys: pick(rng, 1., 5)}
}

// drawn is a random question about hardware of some shape; ok is false where the hardware is refused or joins nobody.
func drawn(t *testing.T, rng *rand.Rand, shape string) (p design.Problem, ok bool) {
	c, err := cluster.New(shapes[shape](rng))
	if err != nil || c.CandidateCount() < c.Nodes()-1 {
		if err != nil && shape != "general" {
			t.Fatalf("%s: %v", shape, err)
		}
		return p, false
	}
	n := c.Nodes()
	p = design.Problem{Cluster: c, MaxEdges: n - 1 + rng.IntN(c.CandidateCount()-n+2),
		MaxDegree: pick(rng, 0, 0, max(1, min(n-1, 2)), n-1),
		Objective: pick(rng, "", design.Rate, design.Time), Purpose: pick(rng, "", design.Consensus,
			design.Training), Sign: pick(rng, "", design.NonNegative, design.Free)}
	if mu := pick(rng, -2, -0.9, -0.3, 0, 0.2); mu > -1 && rng.IntN(2) == 0 {
		p.MinEigenvalue = &mu
	}
	return p, true
}

// Whatever small hardware and question: the answer is a plan that verify accepts and that keeps every limit, or a
// reason that brute force agrees with. No bound is above the true optimum, and enumeration finds it.
func TestEveryQuestionHasAnAnswer(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	names := slices.Sorted(maps.Keys(shapes))
	cases := 210
	if testing.Short() {
		cases /= 2 // the first ones; every shape comes up
	}
	answered := 0
	for i := range cases {
		shape := names[i%len(names)]
		p, ok := drawn(t, rng, shape)
		if !ok {
			continue
		}
		s := sweep.Settings{Seed: uint64(i), Evaluations: 400, Paper: sweep.PaperSettings{Starts: 1},
			Method: pick(rng, "", sweep.Auto, sweep.Auto, sweep.Swap, sweep.Swap, sweep.Lift, sweep.ADMM,
				sweep.Paper)}
		if s.Method == sweep.ADMM || s.Method == sweep.Paper {
			p.Sign, p.Purpose, p.MinEigenvalue = "", "", nil // the paper's question
		}
		what := fmt.Sprintf("case %d, %s, %d nodes, method %q, %+v", i, shape, p.Cluster.Nodes(), s.Method, asked(p))
		plan, err := sweep.Optimize(context.Background(), p, s)
		if err != nil {
			excused(t, what, p, s.Method, err)
			continue
		}
		answered++
		checked(t, plan)
		keepsLimits(t, what, p, plan)
		if p.Cluster.Nodes() <= 5 {
			againstBruteForce(t, what, p, plan)
		}
	}
	if answered < cases/2 {
		t.Errorf("only %d of %d questions were answered", answered, cases)
	}
}

// asked is a question for a message.
func asked(p design.Problem) string {
	mu := "none"
	if p.MinEigenvalue != nil {
		mu = fmt.Sprint(*p.MinEigenvalue)
	}
	return fmt.Sprintf("%d edges, degree %d, objective %q, purpose %q, setting %q, μ %s", p.MaxEdges, p.MaxDegree,
		p.Objective, p.Purpose, p.Sign, mu)
}

// excused accepts the reasons for having no plan that are true.
func excused(t *testing.T, what string, p design.Problem, method sweep.Method, err error) {
	switch {
	case method == sweep.Lift && errors.Is(err, sweep.ErrNoPlan): // hardware without symmetry
	case method == sweep.Paper: // M z = e can have no solution where M z ≤ e has
		// As printed it may also end with weights that leave the graph in parts.
		if !errors.Is(err, feasible.ErrInfeasible) && !errors.Is(err, sweep.ErrNoPlan) &&
			!strings.Contains(err.Error(), "Algorithm 1") && !strings.Contains(err.Error(), "exactly") {
			t.Errorf("%s: %v", what, err)
		}
	case errors.Is(err, feasible.ErrInfeasible):
		if possible(t, p) {
			t.Errorf("%s: called impossible, but brute force finds a graph: %v", what, err)
		}
	default:
		t.Errorf("%s: %v", what, err)
	}
}

// keepsLimits checks the plan against the question itself, not against what the plan says of it.
func keepsLimits(t *testing.T, what string, p design.Problem, plan *design.Plan) {
	p = p.WithDefaults()
	if len(plan.Edges()) > p.MaxEdges || p.MaxDegree > 0 && plan.MaxDegree > p.MaxDegree {
		t.Errorf("%s: %d edges, degree %d", what, len(plan.Edges()), plan.MaxDegree)
	}
	if !(plan.RAsym < 1) || plan.Iterations < 1 {
		t.Errorf("%s: r_asym %v, %d rounds: nodes never agree", what, plan.RAsym, plan.Iterations)
	}
	if m := p.MinEigenvalue; m != nil && *plan.LambdaN < *m-1e-8 {
		t.Errorf("%s: smallest eigenvalue %v", what, *plan.LambdaN)
	}
	for _, e := range plan.Edges() {
		if p.Sign == design.NonNegative && e.Weight < 0 {
			t.Errorf("%s: weight %v", what, e.Weight)
		}
	}
}
