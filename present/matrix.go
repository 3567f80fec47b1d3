package present

import (
	"errors"
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/report"

	"gonum.org/v1/gonum/mat"
)

// A TimeVaryingError says that a plan has several graphs where one can be drawn.
type TimeVaryingError struct{ Rounds int }

func (e *TimeVaryingError) Error() string {
	return fmt.Sprintf("a time-varying plan has %d graphs; static ones are drawn", e.Rounds)
}

// onlyMatrix is W of a static plan.
func onlyMatrix(p *design.Plan) (*mixing.Matrix, error) {
	rounds, err := p.Matrices()
	if err != nil {
		return nil, err
	}
	if len(rounds) > 1 {
		return nil, &TimeVaryingError{len(rounds)}
	}
	return rounds[0], nil
}

// DrawMatrix draws W of a static plan; others are refused with *TimeVaryingError.
func DrawMatrix(p *design.Plan) (*report.Figure, error) {
	w, err := onlyMatrix(p)
	if err != nil {
		return nil, err
	}
	return report.HeatMap{Text: planTitle(p), Matrix: w}.Draw()
}

// DrawSpectrum draws the eigenvalues of W of a static plan, complex ones too; others are refused with
// *TimeVaryingError.
func DrawSpectrum(p *design.Plan) (*report.Figure, error) {
	w, err := onlyMatrix(p)
	if err != nil {
		return nil, err
	}
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
