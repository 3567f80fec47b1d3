package cluster

import "container/heap"

// A distance is what routes are compared by, in this order.
type distance struct {
	latency, slowness float64
	links             int
}

func (d distance) less(e distance) bool {
	switch {
	case d.latency != e.latency:
		return d.latency < e.latency
	case d.slowness != e.slowness:
		return d.slowness < e.slowness
	}
	return d.links < e.links
}

// shortest is Dijkstra's algorithm from one node: the last link of the best route to every place. Among equal routes
// the order of the links in the description decides.
func (g *graph) shortest(from int) []int32 {
	before, best := make([]int32, len(g.at)), make([]distance, len(g.at))
	done := make([]bool, len(g.at))
	for v := range before {
		before[v] = -1
	}
	open := &frontier{{place: from}}
	for open.Len() > 0 {
		s := heap.Pop(open).(stop)
		if done[s.place] {
			continue
		}
		done[s.place] = true
		if s.place != from && s.place < g.c.nodes && !g.transit {
			continue // a node forwards nothing
		}
		for _, a := range g.at[s.place] {
			r := &g.c.resources[a.link]
			d := distance{s.latency + r.LatencyMS, s.slowness + 1/r.GBs, s.links + 1}
			if !done[a.to] && (before[a.to] < 0 || d.less(best[a.to])) {
				before[a.to], best[a.to] = int32(a.link), d
				heap.Push(open, stop{d, a.to})
			}
		}
	}
	return before
}

// A stop is a place that a route has reached.
type stop struct {
	distance
	place int
}

type frontier []stop

func (f frontier) Len() int { return len(f) }
func (f frontier) Less(i, j int) bool {
	if f[i].distance != f[j].distance {
		return f[i].less(f[j].distance)
	}
	return f[i].place < f[j].place
}
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(stop)) }
func (f *frontier) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}
