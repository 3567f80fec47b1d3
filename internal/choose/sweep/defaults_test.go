package sweep_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// What a library user leaves out means what the commands mean by it.
func TestZeroValuesMeanTheDefaults(t *testing.T) {
	settings := sweep.Settings{Seed: 1, Evaluations: 2000}
	write := func(p design.Problem) string {
		plan, err := sweep.Optimize(context.Background(), p, settings)
		if err != nil {
			t.Fatal(err)
		}
		checked(t, plan)
		var b bytes.Buffer
		if err := plan.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for _, example := range []string{"homogeneous-16", "wan-general"} {
		c := hardware(t, example)
		least := c.Nodes() - 1
		if write(design.Problem{Cluster: c, MaxEdges: least}) != write(question(c, least)) {
			t.Errorf("%s: leaving objective, purpose and setting out is not rate, consensus and fmmc", example)
		}
		zero := 0.0
		said := design.Problem{Cluster: c, MaxEdges: least, Objective: design.Rate, Purpose: design.Training,
			Sign: design.NonNegative, MinEigenvalue: &zero}
		if write(design.Problem{Cluster: c, MaxEdges: least, Purpose: design.Training}) != write(said) {
			t.Errorf("%s: training without a limit on the spectrum is not W ⪰ 0", example)
		}
		sweep, err := sweep.New(context.Background(), design.Problem{Cluster: c, MaxEdges: least + 1}, settings)
		if err != nil || sweep.Best().Objective != design.Time || sweep.Best().Purpose != design.Consensus {
			t.Errorf("%s: a sweep of the zero problem: %v", example, err)
		}
	}
	if _, err := sweep.Optimize(context.Background(), design.Problem{}, settings); err == nil ||
		!strings.Contains(err.Error(), "cluster") {
		t.Errorf("a problem without a cluster: %v", err)
	}
	if _, err := sweep.New(context.Background(), design.Problem{}, settings); err == nil ||
		!strings.Contains(err.Error(), "cluster") {
		t.Errorf("a sweep without a cluster: %v", err)
	}
}

// A limit on the spectrum never makes nodes agree more slowly than it must: of two and five nodes with μ near −1 the
// answer is that without.
func TestNegativeLimitsOnTheSpectrumStillAgree(t *testing.T) {
	for _, setting := range []design.Sign{design.NonNegative, design.Free} {
		for _, n := range []int{2, 5, 9} {
			free := question(homogeneous(t, n), n-1)
			free.Sign = setting
			want, err := sweep.Optimize(context.Background(), free, sweep.Settings{Seed: 1, Evaluations: 5000})
			if err != nil {
				t.Fatal(err)
			}
			for _, mu := range []float64{-0.999999, -0.9, -0.2} {
				p := free
				p.MinEigenvalue = &mu
				plan, err := sweep.Optimize(context.Background(), p, sweep.Settings{Seed: 1, Evaluations: 5000})
				if err != nil {
					t.Fatal(err)
				}
				checked(t, plan)
				if *plan.LambdaN < mu-1e-9 || plan.RAsym > want.RAsym+1e-6 && *want.LambdaN > mu || plan.Iterations == 0 {
					t.Errorf("%d nodes, %s, μ = %v: r_asym %v, λ_n %v, %d rounds; without the limit %v and %v", n, setting, mu,
						plan.RAsym, *plan.LambdaN, plan.Iterations, want.RAsym, *want.LambdaN)
				}
			}
			worst := -1.0
			free.MinEigenvalue = &worst
			if _, err := sweep.Optimize(context.Background(), free, sweep.Settings{Seed: 1}); err == nil ||
				!strings.Contains(err.Error(), "above −1") {
				t.Errorf("μ = −1: %v, want the reason", err)
			}
		}
	}
}

// The printed method keeps a maximum degree too, or proves that it cannot.
func TestThePrintedMethodKeepsTheDegreeLimit(t *testing.T) {
	c := hardware(t, "intra-server-8")
	p := question(c, 12)
	p.MaxDegree = 4
	plan, err := sweep.Optimize(context.Background(), p, sweep.Settings{Method: sweep.Paper, Seed: 1, Paper: sweep.PaperSettings{Starts: 1}})
	if err != nil {
		t.Fatal(err)
	}
	checked(t, plan)
	if plan.MaxDegree > 4 {
		t.Errorf("degree %d, at most 4 allowed", plan.MaxDegree)
	}
	p = question(hardware(t, "node-level-16"), 32)
	p.MaxDegree = 4
	_, err = sweep.Optimize(context.Background(), p, sweep.Settings{Method: sweep.Paper, Seed: 1, Paper: sweep.PaperSettings{Starts: 1}})
	if !errors.Is(err, feasible.ErrInfeasible) || !strings.Contains(err.Error(), "must carry exactly 6 edges") {
		t.Errorf("six edges per fast node and degree 4: %v, want a proof that both cannot be", err)
	}
}
