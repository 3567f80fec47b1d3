package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// collective checks a plan of kind collective: that it averages exactly, and what that costs.
func (k *check) collective() {
	k.matrixClaims()
	k.exact()
	if k.found("exact average") == OK {
		k.averages()
	} else {
		k.unproved("r_asym, min_eigenvalue, iterations, time_ms", 0,
			"they follow from the exact average, which is not proved")
	}
	k.collectiveCosts()
	k.words()
}

// averages checks what an exact average has.
func (k *check) averages() {
	p := k.plan
	k.rate(0)
	if p.MinEigenvalue != nil {
		k.atLeast("min_eigenvalue", *p.MinEigenvalue, 0, "an exact average has the eigenvalue 0")
	}
	if p.IterationsKind == design.Estimate {
		k.unproved("iterations", float64(p.Iterations), "the plan calls it an estimate")
	}
	k.number("iterations", float64(p.Iterations), 1, 0)
}

// matrixClaims checks the bound that any plan may state, and refuses what only a matrix between nodes has.
func (k *check) matrixClaims() {
	p := k.plan
	k.timeBound()
	for _, f := range []struct {
		claim string
		given bool
	}{
		{"lift", p.Lift != nil}, {"resource_edges", p.ResourceEdges != nil},
		{"bound", p.Bound != nil || p.Gap != nil}, {"degree_bound", p.DegreeBound != nil || p.DegreeGap != nil},
		{"weights_bound", p.WeightsBound != nil},
	} {
		if f.given {
			k.holds(f.claim, false, "only a plan whose rounds are matrices between nodes has one")
		}
	}
	if p.TimeBound != nil && (p.MessageShare() != 1 || p.Inside != nil && p.Inside.Gradients) {
		k.holds("time_bound", false, "it is about averages of all nodes in 32 bits")
	}
	if p.Kind == design.CollectiveKind && (p.Lambda2 != nil || p.LambdaN != nil) {
		k.holds("lambda_2, lambda_n", false, "an exact average states none")
	}
}

