package verify_test

import (
	"bytes"
	"context"
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/verify"

	"gonum.org/v1/gonum/mat"
)

// FuzzCheck feeds files that nobody made with this program. Nothing panics, and what passes in full is true by a
// computation that shares no code with verify: the norm of the dense W − J, its powers, and the hash.
func FuzzCheck(f *testing.F) {
	for _, p := range plans(f) {
		f.Add(written(f, p))
	}
	for _, p := range certifiedPlans(f) {
		f.Add(written(f, p))
	}
	for _, p := range boundedPlans(f) {
		f.Add(written(f, p))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := design.ReadPlan("fuzz", bytes.NewReader(text))
		if err != nil || p.Nodes > 32 || len(p.Rounds) > 64 {
			return
		}
		agrees(t, p)
	})
}

// FuzzClaims puts any number in any place of real plans, with all that follows from it, so that the hash does
// not give it away.
func FuzzClaims(f *testing.F) {
	var texts [][]byte
	for _, group := range []map[string]*design.Plan{plans(f), boundedPlans(f), certifiedPlans(f)} {
		for _, name := range slices.Sorted(maps.Keys(group)) {
			texts = append(texts, written(f, group[name]))
		}
	}
	for k, v := range []float64{0, 1, -1, 0.5, 1e-162, 1e3, 1e160, 5e-324, 1e300} {
		f.Add(uint8(k), uint16(11*k), v, uint16(7*k), v)
	}
	f.Fuzz(func(t *testing.T, which uint8, first uint16, v float64, second uint16, w float64) {
		p, err := design.ReadPlan("fuzz", bytes.NewReader(texts[int(which)%len(texts)]))
		if err != nil {
			t.Fatal(err)
		}
		var numbers []place
		places(reflect.ValueOf(p).Elem(), "", "", func(at place) {
			if at.value.CanFloat() || at.value.CanInt() {
				numbers = append(numbers, at)
			}
		})
		put := func(at place, v float64) {
			if at.value.CanFloat() {
				at.value.SetFloat(v)
			} else if math.Abs(v) < 1e18 {
				at.value.SetInt(int64(v))
			}
		}
		a, b := numbers[int(first)%len(numbers)], numbers[int(second)%len(numbers)]
		put(a, v)
		put(b, w)
		if p.Nodes > 32 {
			return
		}
		consistent(p, a.path)
		if text := new(bytes.Buffer); p.Write(text) == nil {
			if p, err = design.ReadPlan("fuzz", text); err == nil {
				agrees(t, p)
			}
		}
	})
}

// agrees checks a plan and, where it passes, what it says.
func agrees(t *testing.T, p *design.Plan) {
	t.Helper()
	report, err := verify.Check(context.Background(), p)
	if err != nil || report.Err() != nil {
		return
	}
	if p.Hash != p.ComputeHash() {
		t.Errorf("a plan with another hash passes")
	}
	if p.Plain() != nil {
		return // nothing is claimed to be proved
	}
	rounds, err := p.Matrices()
	if err != nil {
		t.Fatalf("a plan that passes has no matrices: %v", err)
	}
	product := denseProduct(rounds)
	norm := math.Pow(spectralNorm(product), 1/float64(len(rounds)))
	if len(rounds) == 1 && math.Abs(norm-p.RAsym) > 1e-7*max(1, norm) {
		t.Errorf("r_asym is %v, the norm of W − J %v", p.RAsym, norm)
	}
	if b := p.WeightsBound; b != nil && p.MinEigenvalue == nil && b.RAsym > norm+1e-7 {
		t.Errorf("weights_bound is %v, the weights have %v", b.RAsym, norm)
	}
	if len(rounds) == 1 && p.Iterations > 1 && p.Iterations < 1000 {
		power := mat.NewDense(p.Nodes, p.Nodes, nil)
		power.Pow(product, p.Iterations)
		if left := mat.Norm(power, 2); left > p.TargetError*(1+1e-6) {
			t.Errorf("after %d rounds %v is left, the target is %v", p.Iterations, left, p.TargetError)
		}
	}
}

// denseProduct is the product of the rounds, less J.
func denseProduct(rounds []*mixing.Matrix) *mat.Dense {
	n := rounds[0].Nodes()
	product := rounds[0].Dense()
	for _, w := range rounds[1:] {
		var next mat.Dense
		next.Mul(w.Dense(), product)
		product = &next
	}
	product.Apply(func(_, _ int, v float64) float64 { return v - 1/float64(n) }, product)
	return product
}

// spectralNorm is the root of the largest eigenvalue of mᵀm.
func spectralNorm(m *mat.Dense) float64 {
	var gram mat.Dense
	gram.Mul(m.T(), m)
	n, _ := gram.Dims()
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sym.SetSym(i, j, gram.At(i, j))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(sym, false) {
		return math.NaN()
	}
	return math.Sqrt(max(0, eigen.Values(nil)[n-1]))
}
