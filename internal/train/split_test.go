package train

import (
	"slices"
	"strings"
	"testing"
)

// classCounts returns how many images of each class each node holds, and complains about images held twice.
func classCounts(t *testing.T, m *Images, held [][]int32) [][]int {
	t.Helper()
	seen := make([]bool, m.Count())
	counts := make([][]int, len(held))
	for i := range held {
		counts[i] = make([]int, 10)
		for _, k := range held[i] {
			if seen[k] {
				t.Fatalf("image %d is held twice", k)
			}
			seen[k] = true
			counts[i][m.Labels[k]]++
		}
	}
	return counts
}

func TestEvenSplitHasEqualClassCounts(t *testing.T) {
	m := Digits().Train
	held, err := split(m, 10, 16, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range classCounts(t, m, held) {
		if slices.Min(c) != 8 || slices.Max(c) > 9 || len(held[i]) != len(held[0]) {
			t.Errorf("node %d holds %v", i, c)
		}
		if !slices.Equal(c, classCounts(t, m, held[:1])[0]) {
			t.Errorf("node %d holds %v, node 0 other counts", i, c)
		}
	}
	if _, err := split(m, 10, 200, 0, 1); err == nil || !strings.Contains(err.Error(), "for 200 nodes; every node needs") {
		t.Errorf("too many nodes: %v", err)
	}
}

// Nodes hold equally many images whatever the skew; a small parameter gives nodes few classes, a large one all of them
// in nearly equal numbers.
func TestDirichletSplitHasEqualSizes(t *testing.T) {
	m := Digits().Train
	most := func(skew float64) float64 { // mean share of a node's largest class
		held, err := split(m, 10, 16, skew, 1)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, c := range classCounts(t, m, held) {
			if len(held[i]) != m.Count()/16 {
				t.Errorf("skew %v: node %d holds %d images, want %d", skew, i, len(held[i]), m.Count()/16)
			}
			sum += float64(slices.Max(c)) / float64(len(held[i])) / 16
		}
		return sum
	}
	strong, medium, none := most(1e-3), most(0.1), most(1e6)
	if !(strong > 0.7 && strong > medium && medium > 0.4 && medium > none && none < 0.2) {
		t.Errorf("the largest class of a node has the share %v, %v, %v at skew 0.001, 0.1, 1000000", strong, medium, none)
	}
	for _, skew := range []float64{-1, 1e-9, 1e9} {
		if _, err := split(m, 10, 16, skew, 1); err == nil || !strings.Contains(err.Error(), "skew is") {
			t.Errorf("skew %v: %v", skew, err)
		}
	}
	if _, err := split(m, 10, 1500, 1, 1); err == nil || !strings.Contains(err.Error(), "1437 images for 1500 nodes") {
		t.Errorf("more nodes than images: %v", err)
	}
}

// In an epoch a node sees each of its images once, the last batch aside; another epoch has another order; a step can be
// asked for in any order of steps.
func TestBatchesVisitEveryImage(t *testing.T) {
	held := []int32{3, 1, 4, 15, 9, 2, 6}
	b := newBatches(held, 5, 3, 1)
	epoch := func(first int) []int32 {
		return slices.Concat(slices.Clone(b.at(first)), slices.Clone(b.at(first+1)), slices.Clone(b.at(first+2)))
	}
	zero, one := epoch(0), epoch(3)
	for _, e := range [][]int32{zero, one} {
		visited, want := slices.Sorted(slices.Values(e[:7])), slices.Sorted(slices.Values(held))
		if !slices.Equal(visited, want) || !slices.Equal(e[7:], e[:2]) {
			t.Errorf("visited %v of %v", e, held)
		}
	}
	if slices.Equal(zero, one) {
		t.Error("two epochs have the same order")
	}
	if !slices.Equal(epoch(0), zero) {
		t.Error("the first epoch is another when asked for again")
	}
}
