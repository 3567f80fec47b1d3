package sweep

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/solve/schedules"
)

// No collective is faster than the bound; where every pair can talk, four of them or more have a row.
func TestCollectiveRows(t *testing.T) {
	examples, err := filepath.Glob("../../../examples/*-*.yaml")
	if err != nil || len(examples) < 6 {
		t.Fatal(examples, err)
	}
	for _, name := range examples {
		c, err := cluster.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		bound := schedules.LowerBound(c, false)
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

// A server with two network cards has no single way out, and hierarchical all-reduce uses both cards at once.
func TestTwoLevelsBehindSeveralCards(t *testing.T) {
	const messageMB, cards, gbs, servers = 600.0, 2, 12.0, 6
	c, err := cluster.Read("cards.yaml", strings.NewReader(`
format: batopo.cluster/v2
tree:
  groups:
    - {name: server, count: 6, nodes: 4, nvswitch: 300, nics: {count: 2, gb_s: 12}}
model: {message_mb: 600}
`))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := CollectivePlan(t.Context(), c, "two-level", 1)
	if err != nil {
		t.Fatal(err)
	}
	// Every server sends and receives 2 (servers − 1) / servers of a message, half of it over each card.
	const atLeast = messageMB * 2 * (servers - 1) / servers / (cards * gbs)
	if ms := plan.CommunicationMS; ms < atLeast*(1-1e-9) || ms > 1.2*atLeast {
		t.Errorf("a round takes %v ms; the cards alone need %v", ms, atLeast)
	}
}
