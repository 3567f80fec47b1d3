package design

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/cost"
)

// A badPlan is a plan of testdata with something changed, and what readers in all languages say about it.
type badPlan struct {
	Name, Plan, Error string
	Change            map[string]any
}

// The reader of the Python package goes through the same table.
func TestBadClocksAreRefusedInTheSameWords(t *testing.T) {
	var table []badPlan
	read(t, "bad-clocks", &table)
	for _, bad := range table {
		var plan map[string]any
		read(t, bad.Plan, &plan)
		merge(plan, bad.Change)
		_, err := ReadPlan("plan", bytes.NewReader(encoded(t, plan)))
		if err == nil || err.Error() != "plan: "+bad.Error {
			t.Errorf("%s: %v, want %q", bad.Name, err, bad.Error)
		}
	}
	if len(table) < 40 {
		t.Errorf("only %d bad plans were read", len(table))
	}
}

func read(t *testing.T, name string, into any) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err == nil {
		err = json.Unmarshal(source, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// merge changes fields of an object; null takes one away.
func merge(into, change map[string]any) {
	for key, value := range change {
		inner, isObject := value.(map[string]any)
		have, hasObject := into[key].(map[string]any)
		switch {
		case value == nil:
			delete(into, key)
		case isObject && hasObject:
			merge(have, inner)
		default:
			into[key] = value
		}
	}
}

func encoded(t *testing.T, value any) []byte {
	t.Helper()
	b, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Everything that clocks say is part of the hash, and what is usual may be said or not.
func TestClocksAreHashed(t *testing.T) {
	fresh := func() *Plan {
		p, err := ReadPlanFile("testdata/two-clocks.json")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	hashes := []string{fresh().ComputeHash()}
	for _, change := range []func(p *Plan){
		func(p *Plan) { p.Average = Parameters }, func(p *Plan) { p.Wire = FP32 }, func(p *Plan) { p.Wire = BF16 },
		func(p *Plan) { p.Pieces = 4 },
		func(p *Plan) { p.BatchWeights = nil }, func(p *Plan) { p.BatchWeights[0] = 0.2 },
		func(p *Plan) { p.Inside.Gradients = false }, func(p *Plan) { p.DelaySteps = 4 }, func(p *Plan) { p.Outer = nil },
		func(p *Plan) { p.Outer.LearningRate = 1 }, func(p *Plan) { p.Outer.Momentum = 0 },
		func(p *Plan) { p.Phases = nil }, func(p *Plan) { p.Phases[0].Steps++ }, func(p *Plan) { p.Phases[1].Every++ },
		func(p *Plan) { p.Phases[1].Delay++ },
	} {
		p := fresh()
		change(p)
		if h := p.ComputeHash(); slices.Contains(hashes, h) {
			t.Errorf("hash %s comes twice", h)
		} else {
			hashes = append(hashes, h)
		}
	}
	var plan map[string]any
	read(t, "two-levels", &plan)
	merge(plan, map[string]any{"average": "parameters", "wire": "fp32", "pieces": 1})
	p, err := ReadPlan("usual", bytes.NewReader(encoded(t, plan)))
	if err != nil || p.CheckHash() != nil {
		t.Fatalf("what is usual is not read as such: %v %v", err, p.CheckHash())
	}
	if p.HasClocks() {
		t.Error("what is usual counts as clocks")
	}
}

func TestOuterWithoutASynchronousStartIsWarnedAbout(t *testing.T) {
	p, err := ReadPlanFile("testdata/two-clocks.json")
	if err != nil {
		t.Fatal(err)
	}
	if w := p.Warnings(); len(w) != 0 {
		t.Errorf("warned about %q", w)
	}
	p.Phases = nil
	if w := p.Warnings(); len(w) != 1 || !strings.Contains(w[0], "no synchronous first phase") {
		t.Errorf("without phases: %q", w)
	}
	p.Outer = nil
	if w := p.Warnings(); len(w) != 0 {
		t.Errorf("without an outer optimizer: %q", w)
	}
}

// A plan of the backend's all-reduce takes as long as DistributedDataParallel over that all-reduce in a first phase or
// in a trial: it is cut as suits each bucket.
func TestALibraryHasOnePrice(t *testing.T) {
	spec := cluster.Homogeneous(8, 1)
	spec.LatencyMS = 1
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	chain := []int{-1, 0, 1, 2, 3, 4, 5, 6}
	for _, how := range []*Collective{{Algorithm: RingForm, Order: []int{0, 1, 2, 3, 4, 5, 6, 7}},
		{Algorithm: TreeForm, Parent: chain, Chunks: 2}} {
		p, err := NewCollectivePlan(c, how)
		if err != nil {
			t.Fatal(err)
		}
		p.Clocks, p.Library = Clocks{Average: Gradients}, true
		planned, err := p.IterationMS(c)
		if err != nil {
			t.Fatal(err)
		}
		ddp, err := cost.InBuckets(c, cost.Gradients(1), how.Runs())
		if err != nil {
			t.Fatal(err)
		}
		if priced, err := ddp.OnCluster(c); err != nil || priced != planned {
			t.Errorf("%s: the plan takes %v ms, the all-reduce %v (%v)", how.Algorithm, planned, priced, err)
		}
	}
}
