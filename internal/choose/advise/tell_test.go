package advise

import (
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
)

func untold(design.Progress) {}

// Progress says what happens after the sweep: what can be run is counted, then what is compared of it, then
// what would change the answer.
func TestWhoWaitsIsTold(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Format: cluster.Format, Nodes: 4, Bandwidth: cluster.Numbers{1}})
	if err != nil {
		t.Fatal(err)
	}
	problem := design.Problem{Cluster: c, Purpose: design.Training, Objective: design.Time}
	sweep, err := sweep.New(t.Context(), problem, sweep.Settings{Seed: 1, Evaluations: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var phases []design.Phase
	done, total := map[design.Phase]int{}, map[design.Phase]int{}
	a, err := From(t.Context(), c, sweep, Setting{}, func(now design.Progress) {
		if len(phases) == 0 || phases[len(phases)-1] != now.Phase {
			phases = append(phases, now.Phase)
		}
		if now.Phase != design.Varying && now.Done != done[now.Phase] && now.Done != done[now.Phase]+1 {
			t.Errorf("%s: after %d comes %d", now.Phase, done[now.Phase], now.Done)
		}
		done[now.Phase], total[now.Phase] = now.Done, now.Total
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(phases) != 3 || phases[0] != design.Listing || phases[1] != design.Comparing || phases[2] != design.Varying {
		t.Errorf("phases %q; want listing, comparing, varying", phases)
	}
	for _, phase := range phases[:2] {
		if done[phase] != total[phase] || total[phase] == 0 {
			t.Errorf("%s ended at %d of %d", phase, done[phase], total[phase])
		}
	}
	if total[design.Comparing] < len(a.All) {
		t.Errorf("%d were compared, %d are listed", total[design.Comparing], len(a.All))
	}
}
