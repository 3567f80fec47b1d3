package advise

import "fmt"

// A label is how a process is called: in a table, where no two have the same name, and within a sentence.
type label struct{ name, text string }

// lazily is the same with half of the weight given away.
func (l label) lazily() label { return label{l.name + ", lazy", l.text + ", with half the weights"} }

// again is the same for the k-th process of that name.
func (l label) again(k int) label { return label{fmt.Sprintf("%s (%d)", l.name, k), l.text} }

func staticLabel(edges int) label {
	if edges == 1 {
		return label{"static graph, 1 edge", "a static graph of 1 edge"}
	}
	return label{fmt.Sprintf("static graph, %d edges", edges), fmt.Sprintf("a static graph of %d edges", edges)}
}

// turnsLabel is that of the edges of a static graph, some in every round.
func turnsLabel(edges int) label {
	return label{fmt.Sprintf("the static graph's %d edges in turn", edges),
		fmt.Sprintf("a schedule that uses the %d edges of a static graph in turn, one peer at a time", edges)}
}

// familyLabel is that of a known graph or schedule.
func familyLabel(name string, static bool) label {
	if static {
		return label{name, "the " + name + " graph"}
	}
	return label{name, "the schedule " + name}
}

// exactLabel is that of an exact average of models.
func exactLabel(form string) label {
	return label{"average of models, " + form, "an exact average of models (" + form + ")"}
}

// levelLabel is that of two levels with something between the groups; of tells the levels of a cluster apart.
func levelLabel(between string, groups [][]int, of string) label {
	said := between
	if said == "static graph" {
		said = "a static graph"
	}
	return label{"two levels, " + between + " between" + of,
		fmt.Sprintf("two levels, exact averages inside %d groups of %d nodes and %s between them", len(groups),
			len(groups[0]), said)}
}
