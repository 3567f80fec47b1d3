package sparse_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/ground/sparse"

	"gonum.org/v1/gonum/mat"
)

// randomSystem draws a sparse matrix that is safely regular, as entries and dense.
func randomSystem(rng *rand.Rand, n int) ([]sparse.Entry, *mat.Dense) {
	dense := mat.NewDense(n, n, nil)
	var entries []sparse.Entry
	put := func(i, j int, v float64) {
		entries = append(entries, sparse.Entry{Row: i, Col: j, Value: v})
		dense.Set(i, j, dense.At(i, j)+v)
	}
	for i := range n {
		put(i, i, 4+rng.Float64())
		for range 4 {
			put(i, rng.IntN(n), rng.NormFloat64()/2) // repeats are added
		}
	}
	return entries, dense
}

// saddle draws [I Aᵀ; A 0] with explicit zeros on the last diagonal.
func saddle(rng *rand.Rand, x, rows int) ([]sparse.Entry, *mat.Dense) {
	n := x + rows
	dense := mat.NewDense(n, n, nil)
	var entries []sparse.Entry
	put := func(i, j int, v float64) {
		entries = append(entries, sparse.Entry{Row: i, Col: j, Value: v})
		dense.Set(i, j, v)
	}
	for i := range x {
		put(i, i, 1)
	}
	for i := range rows {
		put(x+i, x+i, 0)
		put(x+i, i, 1) // A = [I …]: full rank
		put(i, x+i, 1)
		for j := rows; j < x; j++ {
			if rng.IntN(4) == 0 {
				put(x+i, j, 1)
				put(j, x+i, 1)
			}
		}
	}
	return entries, dense
}

func TestApplyIsTheDenseProduct(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 7, 40} {
		entries, dense := randomSystem(rng, n)
		m, err := sparse.NewCSC(n, n, entries)
		if err != nil {
			t.Fatal(err)
		}
		x, got := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		m.Apply(got, x)
		var want mat.VecDense
		want.MulVec(dense, mat.NewVecDense(n, x))
		for i := range got {
			if math.Abs(got[i]-want.AtVec(i)) > 1e-12 {
				t.Errorf("n = %d: entry %d of m x is %v, want %v", n, i, got[i], want.AtVec(i))
			}
			for j := range n {
				if math.Abs(m.At(i, j)-dense.At(i, j)) > 1e-15 {
					t.Errorf("n = %d: At(%d, %d) = %v, want %v", n, i, j, m.At(i, j), dense.At(i, j))
				}
			}
		}
	}
}

// On a matrix without zeros nothing is dropped: ILU(0) is LU.
func TestILUOfAFullMatrixIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	const n = 12
	var entries []sparse.Entry
	dense := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			v := rng.NormFloat64()
			if i == j {
				v += 10
			}
			entries = append(entries, sparse.Entry{Row: i, Col: j, Value: v})
			dense.Set(i, j, v)
		}
	}
	m, _ := sparse.NewCSC(n, n, entries)
	f, err := sparse.NewILU(m)
	if err != nil {
		t.Fatal(err)
	}
	b := mat.NewVecDense(n, nil)
	for i := range n {
		b.SetVec(i, rng.NormFloat64())
	}
	var want mat.VecDense
	if err := want.SolveVec(dense, b); err != nil {
		t.Fatal(err)
	}
	got := make([]float64, n)
	f.Solve(got, b.RawVector().Data)
	for i, v := range got {
		if math.Abs(v-want.AtVec(i)) > 1e-12 {
			t.Errorf("entry %d is %v, want %v", i, v, want.AtVec(i))
		}
	}
}

// The defining property of ILU(0): L U equals m at every stored place.
func TestILUAgreesWithTheMatrixWhereItIsStored(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	entries, dense := randomSystem(rng, 30)
	m, _ := sparse.NewCSC(30, 30, entries)
	f, err := sparse.NewILU(m)
	if err != nil {
		t.Fatal(err)
	}
	// Recover (L U)⁻¹ column by column, then L U by a dense inverse.
	inverse := mat.NewDense(30, 30, nil)
	for j := range 30 {
		unit := make([]float64, 30)
		unit[j] = 1
		f.Solve(unit, unit)
		inverse.SetCol(j, unit)
	}
	var product mat.Dense
	if err := product.Inverse(inverse); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if d := math.Abs(product.At(e.Row, e.Col) - dense.At(e.Row, e.Col)); d > 1e-9 {
			t.Errorf("(L U)[%d][%d] differs from the matrix by %v", e.Row, e.Col, d)
		}
	}
}

func TestSolveAgreesWithADenseSolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for trial := range 20 {
		entries, dense := randomSystem(rng, 5+rng.IntN(60))
		if trial%2 == 1 {
			rows := 3 + rng.IntN(20)
			entries, dense = saddle(rng, rows+5+rng.IntN(20), rows)
		}
		n, _ := dense.Dims()
		m, _ := sparse.NewCSC(n, n, entries)
		f, err := sparse.NewILU(m)
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		b, x := make([]float64, n), make([]float64, n)
		for i := range b {
			b[i], x[i] = rng.NormFloat64(), rng.NormFloat64() // any first guess
		}
		if _, err := sparse.NewBiCGSTAB(m, f).Solve(x, b, 1e-12, 1000); err != nil {
			t.Errorf("trial %d: %v", trial, err)
			continue
		}
		var want mat.VecDense
		if err := want.SolveVec(dense, mat.NewVecDense(n, b)); err != nil {
			t.Fatal(err)
		}
		for i, v := range x {
			if math.Abs(v-want.AtVec(i)) > 1e-8 {
				t.Errorf("trial %d: x[%d] = %v, want %v", trial, i, v, want.AtVec(i))
			}
		}
	}
}

func TestSolveFromTheSolutionNeedsNoIteration(t *testing.T) {
	entries, dense := saddle(rand.New(rand.NewPCG(5, 5)), 20, 8)
	m, _ := sparse.NewCSC(28, 28, entries)
	f, err := sparse.NewILU(m)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 28)
	for i := range x {
		x[i] = float64(i)
	}
	var b mat.VecDense
	b.MulVec(dense, mat.NewVecDense(28, x))
	if used, err := sparse.NewBiCGSTAB(m, f).Solve(x, b.RawVector().Data, 1e-10, 100); used != 0 || err != nil {
		t.Errorf("%d iterations (%v) from the solution, want 0", used, err)
	}
}

func TestSolveDoesNotAllocate(t *testing.T) {
	entries, _ := saddle(rand.New(rand.NewPCG(6, 6)), 30, 10)
	m, _ := sparse.NewCSC(40, 40, entries)
	f, err := sparse.NewILU(m)
	if err != nil {
		t.Fatal(err)
	}
	solver := sparse.NewBiCGSTAB(m, f)
	b, x := make([]float64, 40), make([]float64, 40)
	b[3] = 1
	if allocs := testing.AllocsPerRun(10, func() {
		clear(x)
		if _, err := solver.Solve(x, b, 1e-10, 100); err != nil {
			t.Error(err)
		}
	}); allocs != 0 {
		t.Errorf("Solve allocates %v times, want 0", allocs)
	}
}

func TestErrorsSayWhatIsWrong(t *testing.T) {
	square := func(entries ...sparse.Entry) error {
		m, err := sparse.NewCSC(2, 2, entries)
		if err == nil {
			_, err = sparse.NewILU(m)
		}
		return err
	}
	wide, _ := sparse.NewCSC(1, 2, nil)
	_, wideErr := sparse.NewILU(wide)
	_, emptyErr := sparse.NewCSC(0, 1, nil)
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"outside", square(sparse.Entry{Row: 2, Col: 0, Value: 1}), "outside"},
		{"no diagonal", square(sparse.Entry{Row: 0, Col: 0, Value: 1}), "diagonal entry 1 is not stored"},
		{"zero pivot", square(sparse.Entry{Row: 0, Col: 0}, sparse.Entry{Row: 1, Col: 1, Value: 1}), "pivot 0"},
		{"not square", wideErr, "square"},
		{"empty", emptyErr, "at least 1"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.name, test.err, test.want)
		}
	}
}

func TestSingularSystemsDoNotConverge(t *testing.T) {
	m, _ := sparse.NewCSC(2, 2, []sparse.Entry{{Row: 0, Col: 0, Value: 1}, {Row: 0, Col: 1, Value: 1},
		{Row: 1, Col: 0, Value: 1}, {Row: 1, Col: 1, Value: 1 + 1e-300}})
	identity, _ := sparse.NewCSC(2, 2, []sparse.Entry{{Row: 0, Col: 0, Value: 1}, {Row: 1, Col: 1, Value: 1}})
	f, err := sparse.NewILU(identity)
	if err != nil {
		t.Fatal(err)
	}
	_, err = sparse.NewBiCGSTAB(m, f).Solve(make([]float64, 2), []float64{1, -1}, 1e-10, 50)
	if !errors.Is(err, sparse.ErrNotConverged) {
		t.Errorf("got %v for a system without solution, want ErrNotConverged", err)
	}
}
