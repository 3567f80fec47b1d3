package main

import (
	"testing"

	"batopo/experiments/internal/rerun"
)

func TestSmallRowsReproduce(t *testing.T) { rerun.Small(t, "figures", tasks, rerun.Measurements) }

// The second reading of BCube must leave half the unit to each of 48 edges: that is what it is for.
func TestHighestLayerCarries48EdgesAtHalfTheUnit(t *testing.T) {
	c, err := highestLayer()
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Algorithm1(48)
	if err != nil {
		t.Fatal(err)
	}
	for l, e := range a.Edges {
		want := 2 + 2*(l/16) // layer 0, then layer 1
		if e != want {
			t.Fatalf("%s carries %d edges, want %d", c.Resources()[l].Name, e, want)
		}
	}
	if a.UnitGBs != 2.44 {
		t.Errorf("unit %v GB/s, want 2.44", a.UnitGBs)
	}
}
