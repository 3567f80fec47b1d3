package consensus

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/batopo/batopo/mixing"
)

// MostNodes limits W without symmetry, and schedules: a variance costs some hundred n × n products.
const MostNodes = 512

// LeastEigenvalue is the least real part of an eigenvalue, or 0 where all are known to be at least that: a row whose
// own weight is a half or more keeps Gershgorin's discs on the right.
func LeastEigenvalue(ctx context.Context, w *mixing.Matrix) (float64, error) {
	dominated := w.Nonnegative()
	for _, own := range w.Self() {
		const rounding = 1e-12
		dominated = dominated && own >= 0.5-rounding
	}
	if dominated {
		return 0, nil
	}
	if !w.Directed() {
		s, err := w.Spectrum(ctx)
		return s.LambdaN, err
	}
	if w.Nodes() > MostNodes {
		return 0, fmt.Errorf("consensus: W is directed and has %d nodes; its eigenvalues are computed for at most %d",
			w.Nodes(), MostNodes)
	}
	var eigen mat.Eigen
	alike := Alike(w)
	if !eigen.Factorize(alike.Merged(w), mat.EigenNone) {
		return 0, fmt.Errorf("consensus: the eigenvalues of a directed W on %d nodes did not converge", w.Nodes())
	}
	least := math.Inf(1)
	if alike.Count() < w.Nodes() {
		least = 0
	}
	for _, v := range eigen.Values(nil) {
		least = min(least, real(v))
	}
	return least, nil
}
