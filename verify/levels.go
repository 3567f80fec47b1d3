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
func (k *check) parties() int { return k.plan.Nodes / k.inside() }

// phases are what travels in a round: every member of a group gets its part of the message from the others, members m
// of the groups exchange their parts, and every member hands its part to the others. Without groups everybody is one.
// Members that average gradients agree already and begin with the exchange.
func (k *check) phases(w *mixing.Matrix) [][]flow {
	if k.plan.Inside == nil {
		return [][]flow{arcs(w)}
	}
	within, between := k.within(1), k.eachMember([][]flow{arcs(w)})[0]
	var phases [][]flow
	for t, phase := range [][]flow{within, between, within} {
		if len(phase) > 0 && (t > 0 || !k.plan.Inside.Gradients) {
			phases = append(phases, phase)
		}
	}
	return phases
}

// crowded reports whether the transfers between groups, and those inside them, are too many to list.
func (k *check) crowded(between int) bool {
	s := float64(k.inside())
	return s > 1 && s*float64(between)+(s-1)*float64(k.plan.Nodes) > mostWork/1024
}

// within is what members of a group hand to each other: to every other member one part of the message, in chunks.
func (k *check) within(chunks int) (all []flow) {
	share := 1 / float64(k.inside()*chunks)
	for _, group := range k.plan.Inside.Groups {
		for _, i := range group {
			for _, j := range group {
				if i != j {
					all = append(all, flow{i, j, share})
				}
			}
		}
	}
	return all
}

// eachMember makes steps between groups what members m of the groups send of their parts.
func (k *check) eachMember(steps [][]flow) [][]flow {
	groups, out := k.plan.Inside.Groups, make([][]flow, len(steps))
	for s, step := range steps {
		for _, f := range step {
			for m, i := range groups[f.from] {
				out[s] = append(out[s], flow{i, groups[f.to][m], f.share / float64(k.inside())})
			}
		}
	}
	return out
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
