package importer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/ground/limits"
)

// Repeat describes a number of equal machines on one switch, which has bandwidth enough for all of them.
func Repeat(machine *Description, machines int) (*Description, error) {
	if machine.Tree == nil {
		return nil, errors.New("importer: only a machine whose structure is known can be repeated")
	}
	if machines < 1 || machines > limits.Nodes/max(1, len(machine.Names)) {
		return nil, fmt.Errorf("importer: %d machines of %d nodes; there may be up to %d nodes",
			machines, len(machine.Names), limits.Nodes)
	}
	hosts := make([]string, machines)
	for k := range hosts {
		hosts[k] = fmt.Sprintf("server%d", k)
	}
	network := &Description{Names: hosts, Tree: &cluster.Group{Nodes: machines}}
	return Merge(network, machine)
}

// Merge puts a machine in the place of every node of a network. The machine's network cards lead out of it; one
// without cards gets the link that the network has for a node.
func Merge(network, machine *Description) (*Description, error) {
	switch {
	case network.Tree == nil:
		return nil, errors.New("importer: machines are put into a network that is a tree, such as Slurm's topology.conf")
	case machine.Tree == nil:
		return nil, errors.New("importer: the machine has no structure")
	case network.Tree.NICs != nil || network.Tree.NVSwitch != nil || network.Tree.NVLinks != nil:
		return nil, errors.New("importer: what was given as the network is a machine, with network cards or NVLinks; " +
			"the network is what joins machines, such as Slurm's topology.conf")
	case len(network.Names)*len(machine.Names) > limits.Nodes:
		return nil, fmt.Errorf("importer: %d machines of %d nodes; there may be up to %d nodes",
			len(network.Names), len(machine.Names), limits.Nodes)
	}
	out := &Description{
		Assumed: slices.Concat(network.Assumed, machine.Assumed), Notes: slices.Concat(network.Notes, machine.Notes),
		Warnings: slices.Concat(network.Warnings, machine.Warnings),
	}
	for _, host := range network.Names {
		for _, gpu := range machine.Names {
			out.Names = append(out.Names, host+"/"+gpu)
		}
	}
	faster := 1. // than the nodes that the uplinks of the network were assumed for
	if cards := machine.Tree.NICs; cards != nil {
		out.Assumed = slices.DeleteFunc(out.Assumed, func(line string) bool { return line == assumedNodes })
		if slices.Contains(out.Assumed, assumedUplinks) {
			faster = float64(max(1, cards.Count, len(cards.OfNodes))) * cards.GBs / nicGBs
		}
	}
	tree := planted(*network.Tree, *machine.Tree, faster, out)
	out.Tree = &tree
	return out, nil
}

// planted replaces the nodes of a group and of the groups inside by machines. Nodes of a group come before its groups,
// and so do their machines.
func planted(g, machine cluster.Group, faster float64, out *Description) cluster.Group {
	var groups []cluster.Group
	if g.Nodes > 0 {
		if machine.Count = g.Nodes; g.Nodes == 1 {
			machine.Count = 0
		}
		if machine.NICs == nil {
			machine.Uplink = g.Link
		}
		if machine.NICs == nil && machine.Uplink == nil {
			machine.Uplink = link(nicGBs)
			out.assume("network cards: %g GB/s (100 Gb/s), one for each machine", float64(nicGBs))
		}
		groups = append(groups, machine)
	}
	for _, inner := range g.Groups {
		groups = append(groups, planted(inner, machine, faster, out))
	}
	g.Nodes, g.Link, g.Groups = 0, nil, groups
	if g.Uplink != nil {
		up := *g.Uplink
		up.GBs *= faster
		g.Uplink = &up
	}
	return g
}
