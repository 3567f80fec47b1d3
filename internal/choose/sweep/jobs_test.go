package sweep_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/search"
)

// written is a sweep's recommended plan as a file.
func written(t *testing.T, sweep *sweep.Sweep) string {
	t.Helper()
	var b bytes.Buffer
	if err := sweep.Best().Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A server runs several jobs at once: one that is stopped keeps what it has, and disturbs no other.
func TestJobsRunSideBySide(t *testing.T) {
	p := design.Problem{Cluster: homogeneous(t, search.ExhaustiveNodes+1)} // on fewer nodes nothing is searched for
	settings := sweep.Settings{Seed: 1, Evaluations: 1_500, Workers: 1}
	alone, err := sweep.New(t.Context(), p, settings)
	if err != nil {
		t.Fatal(err)
	}
	if alone.Best().Stop == design.Exhausted {
		t.Fatal("all graphs were listed; nothing was searched for")
	}
	ctx, stop := context.WithCancel(t.Context())
	var jobs sync.WaitGroup
	jobs.Go(func() {
		long := settings
		long.Evaluations = 20_000_000
		long.Progress = func(now design.Progress) {
			if now.Feasible {
				stop()
			}
		}
		swept, err := sweep.New(ctx, p, long)
		if err != nil {
			t.Error(err)
			return
		}
		if last := swept.Outcomes[len(swept.Outcomes)-1].Status; last != sweep.NotAttempted {
			t.Errorf("the last budget of a sweep that was stopped at the first plan is %q", last)
		}
	})
	for _, workers := range []int{0, 1, 3} {
		jobs.Go(func() {
			mine := settings
			mine.Workers = workers
			beside, err := sweep.New(t.Context(), p, mine)
			if err != nil {
				t.Error(err)
			} else if written(t, beside) != written(t, alone) {
				t.Errorf("%d workers beside other jobs give another plan", workers)
			}
		})
	}
	jobs.Wait()
}

// Every report of a sweep says which budget it is about and how far that is.
func TestProgressOfASweepIsStructured(t *testing.T) {
	settings := sweep.Settings{Seed: 1, Evaluations: 3_000}
	reports, last := 0, 0
	settings.Progress = func(now design.Progress) {
		reports++
		last = max(last, now.Budget)
		if now.Budget < 1 || now.Budget > now.Budgets || now.Done > now.Total || now.Phase != design.Searching {
			t.Errorf("report %d: %+v", reports, now)
		}
		if now.Feasible && now.Best < now.Bound-1e-9 {
			t.Errorf("report %d: the best is below its bound: %+v", reports, now)
		}
	}
	sweep, err := sweep.New(t.Context(), design.Problem{Cluster: homogeneous(t, search.ExhaustiveNodes+1)}, settings)
	if err != nil {
		t.Fatal(err)
	}
	if reports == 0 || last < 2 || last > len(sweep.Outcomes) {
		t.Errorf("%d reports, the last about budget %d of %d", reports, last, len(sweep.Outcomes))
	}
}

func TestWorkersAreChecked(t *testing.T) {
	p := design.Problem{Cluster: homogeneous(t, 4), MaxEdges: 4}
	_, err := sweep.Optimize(t.Context(), p, sweep.Settings{Workers: -1})
	if err == nil || !strings.Contains(err.Error(), "workers is -1; it must be at least 1, or 0") {
		t.Errorf("workers −1: %v", err)
	}
}
