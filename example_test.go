package batopo_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/batopo/batopo"
)

// Describe the machines, ask what to run, and see with whom rank 0 averages.
func Example() {
	c, err := batopo.Equal(6) // or batopo.ReadCluster("cluster.yaml")
	check(err)
	answer, err := batopo.Advise(context.Background(), c, batopo.Options{Static: true}) // without: any way to train
	check(err)
	schedule, err := answer.Plan.Schedule()
	check(err)
	peers, weights := schedule.Rounds[0].Row(0)
	fmt.Printf("rank 0 receives from ranks %d with weights %.4f\n", peers, weights)
	// Output:
	// rank 0 receives from ranks [1 2 3 4] with weights [0.2000 0.2000 0.2000 0.2000]
}

// What should these machines run? Here the gradients' all-reduce is hidden behind the computation.
func ExampleAdvise() {
	c, err := batopo.NewCluster(batopo.Spec{Format: "batopo.cluster/v2", Nodes: 4, Bandwidth: []float64{100}})
	check(err)
	answer, err := batopo.Advise(context.Background(), c, batopo.Options{Evaluations: 1000})
	check(err)
	best := answer.Advice.Recommended
	fmt.Printf("%s: %.2f ms an iteration; the plan is for %s\n", best.Name, best.IterationMS, answer.Plan.Purpose)
	// Output:
	// DistributedDataParallel: 15.59 ms an iteration; the plan is for training
}

// The best graph of 12 edges on 8 machines, rechecked.
func ExampleOptimize() {
	ctx := context.Background()
	c, err := batopo.Equal(8)
	check(err)
	plan, err := batopo.Optimize(ctx, c, batopo.Options{MaxEdges: 12, MaxDegree: 3})
	check(err)
	_, err = batopo.Check(ctx, plan)
	fmt.Printf("r_asym %.4f; false claims: %v\n", plan.RAsym, err)
	// Output:
	// r_asym 0.4142; false claims: <nil>
}

// Algorithm 2 of the paper as printed, with every step on the way.
func ExampleOptimize_asPaper() {
	c, err := batopo.Equal(8)
	check(err)
	var last batopo.Step
	o := batopo.Options{MaxEdges: 12, Method: batopo.AsPaper, Paper: batopo.PaperSettings{Trace: true}}
	o.Progress = func(p batopo.Progress) {
		if p.Step != nil {
			last = *p.Step
		}
	}
	plan, err := batopo.Optimize(context.Background(), c, o)
	check(err)
	fmt.Printf("it ends because ‖X − Y‖² ≤ 1e-6: %v; r_asym %.4f is the plan's: %v\n", last.Gap <= 1e-6, last.RAsym,
		math.Abs(last.RAsym-plan.RAsym) < 1e-9)
	// Output:
	// it ends because ‖X − Y‖² ≤ 1e-6: true; r_asym 0.4153 is the plan's: true
}

// How many rounds until numbers that differ are nearly the same on every node?
func ExampleSimulate() {
	ctx := context.Background()
	c, err := batopo.Equal(8)
	check(err)
	plan, err := batopo.Optimize(ctx, c, batopo.Options{MaxEdges: 12, MaxDegree: 3})
	check(err)
	run, err := batopo.Simulate(ctx, plan, batopo.SimulationSettings{Target: 1e-4})
	check(err)
	last := run.Errors[len(run.Errors)-1]
	fmt.Printf("%d rounds, %.1f ms\n", last.Round, last.TimeMS)
	// Output:
	// 12 rounds, 180.4 ms
}

// The same plan where every node has half the bandwidth.
func ExamplePrice() {
	c, err := batopo.Equal(8)
	check(err)
	half, err := batopo.NewCluster(batopo.Spec{Format: "batopo.cluster/v2", Nodes: 8, Bandwidth: []float64{4.88}})
	check(err)
	plan, err := batopo.Optimize(context.Background(), c, batopo.Options{MaxEdges: 12, MaxDegree: 3})
	check(err)
	for _, on := range []*batopo.Cluster{c, half} {
		ms, err := batopo.Price(plan, on)
		check(err)
		fmt.Printf("%.1f ms an iteration\n", ms)
	}
	// Output:
	// 30.2 ms an iteration
	// 45.3 ms an iteration
}

// Metropolis weights on a star of four are 1/4; the best ones are larger.
func ExampleWeights() {
	c, err := batopo.Equal(4)
	check(err)
	star := []batopo.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 0, J: 3}}
	plan, err := batopo.Weights(context.Background(), c, star, batopo.Options{})
	check(err)
	for _, e := range plan.Edges() {
		fmt.Printf("%d–%d: %.4f\n", e.I, e.J, e.Weight)
	}
	// Output:
	// 0–1: 0.3333
	// 0–2: 0.3333
	// 0–3: 0.3333
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
