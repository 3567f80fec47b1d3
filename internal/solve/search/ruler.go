package search

import "github.com/batopo/batopo/internal/ground/spectral"

// A ruler measures the spectrum of wirings of one frame under nominal weights.
type ruler struct {
	spectrum *spectral.LiftSpectrum
	lanczos  *spectral.Lanczos // instead of spectrum, for many nodes without symmetry
	nominal  []float64         // weights of the arcs
	w        *wiring
}

const (
	mostExact        = 64   // nodes without symmetry whose eigenvalues are all computed
	lanczosTolerance = 1e-5 // of Laplacian eigenvalues, which are of the order of the degree
)

func newRuler(f *frame) *ruler {
	if f.size == 1 && f.orbits > mostExact {
		return &ruler{lanczos: spectral.NewLanczos(f.orbits)}
	}
	return &ruler{spectrum: spectral.NewLiftSpectrum(f.orbits, f.size)}
}

// ends returns the smallest nontrivial and the largest eigenvalue of the nominal Laplacian. With
// Lanczos steps they may be short of the truth, by a fraction of any margin.
func (r *ruler) ends(w *wiring) (low, high float64) {
	r.nominal = r.nominal[:0]
	for _, a := range w.arcs {
		r.nominal = append(r.nominal, w.f.nominal(a))
	}
	if r.lanczos != nil {
		r.w = w
		found := r.lanczos.Extremes(r.laplacian, spectral.LanczosSettings{Tolerance: lanczosTolerance})
		return found.Low.Value, found.High.Value
	}
	lambda2, lambdaN := r.spectrum.Extremes(w.f.lift(w.arcs), r.nominal)
	return 1 - lambda2, 1 - lambdaN
}

// laplacian multiplies by the nominal Laplacian of a wiring without symmetry.
func (r *ruler) laplacian(dst, x []float64) {
	clear(dst)
	for k, a := range r.w.arcs {
		d := r.nominal[k] * (x[a.A] - x[a.B])
		dst[a.A] += d
		dst[a.B] -= d
	}
}
