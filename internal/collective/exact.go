package collective

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

// ErrTooLarge is for algorithms whose parts are too many to be followed at all nodes.
var ErrTooLarge = errors.New("it has more transfers and parts than are followed")

// mostHeld limits nodes · parts, and transfers · parts, of what is followed: a quarter of a gigabyte, and seconds.
const mostHeld, mostMoved = 1 << 24, 1 << 31

// Exact returns nil where every node ends with the sum of all messages, each counted once; [ErrTooLarge] where that
// would take too long to find out. Instead of messages it follows numbers from 1 to 2⁴⁰ that nobody can foresee, one
// per node, in every part of the message that no transfer cuts. They are only added, up to a number that no sum
// reaches, so nothing gets smaller, and a wrong algorithm passes with probability 2⁻⁴⁰.
func (a *Algorithm) Exact() error {
	cuts := a.cuts()
	pieces := len(cuts) - 1
	if float64(a.Nodes)*float64(pieces) > mostHeld || float64(a.Transfers())*float64(pieces) > mostMoved {
		return ErrTooLarge
	}
	const most = 1 << 62
	has, want := make([]uint64, a.Nodes*pieces), uint64(0)
	for i := range a.Nodes {
		own := 1 + rand.Uint64N(1<<40)
		want += own
		for k := range pieces {
			has[i*pieces+k] = own
		}
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
					to[k] = min(to[k]+from[k], most)
				} else {
					to[k] = from[k]
				}
			}
		}
	}
	for i := range has {
		if has[i] != want {
			return fmt.Errorf("collective: %s leaves node %d without the sum of the part %v … %v",
				a.Name, i/pieces, cuts[i%pieces], cuts[i%pieces+1])
		}
	}
	return nil
}

// cuts returns where any transfer begins or ends, in order.
func (a *Algorithm) cuts() []float64 {
	at := []float64{0, 1}
	sorted := len(at)
	for s := range a.Steps {
		for _, t := range a.At(s) {
			at = append(at, t.Begin, t.End)
		}
		if len(at) > 2*sorted || s == a.Steps-1 {
			slices.Sort(at)
			at = slices.Compact(at)
			sorted = len(at)
		}
	}
	return at
}
