package schedules

import (
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// A network lists the routes of a cluster, n² of them, over numbered hops: a hop is a resource in one direction.
type network struct {
	c       *cluster.Cluster
	n       int
	hops    []design.HopPrice // which resource and side each number stands for; no price yet
	ms      []float64         // per hop: how long a whole message keeps it busy
	shared  []bool            // per hop: a pair that talks both ways passes it once
	routes  [][]int32         // hops of arc i→j at i·n + j; nil where there is no route
	latency []float64         // of arc i→j
}

// For how many nodes all routes are listed: to search, and to prove a bound by cheap arguments alone.
const (
	mostListed  = 256
	mostBounded = 1024
)

func newNetwork(c *cluster.Cluster, most int) (*network, error) {
	n := c.Nodes()
	if n > most {
		return nil, fmt.Errorf("schedules: %d nodes; routes of all pairs are listed for at most %d", n, most)
	}
	w := &network{c: c, n: n, routes: make([][]int32, n*n), latency: make([]float64, n*n)}
	resources, message, number := c.Resources(), c.Model().MessageMB, map[cluster.Hop]int32{}
	var hops []cluster.Hop
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			hops = c.Route(hops[:0], i, j)
			wire := c.LatencyMS()
			for _, h := range hops {
				k, ok := number[h]
				if !ok {
					k = int32(len(w.ms))
					number[h] = k
					w.hops = append(w.hops, design.HopPrice{Resource: resources[h.Resource].Name, Side: side(h.Side)})
					w.ms = append(w.ms, message/resources[h.Resource].Toward(h.Side))
					w.shared = append(w.shared, h.Side == cluster.Shared)
				}
				w.routes[i*n+j] = append(w.routes[i*n+j], k)
				wire += resources[h.Resource].LatencyMS
			}
			w.latency[i*n+j] = wire
		}
	}
	return w, nil
}

func side(s cluster.Side) design.HopSide {
	switch s {
	case cluster.Sender:
		return design.Leaving
	case cluster.Receiver:
		return design.Entering
	}
	return design.Between
}

// linked reports whether i can send to j.
func (w *network) linked(i, j int) bool { return w.routes[i*w.n+j] != nil }

// toll is what a whole message over arc i→j costs where hop h costs price[h] per millisecond of its time. A shared
// link carries a pair's two directions at once, so each pays half.
func (w *network) toll(price []float64, i, j int) float64 {
	sum := 0.0
	for _, h := range w.routes[i*w.n+j] {
		if w.shared[h] {
			sum += price[h] * w.ms[h] / 2
		} else {
			sum += price[h] * w.ms[h]
		}
	}
	return sum
}
