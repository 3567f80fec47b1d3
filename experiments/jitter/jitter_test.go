package main

import (
	"math"
	"testing"
)

// Simulated iterations are within a tenth of those of real processes, as measured and committed.
func TestSimulationMatchesProcesses(t *testing.T) {
	m, err := read(".")
	if err != nil {
		t.Fatal(err)
	}
	if len(m.MeasuredMS) != len(variants) {
		t.Errorf("%d plans were measured; there are %d", len(m.MeasuredMS), len(variants))
	}
	for name, measured := range m.MeasuredMS {
		simulated, err := m.simulate(".", name)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(simulated/measured-1) > 0.1 {
			t.Errorf("%s: simulated %v ms, measured %v", name, simulated, measured)
		}
	}
}
