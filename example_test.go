package batopo_test

import (
	"context"
	"fmt"
	"log"

	"github.com/batopo/batopo"
)

// Describe the machines, plan, and see with whom rank 0 averages.
func Example() {
	c, err := batopo.Equal(6) // or batopo.ReadCluster("cluster.yaml")
	check(err)
	plan, err := batopo.Best(context.Background(), c, batopo.Options{})
	check(err)
	schedule, err := plan.Schedule()
	check(err)
	peers, weights := schedule.Rounds[0].Row(0)
	fmt.Printf("rank 0 receives from ranks %d and weighs that by %.4f\n", peers, weights)
	// Output:
	// rank 0 receives from ranks [1 2 3 4] and weighs that by [0.2000 0.2000 0.2000 0.2000]
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
