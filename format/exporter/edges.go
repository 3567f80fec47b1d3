package exporter

import (
	"bufio"
	"context"
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

func writeEdges(out *bufio.Writer, p *design.Plan, s *mixing.Schedule) ([]string, error) {
	_, weights := s.Rounds[0].Edges()
	return nil, topology.WriteEdgeList(out, s.Rounds[0].Graph(), weights)
}

// writeDecentralizepy writes the edge file that decentralizepy's Graph reads. Its
// averaging then uses 1/(1 + max(dᵢ, dⱼ)), our rule metropolis, whatever we chose.
func writeDecentralizepy(out *bufio.Writer, p *design.Plan, s *mixing.Schedule) ([]string, error) {
	w := s.Rounds[0]
	if err := topology.WriteEdgeList(out, w.Graph(), nil); err != nil {
		return nil, err
	}
	theirs, err := mixing.Metropolis(w.Graph())
	if err != nil {
		return nil, err
	}
	if sameWeights(w, theirs) {
		return nil, nil
	}
	warning := "decentralizepy reads no weights and uses 1/(1 + max degree) instead"
	// An export is not cancelled half-way: the warning about what is lost belongs to the file.
	ours, err := w.Spectrum(context.Background())
	if err != nil { // too large to compare: the loss of the weights is still worth a warning
		return []string{warning}, nil
	}
	after, err := theirs.Spectrum(context.Background())
	if err != nil {
		return []string{warning}, nil
	}
	return []string{fmt.Sprintf("%s: r_asym becomes %.4f, this plan has %.4f", warning, after.RAsym, ours.RAsym)}, nil
}

// sameWeights compares matrices on the same graph.
func sameWeights(a, b *mixing.Matrix) bool {
	_, x := a.Edges()
	_, y := b.Edges()
	for k := range x {
		if x[k] != y[k] {
			return false
		}
	}
	return true
}
