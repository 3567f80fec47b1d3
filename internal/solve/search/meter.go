package search

// A meter counts the work of a search in evaluations, so that the same budget means the same
// steps on every machine. One evaluation is the work of drawing a move and refusing it, a
// microsecond or two; everything else is charged by its operation count.
type meter struct{ spent, limit int }

// left reports whether there is budget, and done how much of it is gone, from 0 to 1.
func (m *meter) left() bool    { return m.spent < m.limit }
func (m *meter) done() float64 { return min(1, float64(m.spent)/float64(m.limit)) }

// Operations that fit into one evaluation, from profiles at 4 … 64 orbits.
const (
	testsPerEvaluation = 8   // blocks looked at for one move
	updateUnit         = 150 // entries of inverses updated
	inverseUnit        = 250 // multiplications of matrix inverses and eigenvalues
)

// chargeTests pays for looking at a number of blocks.
func (m *meter) chargeTests(blocks int) { m.spent += blocks / testsPerEvaluation }

// chargeUpdate pays for carrying a move over to the resolvents.
func (m *meter) chargeUpdate(r *resolvents, changes int) {
	m.spent += len(r.blocks) * r.orbits * r.orbits * changes / updateUnit
}

// chargeSpectrum pays for a spectrum and new resolvents.
func (m *meter) chargeSpectrum(r *resolvents) {
	m.spent += len(r.blocks) * r.orbits * r.orbits * r.orbits / inverseUnit
}

// solvePrice is what optimal weights on a number of arcs cost, about ten Newton steps: every pair of arcs
// meets in some blocks, and all blocks are watched.
func solvePrice(f *frame, arcs int) int {
	blocks, cube := f.size/2+1, f.orbits*f.orbits*f.orbits
	if f.size == 1 {
		return 60 + arcs*arcs + cube/20
	}
	return 60 + arcs*arcs + blocks*cube/5
}
