package sweep

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/solve/schedules"
	"github.com/batopo/batopo/verify"
)

// Every form that fits a cluster becomes a plan whose claims all hold; for the others the error says why not.
func TestCollectivePlans(t *testing.T) {
	made := map[string]int{}
	for _, example := range []string{"node-level-16", "wan-general", "wan-asymmetric", "intra-server-8"} {
		c, err := cluster.ReadFile(filepath.Join("../../..", "examples", example+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		bound := schedules.LowerBound(c, false)
		for _, form := range schedules.Collectives {
			p, err := CollectivePlan(t.Context(), c, form.Name, 1)
			if err != nil {
				if p != nil || err.Error() == "" {
					t.Errorf("%s, %s: a plan and the error %v", example, form.Name, err)
				}
				continue
			}
			made[form.Name]++
			report, err := verify.Check(t.Context(), p)
			if err != nil || report.Err() != nil {
				t.Errorf("%s, %s: %v %v", example, form.Name, err, report.Err())
			}
			if p.TimeMS < bound.MS*(1-1e-12) {
				t.Errorf("%s, %s: %v ms, but nothing takes less than %v", example, form.Name, p.TimeMS, bound.MS)
			}
		}
		best, err := CollectivePlan(t.Context(), c, "", 1)
		if err != nil {
			t.Fatal(err)
		}
		again, err := CollectivePlan(t.Context(), c, best.Method, 1)
		if err != nil || again.Hash != best.Hash || again.TimeMS != best.TimeMS {
			t.Errorf("%s: the quickest is %s with %v ms, made again %v ms (%v)", example, best.Method, best.TimeMS, again.TimeMS, err)
		}
	}
	for _, form := range schedules.Collectives {
		if made[form.Name] == 0 && form.Name != "two-level" {
			t.Errorf("%s was made for no example", form.Name)
		}
	}
}

func TestUnknownCollectiveIsRefused(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CollectivePlan(t.Context(), c, "star", 1); err == nil || !strings.Contains(err.Error(), "star") {
		t.Errorf("error %v", err)
	}
}

// The order of the nodes matters to halving and doubling: numbered across the switches of a BCube it takes half as long
// again.
func TestCollectivesAreTriedInSeveralOrders(t *testing.T) {
	c, err := cluster.ReadFile("../../../examples/bcube-16-1to2.yaml")
	if err != nil {
		t.Fatal(err)
	}
	form, err := schedules.FindCollective("halving-doubling")
	if err != nil {
		t.Fatal(err)
	}
	numbered, err := form.Find(t.Context(), (&pricing{c: c, seed: 1}).site())
	if err != nil {
		t.Fatal(err)
	}
	placed, err := form.Find(t.Context(), (&pricing{c: c, seed: 1, places: true}).site())
	if err != nil || placed.Price.MS > 0.7*numbered.Price.MS || placed.Note == "" {
		t.Errorf("%v ms in the best order found (%s), %v as numbered; %v", placed.Price.MS, placed.Note, numbered.Price.MS, err)
	}
}
