package feasible

import "math"

// floors knows the lowest score among the selected edges of every limit, so that edges that
// cannot bring a gain need not be tried.
type floors struct {
	s     *Selection
	score []float64
	limit []float64 // per limit; +Inf when nothing is selected on it
	all   float64   // of all usable edges: below whatever may be selected later
}

func newFloors(s *Selection, score []float64) *floors {
	f := &floors{s: s, score: score, limit: make([]float64, len(s.load)), all: math.Inf(1)}
	for l := range f.limit {
		f.refresh(l)
	}
	for k, used := range s.ix.used {
		if used {
			f.all = min(f.all, score[k])
		}
	}
	return f
}

func (f *floors) refresh(l int) {
	f.limit[l] = math.Inf(1)
	f.s.each(l, func(k int) bool {
		f.limit[l] = min(f.limit[l], f.score[k])
		return true
	})
}

// hopeless reports that no exchange with in as the better of the edges that come in can gain:
// it costs the cheapest edge of a full limit of in, and brings at most twice the score of in.
func (f *floors) hopeless(in int) bool {
	cost := min(0, f.all)
	if l := f.s.broken(in, None, None); l != None {
		cost += f.limit[l]
	} else if len(f.s.chosen) >= f.s.ix.space.MaxEdges {
		cost += f.all
	}
	return 2*f.score[in] <= cost+leastGain
}

func (f *floors) update(x Exchange) {
	for _, k := range [4]int{x.In, x.In2, x.Out, x.Out2} {
		if k != None {
			for _, l := range f.s.ix.uses[k] {
				f.refresh(l)
			}
		}
	}
}
