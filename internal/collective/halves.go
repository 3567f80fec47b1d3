package collective

// Halves cuts an all-reduce in two: what sums, and its last steps, in which nodes hand their parts around. A sharded
// model needs them at different times.
func (a *Algorithm) Halves(last int) (sums, hands *Algorithm) {
	return a.part(0, a.Steps-last), a.part(a.Steps-last, a.Steps)
}

// part is the steps from first to past − 1.
func (a *Algorithm) part(first, past int) *Algorithm {
	out := *a
	out.Steps = past - first
	out.At = func(step int) []Transfer { return a.At(first + step) }
	out.alike = stretch{max(a.alike.first, first) - first, max(min(a.alike.past, past), first) - first}
	return &out
}
