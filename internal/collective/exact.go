package collective

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Exact returns nil where every node ends with the sum of all messages. Messages are drawn as 64-bit integers, one
// per piece that no transfer cuts, and added modulo 2⁶⁴, so nothing is rounded and a wrong algorithm passes with
// probability 2⁻⁶⁴.
func (a *Algorithm) Exact() error {
	cuts := a.cuts()
	draw := rand.New(rand.NewPCG(1, uint64(a.Nodes)))
	pieces := len(cuts) - 1
	has, want := make([]uint64, a.Nodes*pieces), make([]uint64, pieces)
	for i := range has {
		has[i] = draw.Uint64()
		want[i%pieces] += has[i]
	}
	before := slices.Clone(has)
	for s := range a.Steps {
		copy(before, has)
		for _, t := range a.At(s) {
			first, _ := slices.BinarySearch(cuts, t.Begin)
			last, _ := slices.BinarySearch(cuts, t.End)
			from, to := before[t.From*pieces:], has[t.To*pieces:]
			for k := first; k < last; k++ {
				if t.Add {
					to[k] += from[k]
				} else {
					to[k] = from[k]
				}
			}
		}
	}
	for i := range has {
		if has[i] != want[i%pieces] {
			return fmt.Errorf("collective: %s leaves node %d without the sum of the part %v … %v",
				a.Name, i/pieces, cuts[i%pieces], cuts[i%pieces+1])
		}
	}
	return nil
}

// cuts returns where any transfer begins or ends, in order.
func (a *Algorithm) cuts() []float64 {
	at := []float64{0, 1}
	for s := range a.Steps {
		for _, t := range a.At(s) {
			at = append(at, t.Begin, t.End)
		}
		slices.Sort(at)
		at = slices.Compact(at)
	}
	return at
}
