package planner

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/batopo/batopo/cluster"
)

// No collective is faster than the bound; where every pair can talk, four of them or more have a row.
func TestCollectiveRows(t *testing.T) {
	examples, err := filepath.Glob("../examples/*-*.yaml")
	if err != nil || len(examples) < 6 {
		t.Fatal(examples, err)
	}
	for _, name := range examples {
		c, err := cluster.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		bound := AllReduceBound(c)
		rows, _ := Baselines(t.Context(), c, 1)
		exact := 0
		for _, r := range rows {
			if r.Kind != AllReduce {
				continue
			}
			exact++
			if r.CommunicationMS < bound.MS*(1-1e-12) || !(r.MinEdgeGBs > 0) || math.IsInf(r.MinEdgeGBs, 1) {
				t.Errorf("%s: %s takes %v ms at %v GB/s, the bound is %v",
					name, r.Name, r.CommunicationMS, r.MinEdgeGBs, bound.MS)
			}
		}
		if exact < 4 && c.CandidateCount() == c.Nodes()*(c.Nodes()-1)/2 {
			t.Errorf("%s: %d collectives have a row", name, exact)
		}
	}
}
