package verify_test

import (
	"context"
	"fmt"
	"log"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/verify"
)

// A plan that claims to average faster than it does is found out.
func ExampleCheck() {
	ctx := context.Background()
	plan, err := ringPlan(ctx)
	if err != nil {
		log.Fatal(err)
	}
	plan.RAsym = 0.25
	report, err := verify.Check(ctx, plan)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range report {
		if f.Claim == "r_asym" {
			fmt.Printf("%s: claimed %.4f, recomputed %.4f\n", f.Status, f.Claimed, f.Recomputed)
		}
	}
	// Output:
	// false: claimed 0.2500, recomputed 0.6667
}

// ringPlan describes a ring of 6 equal machines, all weights 1/3.
func ringPlan(ctx context.Context) (*design.Plan, error) {
	c, err := cluster.New(cluster.Homogeneous(6, cluster.PaperBandwidthGBs))
	if err != nil {
		return nil, err
	}
	ring, err := topology.Ring(6)
	if err != nil {
		return nil, err
	}
	const w = 1.0 / 3
	matrix, err := mixing.FromEdges(ring, []float64{w, w, w, w, w, w})
	if err != nil {
		return nil, err
	}
	return design.NewSchedulePlan(ctx, c, &mixing.Schedule{Rounds: []*mixing.Matrix{matrix}})
}
