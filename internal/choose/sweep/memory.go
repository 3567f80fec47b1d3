package sweep

import (
	"context"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/bound"
	"github.com/batopo/batopo/internal/solve/search"
)

// A memory keeps what the budgets of a sweep have in common, and what is asked of one of them again and again. Nil
// remembers nothing.
type memory struct {
	search search.Memory
	bounds map[boundKey]proved
}

// A boundKey tells the questions of one sweep apart.
type boundKey struct {
	edges, degree int
	limited       bool // from below, by least
	least         float64
}

// proved is what is known about a question before any plan is.
type proved struct {
	posed  design.Bound
	degree *design.Bound
}

// bound returns what is proved about a question.
func (m *memory) bound(ctx context.Context, p design.Problem) (known proved, err error) {
	key := boundKey{edges: p.MaxEdges, degree: p.MaxDegree}
	if p.MinEigenvalue != nil {
		key.limited, key.least = true, *p.MinEigenvalue
	}
	if m != nil {
		if known, ok := m.bounds[key]; ok {
			return known, nil
		}
	}
	known.posed, known.degree, err = bound.Problem(ctx, p)
	if m != nil && err == nil {
		m.bounds[key] = known
	}
	return known, err
}

// symmetries is what searches share.
func (m *memory) symmetries() *search.Memory {
	if m == nil {
		return nil
	}
	return &m.search
}
