package collective

import "github.com/batopo/batopo/topology"

// A Scatter says how the nodes of a group share out the work among themselves.
type Scatter string

// Around a ring, in as many steps less one as the group has nodes, or everybody with everybody at once.
const (
	Around Scatter = "ring"
	Direct Scatter = "direct"
)

// Levels is a hierarchical all-reduce. The nodes of every group, all of one size s, first collect the sums of their
// group, member m the m-th of s parts. Then the members m of all groups run the algorithm between, whose node k
// stands for group k, on that part. In the end the groups hand the parts around inside.
func Levels(groups [][]int, inside Scatter, between *Algorithm) *Algorithm {
	collect, spread := inGroups(groups, inside)
	return layered("hierarchical, "+between.Name+" between", groups, collect, between, spread)
}

// Counterparts averages groups whose members agree already, all of one size s: members m of all groups run the
// algorithm between on the m-th of s parts, and hand the result around inside. It sums over groups.
func Counterparts(groups [][]int, between *Algorithm) *Algorithm {
	_, spread := inGroups(groups, Direct)
	return layered(between.Name+" between counterparts", groups, nil, between, spread).InChunks(between.Chunks)
}

// inGroups lists the steps in which members collect the sums of their group, member m the m-th part, and those in
// which they hand the parts around.
func inGroups(groups [][]int, inside Scatter) (collect, spread [][]Transfer) {
	s := len(groups[0])
	switch {
	case s == 1:
	case inside == Direct:
		collect, spread = [][]Transfer{{}}, [][]Transfer{{}}
		for _, group := range groups {
			reduce, gather := exchanged(group, EqualShares(s))
			collect[0], spread[0] = append(collect[0], reduce...), append(spread[0], gather...)
		}
	default:
		collect, spread = make([][]Transfer, s-1), make([][]Transfer, s-1)
		for _, group := range groups {
			ring := Ring(moved(group))
			for k := range s - 1 {
				collect[k] = append(collect[k], ring.At(k)...)
				spread[k] = append(spread[k], ring.At(s-1+k)...)
			}
		}
	}
	return collect, spread
}

// layered puts an algorithm between groups into the steps before and after it inside them.
func layered(name string, groups [][]int, collect [][]Transfer, between *Algorithm, spread [][]Transfer) *Algorithm {
	steps := len(collect) + between.Steps + len(spread)
	at := func(step int) []Transfer {
		switch {
		case step < len(collect):
			return collect[step]
		case step < len(collect)+between.Steps:
			return eachMember(groups, between.At(step-len(collect)))
		}
		return spread[step-len(collect)-between.Steps]
	}
	alike := stretch{len(collect) + between.alike.first, len(collect) + between.alike.past}
	return &Algorithm{Name: name, Nodes: len(groups[0]) * len(groups), Steps: steps, At: at, Chunks: 1, alike: alike}
}

// WaysOnLevels lists the hierarchical all-reduces that are worth pricing. Two members share out the work in one way
// only, and two groups average in one way only.
func WaysOnLevels(groups [][]int) (out []*Algorithm) {
	scatters, order := []Scatter{Direct, Around}, topology.InOrder(len(groups))
	betweens := []*Algorithm{Ring(order), HalvingDoubling(order)}
	if len(groups[0]) <= 2 {
		scatters = scatters[:1]
	}
	if len(groups) <= 2 {
		betweens = betweens[:1]
	}
	for _, inside := range scatters {
		for _, between := range betweens {
			out = append(out, Levels(groups, inside, between))
		}
	}
	return out
}

// LevelsRound is one round of hierarchical gossip: members of a group collect a part each, members m of the groups
// exchange their parts along the arcs (from, to) between groups, and the groups hand the parts around. It is no
// all-reduce, and only priced here.
func LevelsRound(groups [][]int, arcs [][2]int) *Algorithm {
	return Levels(groups, Direct, exchangeAlong(len(groups), arcs))
}

// CounterpartsRound is the same where members of a group agree already and collect nothing.
func CounterpartsRound(groups [][]int, arcs [][2]int) *Algorithm {
	return Counterparts(groups, exchangeAlong(len(groups), arcs))
}

func exchangeAlong(nodes int, arcs [][2]int) *Algorithm {
	exchange := make([]Transfer, len(arcs))
	for k, a := range arcs {
		exchange[k] = whole(a[0], a[1], true)
	}
	if len(arcs) == 0 {
		return Listed("nothing", nodes, nil)
	}
	return Listed("gossip", nodes, [][]Transfer{exchange})
}

// moved turns a group by one place: after the first half of a ring, position p holds part p + 1, and member m is
// to hold part m.
func moved(group []int) []int {
	return append(append([]int{}, group[1:]...), group[0])
}

// eachMember makes a step between groups one between the members m of the groups, on the m-th part of the message.
func eachMember(groups [][]int, step []Transfer) []Transfer {
	s := float64(len(groups[0]))
	all := make([]Transfer, 0, len(step)*len(groups[0]))
	for m := range groups[0] {
		for _, t := range step {
			t.From, t.To = groups[t.From][m], groups[t.To][m]
			t.Begin, t.End = (float64(m)+t.Begin)/s, (float64(m)+t.End)/s
			all = append(all, t)
		}
	}
	return all
}
