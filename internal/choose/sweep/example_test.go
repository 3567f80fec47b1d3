package sweep_test

import (
	"context"
	"fmt"
	"log"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// The best graph of 12 edges and degree 3 on 8 equal machines.
func ExampleOptimize() {
	c, err := cluster.New(cluster.Homogeneous(8, cluster.PaperBandwidthGBs))
	if err != nil {
		log.Fatal(err)
	}
	problem := design.Problem{Cluster: c, MaxEdges: 12, MaxDegree: 3}
	plan, err := sweep.Optimize(context.Background(), problem, sweep.Settings{Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("r_asym %.4f; no graph within these limits is below %.4f\n", plan.RAsym, plan.Bound.RAsym)
	// Output:
	// r_asym 0.4142; no graph within these limits is below 0.3830
}
