package advise

import (
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// A label is how a process is called: in a table, where no two have the same name, and within a sentence.
type label struct {
	name, text string
	special    bool // what is run does not follow from the name: it was drawn at random, or made for this cluster
}

func called(name, text string) label { return label{name: name, text: text} }

// specially is the same for something that was drawn at random or made for this cluster.
func (l label) specially() label { return label{l.name, l.text, true} }

// lazily is the same with half of the weight given away.
func (l label) lazily() label {
	return label{l.name + ", lazy", l.text + ", with half the weights", l.special}
}

// on is the same with gradients in 16 bits.
func (l label) on(wire design.Wire) label {
	return label{fmt.Sprintf("%s, %s", l.name, wire), fmt.Sprintf("%s and gradients in %s", l.text, wire), l.special}
}

// again numbers the k-th process of the same name.
func (l label) again(k int) label { return label{fmt.Sprintf("%s (%d)", l.name, k), l.text, l.special} }

func staticLabel(edges int) label {
	if edges == 1 {
		return called("static graph, 1 edge", "a static graph of 1 edge")
	}
	return called(fmt.Sprintf("static graph, %d edges", edges), fmt.Sprintf("a static graph of %d edges", edges))
}

// turnsLabel names the edges of a static graph that take turns, some in every round.
func turnsLabel(edges int) label {
	return called(fmt.Sprintf("one-peer schedule over %d links", edges),
		fmt.Sprintf("a one-peer schedule over the %d links of a static graph", edges)).specially()
}

// familyLabel names a known graph or schedule.
func familyLabel(name string, static bool) label {
	if static {
		return called(name, "the "+name+" graph")
	}
	return label{name, "the schedule " + name, special(name)}
}

// special reports whether a schedule of that name is not the same wherever there are as many nodes.
func special(schedule string) bool {
	f, err := mixing.FindSchedule(schedule)
	return err != nil || f.Takes(mixing.ParamSeed)
}

// exactLabel names parameter averaging over all nodes.
func exactLabel(form string) label {
	return called("parameter averaging, "+form, "parameter averaging by all-reduce ("+form+")")
}

// levelLabel names hierarchical averaging with something between the groups; of names the level where a cluster has
// several.
func levelLabel(between string, groups [][]int, of string) label {
	said := between
	if said == "static graph" {
		said = "a static graph"
	}
	return label{"hierarchical, " + between + " between" + of,
		fmt.Sprintf("hierarchical averaging, all-reduce inside %d groups of %d nodes and %s between them", len(groups),
			len(groups[0]), said), special(between)}
}
