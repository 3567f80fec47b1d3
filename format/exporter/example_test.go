package exporter_test

import (
	"log"
	"os"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/exporter"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// A path of three nodes as a dense matrix, one row per line.
func ExampleFormat_Write() {
	path, err := topology.Path(3)
	if err != nil {
		log.Fatal(err)
	}
	matrix, err := mixing.FromEdges(path, []float64{0.5, 0.25})
	if err != nil {
		log.Fatal(err)
	}
	csv, err := exporter.Find("csv")
	if err != nil {
		log.Fatal(err)
	}
	plan := design.FromSchedule(&mixing.Schedule{Rounds: []*mixing.Matrix{matrix}})
	if _, err := csv.Write(os.Stdout, plan); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 0.5,0.5,0
	// 0.5,0.25,0.25
	// 0,0.25,0.75
}