// exact checks that every node ends with what every node began with, once. Along a ring that names every node once, and
// up and down a tree, it is so.
func (k *check) exact() {
	c := k.plan.Collective
	if c.Algorithm != design.StepsForm {
		k.holds("exact average", true, "")
		return
	}
	cuts, transfers := []float64{0, 1}, 0
	for _, step := range c.Steps {
		transfers += len(step)
		for _, t := range step {
			cuts = append(cuts, t.Begin, t.End)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	parties := k.parties()
	words := float64((parties + 63) / 64)
	if float64(len(cuts))*(float64(transfers)+float64(len(c.Steps)*parties)*words) > mostWork/8 {
		k.unproved("exact average", 0, errTooLarge.Error())
		return
	}
	for piece := range len(cuts) - 1 {
		if node, why := contributions(c.Steps, cuts[piece], parties); why != "" {
			k.holds("exact average", false, fmt.Sprintf("node %d ends with %s in the part from %v to %v",
				node, why, cuts[piece], cuts[piece+1]))
			return
		}
	}
	k.holds("exact average", true, "")
}

// A tally keeps, for every node, whose contributions its value holds at least once, and whose more than once.
type tally struct{ once, twice [][]uint64 }

func newTally(nodes int) tally {
	t := tally{make([][]uint64, nodes), make([][]uint64, nodes)}
	for i := range nodes {
		t.once[i], t.twice[i] = make([]uint64, (nodes+63)/64), make([]uint64, (nodes+63)/64)
	}
	return t
}

// contributions follows the piece that begins at a cut through all steps, by bits and not by numbers, and says what is
// wrong at the first node that does not hold every contribution exactly once.
func contributions(steps [][]design.Transfer, at float64, nodes int) (node int, why string) {
	now, before := newTally(nodes), newTally(nodes)
	for i := range nodes {
		now.once[i][i/64] = 1 << (i % 64)
	}
	for _, step := range steps {
		for i := range nodes {
			copy(before.once[i], now.once[i])
			copy(before.twice[i], now.twice[i])
		}
		for _, t := range step {
			if t.Begin > at || t.End <= at {
				continue
			}
			for w := range now.once[t.To] {
				once, twice := before.once[t.From][w], before.twice[t.From][w]
				if t.Add {
					twice |= now.twice[t.To][w] | once&now.once[t.To][w]
					once |= now.once[t.To][w]
				}
				now.once[t.To][w], now.twice[t.To][w] = once, twice
			}
		}
	}
	for i := range nodes {
		for j := range nodes {
			switch bit := uint64(1) << (j % 64); {
			case now.once[i][j/64]&bit == 0:
				return i, fmt.Sprintf("nothing of node %d", j)
			case now.twice[i][j/64]&bit != 0:
				return i, fmt.Sprintf("more than one share of node %d", j)
			}
		}
	}
	return 0, ""
}

// collectiveCosts rechecks peers, bandwidth and times.
func (k *check) collectiveCosts() {
	p := k.plan
	steps, again := k.steps()
	chunks := max(1, p.Collective.Chunks)
	transfers := 0
	for _, step := range steps {
		transfers += len(step)
	}
	if k.crowded(transfers) {
		k.unproved("max_degree, round_ms, min_edge_gb_s, communication_ms, time_ms", 0, errTooLarge.Error())
		return
	}
	var after [][]flow // what follows steps that are repeated
	if p.Inside != nil {
		steps, after = k.eachMember(steps), [][]flow{k.within(chunks)}
		if again == 1 {
			steps, after = append(steps, after...), nil
		}
	}
	k.peers(append(slices.Clip(steps), after...))
	switch price, err := k.called(steps, again, after, chunks); {
	case errors.Is(err, errTooLarge):
		k.unproved("round_ms, min_edge_gb_s, communication_ms, time_ms", 0, err.Error())
	case err != nil:
		k.holds("routes", false, err.Error())
	default:
		k.times([]cluster.Round{price})
	}
}

// called prices a call: steps that are repeated again times, and those after.
func (k *check) called(steps [][]flow, again float64, after [][]flow, chunks int) (cluster.Round, error) {
	visits := float64(len(steps)+min(chunks, len(steps))) * float64(len(k.cluster.Resources()))
	for _, step := range steps {
		visits += float64(len(step)) * float64(min(chunks, len(steps)))
	}
	if visits > mostWork/64 {
		return cluster.Round{}, errTooLarge
	}
	price, err := k.pipelined(steps, chunks)
	price.CommunicationMS = k.cluster.PerCollectiveMS() + price.CommunicationMS*again
	for _, step := range after {
		last, none := k.slot(step)
		if none != nil {
			return price, none
		}
		price.CommunicationMS += last.CommunicationMS
		price.MinEdgeGBs = min(price.MinEdgeGBs, last.MinEdgeGBs)
	}
	return price, err
}

// steps lists what is sent step by step; all of them are repeated times times. The steps of a ring are alike.
func (k *check) steps() (steps [][]flow, times float64) {
	c, n := k.plan.Collective, k.parties()
	switch c.Algorithm {
	case design.RingForm:
		around := make([]flow, n)
		for at, i := range c.Order {
			around[at] = flow{i, c.Order[(at+1)%n], 1 / float64(n)}
		}
		return [][]flow{around}, float64(2 * (n - 1))
	case design.TreeForm:
		return levels(c.Parent, max(1, c.Chunks)), 1
	}
	for _, step := range c.Steps {
		steps = append(steps, flows(step, max(1, c.Chunks)))
	}
	return steps, 1
}

// levels are the steps of a tree: the deepest nodes begin, and get the average last.
func levels(parent []int, chunks int) [][]flow {
	depth := make([]int, len(parent)) // at most limits.CollectiveSteps/2, which was checked when the plan was read
	for i := range parent {
		for up := parent[i]; up >= 0; up = parent[up] {
			depth[i]++
		}
	}
	deepest := slices.Max(depth)
	steps := make([][]flow, 2*deepest)
	for i, d := range depth {
		if d > 0 {
			up, down := deepest-d, deepest+d-1
			steps[up] = append(steps[up], flow{i, parent[i], 1 / float64(chunks)})
			steps[down] = append(steps[down], flow{parent[i], i, 1 / float64(chunks)})
		}
	}
	return steps
}

// peers counts with how many nodes one talks at a time, and which pairs talk at all.
func (k *check) peers(steps [][]flow) {
	p := k.plan
	most, talk := 0, map[[2]int]bool{}
	for _, step := range steps {
		most = max(most, k.busiest(step))
		for _, f := range step {
			talk[[2]int{min(f.from, f.to), max(f.from, f.to)}] = true
		}
	}
	k.number("max_degree", float64(p.MaxDegree), float64(most), 0)
	if p.MaxEdges > 0 {
		k.atMost("edge budget", float64(p.MaxEdges), float64(len(talk)), "more pairs talk than asked for")
	}
	if p.DegreeLimit > 0 {
		k.atMost("degree limit", float64(p.DegreeLimit), float64(most), "a node has more neighbours than asked for")
	}
}
