package topology

import (
	"slices"
	"testing"
)

func TestLightestForest(t *testing.T) {
	weights := map[Edge]float64{{0, 1}: 3, {1, 2}: 1, {0, 2}: 2, {3, 4}: 5}
	edges := []Edge{{0, 1}, {1, 2}, {0, 2}, {3, 4}}
	weight := func(e Edge) float64 { return weights[e] }
	if got, want := LightestForest(5, edges, weight), []Edge{{1, 2}, {0, 2}, {3, 4}}; !slices.Equal(got, want) {
		t.Errorf("the forest is %v, want %v", got, want)
	}
	even := func(Edge) float64 { return 1 }
	if got, want := LightestForest(3, edges[:3], even), edges[:2]; !slices.Equal(got, want) {
		t.Errorf("of equal edges %v are taken, want the first ones, %v", got, want)
	}
}
