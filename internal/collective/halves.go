package collective

// Halves are an all-reduce cut in two, as sharded models need it: twice in every step they gather parameters, and once
// they sum gradients, where there are several copies of the model among these too.
type Halves struct{ Sums, Gathers *Algorithm }

// Halved cuts an all-reduce that hands parts around in its last steps.
func (a *Algorithm) Halved(last int) Halves {
	return Halves{a.part(0, a.Steps-last), a.part(a.Steps-last, a.Steps)}
}

// part is the steps from first to past − 1.
func (a *Algorithm) part(first, past int) *Algorithm {
	out := *a
	out.Steps = past - first
	out.At = func(step int) []Transfer { return a.At(first + step) }
	out.alike = stretch{max(a.alike.first, first) - first, max(min(a.alike.past, past), first) - first}
	return &out
}
