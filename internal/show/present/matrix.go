package present

import (
	"errors"
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/show/report"
	"github.com/batopo/batopo/mixing"

	"gonum.org/v1/gonum/mat"
)

// DrawMatrix draws W; a schedule has a panel for each of its rounds.
func DrawMatrix(p *design.Plan) (*report.Figure, error) {
	return eachRound(p, func(title report.Text, w *mixing.Matrix) (*report.Figure, error) {
		return report.HeatMap{Text: title, Matrix: w}.Draw()
	})
}

// DrawSpectrum draws the eigenvalues of W, complex ones too. A schedule is refused: the eigenvalues of single rounds
// do not say how fast their product averages.
func DrawSpectrum(p *design.Plan) (*report.Figure, error) {
	s, err := p.Averages()
	if err != nil {
		return nil, err
	}
	if len(s.Rounds) > 1 {
		return nil, fmt.Errorf("a schedule of %d rounds has no single spectrum: "+
			"the eigenvalues of its rounds do not say how fast their product averages", len(s.Rounds))
	}
	w := s.Rounds[0]
	const most = 512 // more dots than this cover each other
	if w.Nodes() > most {
		return nil, fmt.Errorf("a spectrum is drawn for up to %d nodes; this plan has %d", most, w.Nodes())
	}
	var eigen mat.Eigen
	if !eigen.Factorize(w.Dense(), mat.EigenNone) {
		return nil, errors.New("the eigenvalue iteration did not converge")
	}
	return report.SpectrumChart{Text: planTitle(p), Values: eigen.Values(nil)}.Draw()
}
