package advise_test

import (
	"errors"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/internal/choose/advise"
)

// What does not fit into a GPU is not recommended. A model of 7 billion parameters takes 16 bytes for each in mixed
// precision with AdamW, 112 GB, and buckets on top.
func TestWhatDoesNotFitIsNotRecommended(t *testing.T) {
	big := batopo.Options{GPUMemoryGB: 80, DType: "mixed", Evaluations: 100}
	racks, err := twoRacks(t).WithMessage(14_000)
	if err != nil {
		t.Fatal(err)
	}
	a, err := batopo.Advise(t.Context(), racks, big)
	if err != nil || !a.Advice.Recommended.Kind.Sharded() {
		t.Errorf("7 billion parameters on 80 GB: %v", err)
	}
	// 25 million parameters: 16 + 4 bytes each with buckets of gradients, 16 + 8 with buffers and a snapshot.
	for gb, want := range map[float64]bool{0: true, 0.65: true, 0.55: false} {
		a, err := batopo.Advise(t.Context(), twoRacks(t), batopo.Options{GPUMemoryGB: gb, Evaluations: 100})
		if err != nil {
			t.Fatal(err)
		}
		others := false
		for _, c := range a.Advice.All {
			others = others || !c.Kind.Gradients()
		}
		if others != want {
			t.Errorf("%v GB: averages of parameters are compared: %v, want %v", gb, others, want)
		}
	}
	if _, err := batopo.Advise(t.Context(), twoRacks(t), batopo.Options{GPUMemoryGB: 0.04, Evaluations: 100}); !errors.Is(err,
		advise.ErrMemory) {
		t.Errorf("0.04 GB hold a part of 25 million parameters with AdamW: %v", err)
	}
}
