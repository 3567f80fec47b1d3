package advise

import (
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/planner"
)

func untold(design.Progress) {}

// Whoever waits is told what happens after the sweep: all candidates are counted, then what would change the answer.
func TestWhoWaitsIsTold(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Format: cluster.Format, Nodes: 4, Bandwidth: cluster.Numbers{1}})
	if err != nil {
		t.Fatal(err)
	}
	problem := design.Problem{Cluster: c, Purpose: design.Training, Objective: design.Time}
	sweep, err := planner.Plan(t.Context(), problem, planner.Settings{Seed: 1, Evaluations: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var phases []design.Phase
	weighed, total := 0, 0
	a, err := From(t.Context(), c, sweep, Setting{}, func(now design.Progress) {
		if len(phases) == 0 || phases[len(phases)-1] != now.Phase {
			phases = append(phases, now.Phase)
		}
		if now.Phase == design.Weighing {
			weighed, total = now.Done, now.Total
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(phases) != 3 || phases[0] != design.Listing || phases[1] != design.Weighing || phases[2] != design.Varying {
		t.Errorf("told of %q; want listing, weighing, varying", phases)
	}
	if weighed != total || total < len(a.All) {
		t.Errorf("%d of %d were weighed, %d are listed", weighed, total, len(a.All))
	}
}
