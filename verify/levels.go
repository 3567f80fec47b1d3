package verify

import "github.com/batopo/batopo/mixing"

// inside is how many nodes average exactly before a round: the size of a group.
func (k *check) inside() int {
	if k.plan.Inside == nil {
		return 1
	}
	return len(k.plan.Inside.Groups[0])
}

// parties is how many nodes, or groups of them, a round is among.
func (k *check) parties() int { return k.matrices[0].Nodes() }

// phases are what travels in a round: every member of a group gets its part of the message from the others, members m
// of the groups exchange their parts, and every member hands its part to the others. Without groups everybody is one.
func (k *check) phases(w *mixing.Matrix) [][]flow {
	if k.plan.Inside == nil {
		return [][]flow{arcs(w)}
	}
	groups, share := k.plan.Inside.Groups, 1/float64(k.inside())
	var within, between []flow
	for _, group := range groups {
		for _, i := range group {
			for _, j := range group {
				if i != j {
					within = append(within, flow{i, j, share})
				}
			}
		}
	}
	for to := range groups {
		from, _ := w.Row(to)
		for _, g := range from {
			for m := range groups[to] {
				between = append(between, flow{groups[g][m], groups[to][m], share})
			}
		}
	}
	var phases [][]flow
	for _, phase := range [][]flow{within, between, within} {
		if len(phase) > 0 {
			phases = append(phases, phase)
		}
	}
	return phases
}

// arcs are the whole messages of a round among nodes.
func arcs(w *mixing.Matrix) []flow {
	all := make([]flow, 0, w.Arcs())
	for to := range w.Nodes() {
		from, _ := w.Row(to)
		for _, i := range from {
			all = append(all, flow{i, to, 1})
		}
	}
	return all
}

// busiest counts with how many nodes one talks at a time.
func (k *check) busiest(flows []flow) (most int) {
	out, in := make([]int, k.plan.Nodes), make([]int, k.plan.Nodes)
	for _, f := range flows {
		out[f.from]++
		in[f.to]++
		most = max(most, out[f.from], in[f.to])
	}
	return most
}
