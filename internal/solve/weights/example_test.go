package weights_test

import (
	"context"
	"fmt"

	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

// The Wagner graph, a ring of eight with its diameters, as a lift: one orbit of 8 nodes and two arcs.
func ExampleSolveLift() {
	wagner, err := topology.NewLift(1, 8, []topology.Arc{{S: 1}, {S: 4}})
	if err != nil {
		panic(err)
	}
	r, err := weights.SolveLift(context.Background(), wagner, weights.Settings{})
	if err != nil {
		panic(err)
	}
	fmt.Printf("ring %.4f, diameters %.4f\n", r.Weights[0], r.Weights[1])
	fmt.Printf("r_asym %.6f, and no weights reach %.6f\n", r.RAsym, r.Bound-5e-7)
	// Output:
	// ring 0.2929, diameters 0.2071
	// r_asym 0.414214, and no weights reach 0.414213
}

func ExampleSolve() {
	star, err := topology.Star(8)
	if err != nil {
		panic(err)
	}
	free := weights.Settings{Sign: "free"}
	a, err := weights.Solve(context.Background(), star, weights.Settings{})
	if err != nil {
		panic(err)
	}
	b, err := weights.Solve(context.Background(), star, free)
	if err != nil {
		panic(err)
	}
	fmt.Printf("nonnegative %.6f, free %.6f\n", a.RAsym, b.RAsym)
	// Output:
	// nonnegative 0.857143, free 0.777778
}
