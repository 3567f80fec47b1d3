package importer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// repeated are all measurements of one direction of a pair, in GB/s.
type repeated struct {
	alone  []float64 // while nothing went the other way
	atOnce []float64 // while both directions were busy, as they are when two nodes average
}

// directions are those that were measured, of nodes by their numbers.
type directions map[direction]*repeated

type direction struct{ from, to int }

func (a direction) compare(b direction) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
}

// add adds a measurement; 0 is none.
func (all directions) add(from, to int, gbs float64, atOnce bool) {
	if gbs == 0 {
		return
	}
	r := all[direction{from, to}]
	if r == nil {
		r = &repeated{}
		all[direction{from, to}] = r
	}
	if atOnce {
		r.atOnce = append(r.atOnce, gbs)
	} else {
		r.alone = append(r.alone, gbs)
	}
}

// median is the middle one of those that count, of an even number the slower of the two in the middle: one that was
// really measured, and on the safe side. The fastest would be the luckiest moment of a line.
func (r *repeated) median() float64 {
	counted := r.counted()
	return counted[(len(counted)-1)/2]
}

// counted are those that count, from slow to fast.
func (r *repeated) counted() []float64 {
	if len(r.atOnce) > 0 {
		return slices.Sorted(slices.Values(r.atOnce))
	}
	return slices.Sorted(slices.Values(r.alone))
}

// differ is the factor between two measurements of one direction from which on people are warned.
const differ = 1.5

// sayRepeated says what became of directions that were measured more than once.
func (d *Description) sayRepeated(all directions) {
	var medians, leftOut, apart []string
	for _, way := range slices.SortedFunc(maps.Keys(all), direction.compare) {
		r, name := all[way], d.Names[way.from]+"→"+d.Names[way.to]
		if len(r.atOnce) > 0 && len(r.alone) > 0 {
			leftOut = append(leftOut, name)
		}
		counted := r.counted()
		n := len(counted)
		if n < 2 {
			continue
		}
		span := fmt.Sprintf("%s %g to %g GB/s", name, digits(counted[0]), digits(counted[n-1]))
		medians = append(medians, fmt.Sprintf("%s in %d files", span, n))
		if counted[n-1] > differ*counted[0] {
			apart = append(apart, span)
		}
	}
	if len(medians) > 0 {
		d.note("measured more than once, the median counts, of an even number the slower of the middle two: %s",
			listed(medians))
	}
	if len(leftOut) > 0 {
		d.note("measured alone and with both directions at once, only the latter counts: %s", listed(leftOut))
	}
	if len(apart) > 0 {
		d.warn("measurements of one direction differ by more than a factor of %g: %s; the median counts. Measure for "+
			"longer, and while nothing else uses the line", differ, listed(apart))
	}
}
