package launch

import (
	"fmt"
	"io"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/show/report"
)

// HostFile is what the file with the order of hosts is called.
const HostFile = "hostfile"

// Ordered reports whether the order of ranks matters to what an advice recommends: a library keeps the one it is given.
func Ordered(a *advise.Advice) bool {
	return a.Ranks != nil && (a.Recommended.Kind == advise.DDP || a.Recommended.Kind == advise.HalfDDP)
}

// Ranks says in which order to start ranks, and how; file holds the hosts in that order. Nothing where it is all one.
func Ranks(c *cluster.Cluster, a *advise.Advice, file string) []string {
	if !Ordered(a) {
		return nil
	}
	hosts, each := hosts(c, a.Ranks)
	return []string{
		fmt.Sprintf("NCCL keeps the order of ranks that it is given. A ring in the order of %s takes %s; in the order of "+
			"the description %s.", file, report.Time(a.Ranks.MS), numbered(a.Ranks)),
		"On host k of that file, counted from 0:",
		fmt.Sprintf("    torchrun --nnodes %d --nproc_per_node %d --node_rank k --master_addr %s "+
			"--master_port 29500 train.py", len(hosts), each, hosts[0]),
	}
}

// numbered says what a ring in the order of the numbers takes.
func numbered(r *advise.Ranks) string {
	if r.NumberedMS == 0 {
		return "it cannot run, since some neighbours have no route"
	}
	return "it takes " + report.Time(r.NumberedMS)
}

// WriteHosts writes the hosts in the order of their ranks, as mpirun and others read them.
func WriteHosts(c *cluster.Cluster, r *advise.Ranks) func(w io.Writer) error {
	return func(w io.Writer) error {
		hosts, each := hosts(c, r)
		_, err := fmt.Fprintln(w, "# hosts in the order of their ranks")
		for _, host := range hosts {
			if err == nil {
				_, err = fmt.Fprintf(w, "%s slots=%d\n", host, each)
			}
		}
		return err
	}
}

// hosts lists where ranks run, in their order, and the most that run on each. Nodes whose names begin alike, as
// node3/gpu0 and node3/gpu1 do, or node3:0, are GPUs of one host, and their order is for the library to find.
func hosts(c *cluster.Cluster, r *advise.Ranks) (names []string, each int) {
	count := map[string]int{}
	for _, i := range r.Order {
		name := c.NodeName(i)
		if len(c.Spec().Names) == 0 {
			name = "node-" + name
		}
		if at := strings.IndexAny(name, "/:"); at > 0 {
			name = name[:at]
		}
		name = strings.ReplaceAll(name, " ", "-")
		if count[name] == 0 {
			names = append(names, name)
		}
		count[name]++
		each = max(each, count[name])
	}
	return names, each
}
