package cluster_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
)

// planted is a matrix of groups: rates between low and 1.5 times that inside, and a factor slower between them. Nodes
// are numbered in any order, and the two directions of a pair differ.
func planted(r *rand.Rand, sizes []int, factor float64) (*cluster.Matrix, [][]int) {
	var of []int
	for g, size := range sizes {
		of = append(of, slices.Repeat([]int{g}, size)...)
	}
	r.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	m, groups := &cluster.Matrix{}, make([][]int, len(sizes))
	for i, g := range of {
		groups[g] = append(groups[g], i)
		row := make([]float64, len(of))
		for j, other := range of {
			if row[j] = 2 * (1 + r.Float64()/2); other != g {
				row[j] /= factor
			}
		}
		m.GBs = append(m.GBs, row)
	}
	slices.SortFunc(groups, func(a, b []int) int { return a[0] - b[0] })
	return m, groups
}

// Groups that were planted are found, whatever their sizes and the order of the nodes.
func TestPlantedRegionsAreFound(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		sizes := make([]int, 2+r.IntN(4))
		for g := range sizes {
			sizes[g] = 2 + r.IntN(6)
		}
		m, want := planted(r, sizes, 5+20*r.Float64())
		got, factor := m.Regions()
		if !reflect.DeepEqual(got, want) || factor < 2 {
			t.Fatalf("seed %d, sizes %v: %v, factor %g; want %v", seed, sizes, got, factor, want)
		}
		again, same := m.Regions()
		if !reflect.DeepEqual(again, got) || same != factor {
			t.Fatalf("seed %d: the second time %v, factor %g", seed, again, same)
		}
	}
}

// Rates that differ by less than a factor of 2 show nothing.
func TestEqualRatesHaveNoRegions(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 2))
		m, _ := planted(r, []int{2 + r.IntN(20)}, 1)
		if got, factor := m.Regions(); got != nil {
			t.Fatalf("seed %d: %v, factor %g", seed, got, factor)
		}
	}
}

func TestRegions(t *testing.T) {
	for _, tc := range []struct {
		name   string
		gbs    [][]float64
		want   [][]int
		factor float64
	}{
		{"two sites", [][]float64{{0, 8, 1, 1}, {8, 0, 1, 1}, {1, 1, 0, 8}, {1, 1, 8, 0}}, [][]int{{0, 1}, {2, 3}}, 8},
		{"the slower direction counts", [][]float64{{0, 8, 8, 8}, {8, 0, 8, 8}, {1, 1, 0, 8}, {1, 1, 8, 0}}, [][]int{{0, 1}, {2, 3}}, 8},
		{"a slow node", [][]float64{{0, 8, 8, 2}, {8, 0, 8, 2}, {8, 8, 0, 2}, {2, 2, 2, 0}}, [][]int{{0, 1, 2}, {3}}, 4},
		{"not measured between", [][]float64{{0, 8, 2, 0}, {8, 0, 0, 0}, {2, 0, 0, 8}, {0, 0, 8, 0}}, [][]int{{0, 1}, {2, 3}}, 4},
		{"sites of racks: the largest fall", [][]float64{
			{0, 40, 10, 10, 1, 1, 1, 1}, {40, 0, 10, 10, 1, 1, 1, 1}, {10, 10, 0, 40, 1, 1, 1, 1}, {10, 10, 40, 0, 1, 1, 1, 1},
			{1, 1, 1, 1, 0, 40, 10, 10}, {1, 1, 1, 1, 40, 0, 10, 10}, {1, 1, 1, 1, 10, 10, 0, 40}, {1, 1, 1, 1, 10, 10, 40, 0},
		}, [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}}, 10},
		{"two nodes", [][]float64{{0, 8}, {8, 0}}, nil, 0},
		{"nothing measured", [][]float64{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, nil, 0},
	} {
		got, factor := (&cluster.Matrix{GBs: tc.gbs}).Regions()
		if !reflect.DeepEqual(got, tc.want) || math.Abs(factor-tc.factor) > 1e-9*tc.factor {
			t.Errorf("%s: %v, factor %g; want %v, %g", tc.name, got, factor, tc.want, tc.factor)
		}
	}
}
