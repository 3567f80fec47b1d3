package design

// What solvers aim at and what the checker allows belong together, so both take it from here. Eigenvalues are below 1
// in size, and for them and for bounds a tolerance is absolute; for other numbers it is relative.
const (
	// WeightsAccuracy is how far the value of optimal weights may stay above its proved bound.
	WeightsAccuracy = 1e-9
	// BoundSlack is how much a bound that was searched for stays below the largest value that could be proved, so
	// that other arithmetic proves it too.
	BoundSlack = 1e-8
	// ClaimTolerance is how far a number that a plan claims may be from the recomputed one, and by how much a claimed
	// bound may exceed what is proved: two eigensolvers on one matrix of thousands of nodes differ by less.
	ClaimTolerance = 1e-9
	// Attained is how close to its bound, relatively, a value counts as meeting it: more than BoundSlack and
	// WeightsAccuracy together leave open.
	Attained = 1e-6
)
