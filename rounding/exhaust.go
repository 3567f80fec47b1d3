package rounding

// A trial of every choice, with pruning: the last resort that finds a feasible selection or
// proves that there is none.
type exhaustion struct {
	s         *Selection
	undecided []bool
	open      []int // undecided candidates per limit
	visits    int   // left
}

// exhaust reports the outcome: found leaves a feasible choice in s; otherwise done says
// that all choices were excluded within the given number of visits.
func (s *Selection) exhaust(visits int) (found, done bool) {
	s.clear()
	x := &exhaustion{s: s, undecided: make([]bool, len(s.in)), open: make([]int, len(s.load)), visits: visits}
	for k, used := range s.ix.used {
		x.undecided[k] = used
		if used {
			for _, l := range s.ix.uses[k] {
				x.open[l]++
			}
		}
	}
	found = x.descend()
	return found, x.visits > 0
}

func (x *exhaustion) descend() bool {
	if x.visits == 0 || !x.promising() {
		return false
	}
	x.visits--
	if x.s.feasible() {
		return true
	}
	k := x.next()
	if k == None {
		return false
	}
	x.decide(k)
	x.s.add(k)
	if x.descend() {
		return true
	}
	x.s.remove(k)
	if x.descend() {
		return true
	}
	x.undecided[k] = true
	for _, l := range x.s.ix.uses[k] {
		x.open[l]++
	}
	return false
}

func (x *exhaustion) decide(k int) {
	x.undecided[k] = false
	for _, l := range x.s.ix.uses[k] {
		x.open[l]--
	}
}

// promising reports whether the choice so far may still become feasible.
func (x *exhaustion) promising() bool {
	space := &x.s.ix.space
	if len(x.s.chosen) > space.MaxEdges {
		return false
	}
	for l, limit := range space.Limits {
		if x.s.load[l] > limit.Max || space.Exact && x.s.load[l]+x.open[l] < limit.Max {
			return false
		}
	}
	// Everything still possible must connect the nodes.
	parts := x.s.components()
	for k, u := range x.undecided {
		if u && x.s.union(k) {
			parts--
		}
	}
	return parts == 1
}

// next picks an undecided candidate on the limit with the fewest of them, so that
// contradictions show early.
func (x *exhaustion) next() int {
	tightest := None
	for l, open := range x.open {
		if open > 0 && (tightest == None || open < x.open[tightest]) {
			tightest = l
		}
	}
	if tightest == None {
		for k, u := range x.undecided {
			if u {
				return k
			}
		}
		return None
	}
	for _, k := range x.s.ix.space.Limits[tightest].Edges {
		if x.undecided[k] {
			return k
		}
	}
	return None
}
