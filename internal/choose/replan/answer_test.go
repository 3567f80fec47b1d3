package replan_test

import (
	"context"
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/replan"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// What the answer says has changed is what makes the new edges of the old ones, and degrees keep to their limit.
func TestTheAnswerSaysWhatChanges(t *testing.T) {
	plan, err := sweep.Optimize(context.Background(), design.Problem{Cluster: nodes(t, 12, nil), MaxEdges: 22,
		MaxDegree: 4}, sweep.Settings{Seed: 1, Evaluations: 1000})
	if err != nil {
		t.Fatal(err)
	}
	faster := map[int]float64{3: 0.4}
	for i := 4; i < 12; i++ {
		faster[i] = 3
	}
	a := decide(t, plan, nodes(t, 12, faster), replan.Settings{Changes: 1})
	if a.New == nil || len(a.Dropped)+len(a.Added) == 0 {
		t.Fatalf("nothing changes: %s", a.Why)
	}
	if a.New.MaxDegree > 4 {
		t.Errorf("a node has %d neighbours; the plan was asked for 4 at most", a.New.MaxDegree)
	}
	edges := map[topology.Edge]bool{}
	for _, e := range a.Now.Edges() {
		edges[topology.Edge{I: e.I, J: e.J}] = true
	}
	for _, e := range a.Dropped {
		if !edges[e] {
			t.Errorf("%v is dropped but was no edge", e)
		}
		delete(edges, e)
	}
	for _, e := range a.Added {
		if edges[e] {
			t.Errorf("%v is added but was an edge", e)
		}
		edges[e] = true
	}
	for _, e := range a.New.Edges() {
		if !edges[topology.Edge{I: e.I, J: e.J}] {
			t.Errorf("%d–%d is new, but not in the answer", e.I, e.J)
		}
	}
	if len(edges) != len(a.New.Edges()) {
		t.Errorf("the answer leads to %d edges, the new plan has %d", len(edges), len(a.New.Edges()))
	}
}

// In training plans are compared by the time of an iteration per effective neighbour,
// n_W(γ) = 1/(1−γ) / ((1/n) Σ λ²/(1−γλ²)) of Vogels, Hendrikx and Jaggi (2022).
func TestTrainingIsScoredByIterationsPerNeighbour(t *testing.T) {
	c := nodes(t, 12, map[int]float64{3: 0.5})
	plan := solve(t, nodes(t, 12, nil), 24, 1000, design.Training)
	a := decide(t, plan, c, replan.Settings{})
	var eigen mat.EigenSym
	dense := matrix(t, a.Now).Dense()
	symmetric := mat.NewSymDense(12, nil)
	for i := range 12 {
		for j := range i + 1 {
			symmetric.SetSym(i, j, dense.At(i, j))
		}
	}
	if !eigen.Factorize(symmetric, false) {
		t.Fatal("no eigenvalues")
	}
	const gamma = sweep.NoiseDecay
	sum := 0.0
	for _, v := range eigen.Values(nil) {
		sum += v * v / (1 - gamma*v*v)
	}
	neighbors := 1 / (1 - gamma) / (sum / 12)
	if want := (a.Now.CommunicationMS + cluster.PaperComputeMS) / neighbors; math.Abs(a.ScoreNow/want-1) > 1e-9 {
		t.Errorf("the score is %v; %v ms and %v neighbours make it %v", a.ScoreNow, a.Now.CommunicationMS, neighbors, want)
	}
}

// A ring of even length that keeps nothing for itself swaps values for ever; whatever agrees is better.
func TestAPlanThatNeverAgreesIsChanged(t *testing.T) {
	c := nodes(t, 8, nil)
	ring, err := topology.Ring(8)
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.FromEdges(ring, []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := sweep.Describe(context.Background(), c, w)
	if err != nil {
		t.Fatal(err)
	}
	if a := decide(t, plan, c, replan.Settings{}); a.Keep || a.New == nil || a.New.Iterations == 0 {
		t.Errorf("keep is %v: %s", a.Keep, a.Why)
	}
}
