package exporter_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/exporter"
	"github.com/batopo/batopo/mixing"
)

var update = flag.Bool("update", false, "rewrite the vectors in testdata/ranks")

// A rankVector is what a reader of rank tables in another language is tested with: from Start, ranks that go
// through the rounds of Ranks once must end with End, each of them at its own entry.
type rankVector struct {
	Plan  json.RawMessage `json:"plan"`
	Ranks json.RawMessage `json:"ranks"`
	Start []float64       `json:"start"`
	End   []float64       `json:"end"`
}

// The vectors are committed, so that a change of plans or tables that other programs would notice is noticed here.
func TestRankVectors(t *testing.T) {
	base, baseErr := mixing.OnePeerExponential(6)
	for name, plan := range map[string]*design.Plan{
		"static":   uneven(t),
		"directed": family(t, "exponential", mixing.Params{Nodes: 5}),
		"schedule": schedule(t, base, baseErr),
	} {
		file := filepath.Join("testdata", "ranks", name+".json")
		want := vectorOf(t, plan)
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		committed, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(committed, want) {
			t.Errorf("%s is not what is exported now; other languages rely on it (go test ./format/exporter -update writes it)", file)
		}
		follow(t, name, committed)
	}
}

// vectorOf is a plan without claims, its tables, and what one period makes of a start.
func vectorOf(t *testing.T, p *design.Plan) []byte {
	t.Helper()
	tables, _ := export(t, find(t, "torch"), p)
	x, next := make([]float64, p.Nodes), make([]float64, p.Nodes)
	for i := range x {
		x[i] = float64(i * i)
	}
	v := rankVector{Ranks: tables, Start: append([]float64(nil), x...)}
	for _, w := range matrices(t, p) {
		w.Apply(next, x)
		x, next = next, x
	}
	v.End = x
	var err error
	if v.Plan, err = json.Marshal(identity(p)); err != nil {
		t.Fatal(err)
	}
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append(b, '\n')
}

// identity is the part of a plan that its hash is about.
func identity(p *design.Plan) any {
	return struct {
		Format   string          `json:"format"`
		Nodes    int             `json:"nodes"`
		Names    []string        `json:"names,omitempty"`
		Kind     design.PlanKind `json:"kind"`
		Directed bool            `json:"directed"`
		Every    int             `json:"every"`
		Order    design.Order    `json:"order"`
		Overlap  bool            `json:"overlap"`
		Rounds   []design.Round  `json:"rounds"`
		Hash     string          `json:"hash"`
	}{p.Format, p.Nodes, p.Names, p.Kind, p.Directed, p.Every, p.Order, p.Overlap, p.Rounds, p.Hash}
}

// follow goes through the tables as another program would: it knows nothing but the file.
func follow(t *testing.T, name string, text []byte) {
	t.Helper()
	var v struct {
		Plan  struct{ Hash string }
		Start []float64
		End   []float64
		Ranks struct {
			Format string
			Hash   string
			Rounds []struct {
				Ranks []struct {
					SelfWeight float64 `json:"self_weight"`
					Steps      []struct {
						SendTo   *int `json:"send_to"`
						RecvFrom *int `json:"recv_from"`
						Weight   float64
					}
				}
			}
		}
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	if v.Ranks.Format != exporter.RanksFormat || v.Ranks.Hash != v.Plan.Hash {
		t.Errorf("%s: tables of format %q for plan %s, want %s", name, v.Ranks.Format, v.Ranks.Hash, v.Plan.Hash)
	}
	x := v.Start
	for _, round := range v.Ranks.Rounds {
		next := make([]float64, len(x))
		for i, rank := range round.Ranks {
			next[i] = rank.SelfWeight * x[i]
			for s, step := range rank.Steps {
				if step.RecvFrom == nil {
					continue
				}
				if to := round.Ranks[*step.RecvFrom].Steps[s].SendTo; to == nil || *to != i {
					t.Errorf("%s: rank %d waits in step %d for %d, which does not send to it", name, i, s, *step.RecvFrom)
				}
				next[i] += step.Weight * x[*step.RecvFrom]
			}
		}
		x = next
	}
	for i, want := range v.End {
		if math.Abs(x[i]-want) > 1e-12 {
			t.Errorf("%s: rank %d ends with %v, want %v", name, i, x[i], want)
		}
	}
}
