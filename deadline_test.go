package batopo_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
)

// hang is more than any call may take from the end of its context, on a machine that is busy with other tests: the aim
// is a second, and three where work cannot be interrupted.
const hang = 15 * time.Second

// A stopped call says what it had, or that it was stopped.
type call struct {
	name string
	run  func(ctx context.Context) (answer string, err error)
}

// racks is a tree of 32 racks of 32 nodes.
func racks(t *testing.T) *batopo.Cluster {
	t.Helper()
	c, err := batopo.NewCluster(batopo.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{{
		Name: "rack", Count: 32, Nodes: 32, Link: &cluster.Link{GBs: 10}, Uplink: &cluster.Link{GBs: 40}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func equal(t *testing.T, nodes int) *batopo.Cluster {
	t.Helper()
	c, err := batopo.Equal(nodes)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// circulant joins every node with others at given distances along a ring.
func circulant(nodes int, shifts ...int) (edges []batopo.Edge) {
	for i := range nodes {
		for _, s := range shifts {
			j := (i + s) % nodes
			edges = append(edges, batopo.Edge{I: min(i, j), J: max(i, j)})
		}
	}
	return edges
}

// calls are those of the library that take a context, with inputs that take much longer than they get.
func calls(t *testing.T) (out []call) {
	tree, plan := racks(t), func(p *batopo.Plan, err error) (string, error) {
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s, %d edges", p.Stop, len(p.Edges())), nil
	}
	advise := func(name string, c *batopo.Cluster, o batopo.Options) {
		out = append(out, call{"Advise " + name, func(ctx context.Context) (string, error) {
			a, err := batopo.Advise(ctx, c, o)
			if err != nil {
				return "", err
			}
			if a.Advice == nil {
				return plan(a.Plan, nil)
			}
			return a.Advice.Recommended.Name, nil
		}})
	}
	for _, n := range []int{4096, 131072} {
		advise(fmt.Sprint(n), equal(t, n), batopo.Options{})
	}
	advise("256, searched", equal(t, 256), batopo.Options{Search: true, Optimizer: "sgd"})
	for name, o := range map[string]batopo.Options{"": {}, ", exact": {Exact: true}, ", by speed": {Balance: true},
		", every 8": {Every: 8}, ", static": {Static: true}} {
		advise("32 racks"+name, tree, o)
	}
	search := func(name string, c *batopo.Cluster, o batopo.Options) {
		out = append(out, call{"Optimize " + name, func(ctx context.Context) (string, error) {
			return plan(batopo.Optimize(ctx, c, o))
		}})
	}
	search("131072", equal(t, 131072), batopo.Options{MaxEdges: 500_000})
	search("32 racks", tree, batopo.Options{MaxEdges: 3000})
	for _, m := range []batopo.Method{batopo.ADMM, batopo.AsPaper} {
		search("128 "+string(m), equal(t, 128), batopo.Options{MaxEdges: 300, Method: m})
	}
	large := equal(t, 4096)
	long := equal(t, 60_000)
	out = append(out, call{"Weights 4096", func(ctx context.Context) (string, error) {
		return plan(batopo.Weights(ctx, large, circulant(4096, 1, 77, 1031), batopo.Options{}))
	}}, call{"Weights 60000", func(ctx context.Context) (string, error) {
		return plan(batopo.Weights(ctx, long, circulant(60_000, 1), batopo.Options{}))
	}}, call{"Compare 4096", func(ctx context.Context) (string, error) {
		rows, skipped := batopo.Compare(ctx, large, nil, batopo.Options{})
		return fmt.Sprintf("%d rows, %d skipped", len(rows), len(skipped)), nil
	}}, call{"Compare 32 racks", func(ctx context.Context) (string, error) {
		rows, skipped := batopo.Compare(ctx, tree, nil, batopo.Options{})
		return fmt.Sprintf("%d rows, %d skipped", len(rows), len(skipped)), nil
	}})
	ring, err := batopo.Weights(t.Context(), equal(t, 2000), circulant(2000, 1), batopo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return append(out, call{"Check 2000", func(ctx context.Context) (string, error) {
		report, err := batopo.Check(ctx, ring)
		return fmt.Sprintf("%d claims", len(report)), err
	}}, call{"Simulate 2000", func(ctx context.Context) (string, error) {
		s, err := batopo.Simulate(ctx, ring, batopo.SimulationSettings{Trials: 1000, MaxRounds: 1_000_000})
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("complete: %v", s.Complete), nil
	}})
}

// Every call ends in time with the largest inputs, whenever it is stopped: with an answer, or with the word that it was
// stopped, but never with the claim that there is none. Many nodes without a search always have an answer.
func TestEveryCallEndsInTime(t *testing.T) {
	moments := []time.Duration{0, 100 * time.Millisecond, time.Second, 3 * time.Second}
	if testing.Short() {
		moments = moments[2:3]
	}
	for _, c := range calls(t) {
		for _, moment := range moments {
			t.Run(fmt.Sprint(c.name, " after ", moment), func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), moment)
				began := time.Now()
				answer, err := c.run(ctx)
				late := time.Since(began) - moment
				cancel()
				if late > hang || errors.Is(err, batopo.ErrInfeasible) || err != nil && !stopped(err) {
					t.Errorf("%v late, %q, %v", late, answer, err)
				}
				t.Logf("%6.2f s late: %s %v", late.Seconds(), answer, err)
			})
		}
	}
}

// stopped reports whether an error says that the context ended.
func stopped(err error) bool {
	return errors.Is(err, batopo.ErrStopped) || errors.Is(err, batopo.ErrNoPlan) ||
		errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "no answer")
}

// DistributedDataParallel takes no search, so there is an answer whenever the time ends.
func TestThereIsAnAnswerWithoutTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, o := range []batopo.Options{{}, {Optimizer: "sgd", Search: true}} {
		a, err := batopo.Advise(ctx, equal(t, 16), o)
		if err != nil || a.Advice.Recommended.Name != "DistributedDataParallel" || !a.Advice.Hurried || a.Plan == nil {
			t.Errorf("%+v: %v, %+v", o, err, a)
		}
	}
}
