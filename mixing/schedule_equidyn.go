package mixing

import (
	"fmt"
	"math/rand/v2"
)

const (
	defaultEta         = 0.5
	defaultDrawnRounds = 64   // enough to reach 1e-4 within one period up to thousands of nodes
	maxDrawnRounds     = 4096 // a typing error should not fill the memory
)

// equiDyn draws OD-EquiDyn (directed) or OU-EquiDyn (Song et al. 2022). Every round takes one shift a
// from the M shifts of the static graph of the same seed (all of 1 … n−1 when M is not
// given). Directed, everyone listens to the node a ahead; undirected, i pairs
// with i+a, going round from a random start and passing over nodes that have a
// partner. Then W = (1−η)I + η(I/n + (n−1)/n·P), P the permutation.
//
// The shifts come from NumPy's legacy generator, as for EquiStatic; the choice per round
// is our own PCG stream. What was drawn is the schedule, so nothing is drawn again later.
func equiDyn(p ScheduleParams, directed bool) (*Schedule, error) {
	name := "ou-equidyn"
	if directed {
		name = "od-equidyn"
	}
	n := p.Nodes
	if err := checkNodes(name, n, 2); err != nil {
		return nil, err
	}
	eta, rounds := p.Eta, p.Rounds
	if eta == 0 {
		eta = defaultEta
	}
	if rounds == 0 {
		rounds = defaultDrawnRounds
	}
	if !(eta > 0 && eta <= 1) {
		return nil, fmt.Errorf("mixing: %s with eta %v; it must be above 0 and at most 1", name, eta)
	}
	if err := checkRounds(name, n, rounds, directed); err != nil {
		return nil, err
	}
	shifts, drawnFrom := count(1, n-1), fmt.Sprintf("all %d shifts", n-1)
	if p.Shifts != 0 {
		var err error
		if shifts, err = EquiStaticShifts(n, p.Shifts, p.Seed); err != nil {
			return nil, err
		}
		drawnFrom = fmt.Sprintf("M = %d shifts", p.Shifts)
	}
	s := &Schedule{Name: name, Note: fmt.Sprintf("%d rounds drawn from %s, seed %d, eta %g",
		rounds, drawnFrom, p.Seed, eta)}
	rng := rand.New(rand.NewPCG(p.Seed, 0x4571756944796e))
	weight := eta * float64(n-1) / float64(n)
	for range rounds {
		shift := shifts[rng.IntN(len(shifts))]
		var w *Matrix
		var err error
		if directed {
			row := make([]float64, n)
			row[shift] = weight
			w, err = circulant(row)
		} else {
			w, err = pairing(n, shift, rng.IntN(n), weight)
		}
		if err != nil {
			return nil, err
		}
		s.Rounds = append(s.Rounds, w)
	}
	return s, nil
}

// pairing joins i and i+shift where both are free, for i = start, start+1, ….
func pairing(n, shift, start int, weight float64) (*Matrix, error) {
	taken := make([]bool, n)
	var arcs []Arc
	for x := range n {
		i := (start + x) % n
		j := (i + shift) % n
		if !taken[i] && !taken[j] {
			taken[i], taken[j] = true, true
			arcs = append(arcs, Arc{i, j, weight}, Arc{j, i, weight})
		}
	}
	return build(n, arcs, false)
}

// checkRounds refuses a number of drawn rounds that is too large, or whose pairs would be.
func checkRounds(name string, n, rounds int, directed bool) error {
	if rounds < 1 || rounds > maxDrawnRounds {
		return fmt.Errorf("mixing: %s with %d rounds; their number must be 1 … %d", name, rounds, maxDrawnRounds)
	}
	return checkArcs(fmt.Sprintf("%s with %d rounds on %d nodes", name, rounds, n), n*rounds, directed)
}
