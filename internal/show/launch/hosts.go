package launch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/topology"
)

// A Host is a machine that one torchrun starts ranks on.
type Host struct {
	Name  string // HOST0, HOST1, … where the description has no names
	Ranks int
}

// Hosts lists the machines of a cluster in the order of their ranks. An advice for a library that keeps the order of
// ranks that it is given may have another one than the numbers of the nodes.
func Hosts(c *cluster.Cluster, a *advise.Advice) (out []Host) {
	machine, at := machines(c), map[string]int{}
	order := topology.InOrder(c.Nodes())
	if Ordered(a) {
		order = a.Ranks.Order
	} else if s := a.Recommended.Shards; s != nil { // nodes of a group follow each other in its mesh
		order = slices.Concat(s.Groups...)
	}
	for _, k := range order {
		if a.Recommended.Shards != nil && a.Leave() != nil {
			k = a.Leave().Keep[k]
		}
		i, known := at[machine[k]]
		if !known {
			i = len(out)
			at[machine[k]], out = i, append(out, Host{Name: machine[k]})
			if !Named(c) {
				out[i].Name = fmt.Sprintf("HOST%d", i)
			}
		}
		if s := a.Leave(); s == nil || slices.Contains(s.Keep, k) {
			out[i].Ranks++
		}
	}
	return slices.DeleteFunc(out, func(h Host) bool { return h.Ranks == 0 })
}

// Ordered reports whether the order of ranks matters to what an advice recommends: a library keeps the one it is given.
func Ordered(a *advise.Advice) bool {
	byRing := []advise.Kind{advise.DDP, advise.HalfDDP, advise.FSDP}
	return a.Ranks != nil && a.Leave() == nil && slices.Contains(byRing, a.Recommended.Kind)
}

// Named reports whether the description names its nodes.
func Named(c *cluster.Cluster) bool { return len(c.Spec().Names) > 0 }

// machines says on which machine every node runs. Nodes whose names begin alike, as node3/gpu0 and node3/gpu1 do, or
// node3:0, are GPUs of one. Without names, the nodes of a server of the description are.
func machines(c *cluster.Cluster) []string {
	out := make([]string, c.Nodes())
	for i := range out {
		out[i] = c.NodeName(i)
		if s := c.Spec().Servers; s != nil && !Named(c) {
			out[i] = fmt.Sprint(i / s.GPUs)
		}
		if at := strings.IndexAny(out[i], "/:"); at > 0 && Named(c) {
			out[i] = out[i][:at]
		}
		out[i] = strings.Map(ofHostNames, out[i])
	}
	if tree := c.Spec().Tree; tree != nil && !Named(c) {
		return servers(tree, out)
	}
	return out
}

// ofHostNames replaces what no name of a host has, since these names go into shell scripts.
func ofHostNames(r rune) rune {
	if strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_", r) {
		return r
	}
	return '-'
}

// hostWords are names of groups that are one machine.
var hostWords = []string{"server", "host", "machine", "box"}

// servers puts nodes below the same server together: a group with network cards or an NVSwitch, or that is called one.
// Bridges alone join GPUs of the one machine that is described.
func servers(tree *cluster.Group, machine []string) []string {
	bridged, next, found := false, 0, false
	var walk func(g *cluster.Group, server string)
	walk = func(g *cluster.Group, server string) {
		bridged = bridged || len(g.NVLinks) > 0
		if server == "" && (g.NICs != nil || g.NVSwitch != nil || slices.Contains(hostWords, strings.ToLower(g.Name))) {
			server, found = fmt.Sprint("server ", next), true
		}
		for range g.Nodes {
			if server != "" {
				machine[next] = server
			}
			next++
		}
		for k := range g.Groups {
			for range max(1, g.Groups[k].Count) {
				walk(&g.Groups[k], server)
			}
		}
	}
	walk(tree, "")
	for i := range machine {
		if bridged && !found {
			machine[i] = "server"
		}
	}
	return machine
}

// Torchrun is the command that starts the ranks of the K-th host.
func Torchrun(hosts []Host) string {
	each := 0
	for _, h := range hosts {
		each = max(each, h.Ranks)
	}
	ranks := ""
	if each > 1 {
		ranks = fmt.Sprintf(" --nproc-per-node %d", each)
	}
	if len(hosts) == 1 {
		return "torchrun --standalone" + ranks + " train.py"
	}
	return fmt.Sprintf("torchrun --nnodes %d%s --node-rank K --master-addr %s train.py", len(hosts), ranks, hosts[0].Name)
}
