package rerun

import (
	"testing"

	"github.com/batopo/batopo/experiments/internal/measure"
)

func TestDifferencesAreSeen(t *testing.T) {
	base := measure.Measurement{Edges: 4, MaxDegree: 2, RAsym: 0.5, Iterations: 10, TimeMS: 100,
		SimulatedIterations: 10, Errors: []float64{2, 1}}
	if text := Measurements(base, base); text != "" {
		t.Errorf("a measurement differs from itself: %s", text)
	}
	for name, change := range map[string]func(*measure.Measurement){
		"edges":      func(m *measure.Measurement) { m.Edges++ },
		"degree":     func(m *measure.Measurement) { m.MaxDegree++ },
		"rate":       func(m *measure.Measurement) { m.RAsym += 1e-5 },
		"iterations": func(m *measure.Measurement) { m.Iterations++ },
		"time":       func(m *measure.Measurement) { m.TimeMS *= 1.001 },
		"simulated":  func(m *measure.Measurement) { m.SimulatedIterations-- },
		"curve":      func(m *measure.Measurement) { m.Errors = []float64{2, 1.1} },
		"length":     func(m *measure.Measurement) { m.Errors = []float64{2} },
	} {
		other := base
		change(&other)
		if Measurements(other, base) == "" {
			t.Errorf("%s: the change was not seen", name)
		}
	}
	runs := measure.Outcomes{RAsym: []float64{0.5}, Seconds: 1}
	if text := Outcomes(measure.Outcomes{RAsym: []float64{0.5}, Seconds: 9}, runs); text != "" {
		t.Errorf("time alone makes a difference: %s", text)
	}
	if Outcomes(measure.Outcomes{RAsym: []float64{0.6}}, runs) == "" || Outcomes(measure.Outcomes{}, runs) == "" {
		t.Error("other r_asym, or none, was not seen")
	}
}
