package mixing

import (
	"context"
	"errors"
	"testing"

	"github.com/batopo/batopo/topology"
)

// What nobody waits for any more ends by itself instead of computing on.
func TestSpectrumOfManyNodesEndsWithItsContext(t *testing.T) {
	g, err := topology.Grid(DenseLimit + 1000)
	if err != nil {
		t.Fatal(err)
	}
	w, err := Metropolis(g)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.largeSpectrum(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that the context was cancelled", err)
	}
}
