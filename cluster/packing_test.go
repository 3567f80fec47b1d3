package cluster

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"batopo/topology"
)

// queued is the same packing with one priority queue of all bundles, served one at a time.
func (s *bundles) queued(e []int, enough int) int {
	left, unpacked := slices.Clone(e), slices.Clone(s.edges)
	queue := &roomiest{number: make([]int32, len(s.edges)), room: make([]int, len(s.edges))}
	for b := range int32(len(s.edges)) {
		queue.number[b], queue.room[b] = b, s.room(b, left)
	}
	heap.Init(queue)
	count := 0
	for queue.Len() > 0 && queue.room[0] > 0 && count < enough {
		b := queue.number[0]
		if now := s.room(b, left); now < queue.room[0] {
			queue.room[0] = now
			heap.Fix(queue, 0)
			continue
		}
		take := min(int(unpacked[b]), max(1, queue.room[0]/8))
		for _, l := range s.over[s.from[b]:s.from[b+1]] {
			left[l] -= take
		}
		count += take
		if unpacked[b] -= int32(take); unpacked[b] == 0 {
			heap.Pop(queue)
		}
	}
	return count
}

// roomiest orders bundles by room, then by number.
type roomiest struct {
	number []int32
	room   []int
}

func (q *roomiest) Len() int { return len(q.number) }
func (q *roomiest) Less(i, j int) bool {
	return q.room[i] > q.room[j] || q.room[i] == q.room[j] && q.number[i] < q.number[j]
}
func (q *roomiest) Swap(i, j int) {
	q.number[i], q.number[j] = q.number[j], q.number[i]
	q.room[i], q.room[j] = q.room[j], q.room[i]
}
func (q *roomiest) Push(any) { panic("nothing is ever added") }
func (q *roomiest) Pop() any {
	last := len(q.number) - 1
	q.number, q.room = q.number[:last], q.room[:last]
	return nil
}

// shaped are clusters whose pairs share resources in different ways.
func shaped(t testing.TB) []*Cluster {
	var all []*Cluster
	for _, s := range []Spec{
		{LeafSpine: &LeafSpine{Leaves: 4, Hosts: 5, Host: 12, Uplink: 30}},
		{LeafSpine: &LeafSpine{Leaves: 8, Hosts: 8, Host: 12, Uplink: 24}},
		{BCube: &BCube{Ports: 3, Layers: 3, Bandwidth: []float64{1, 2, 4}}},
		{Servers: &Servers{Count: 3, GPUs: 8, Tree: TreeSpec{PIX: 20, Node: 10, Sys: 15}, NIC: 25, Load: LoadPath}},
	} {
		c, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

func TestPackingIsThatOfOneQueue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range shaped(t) {
		s := c.bundles()
		for range 50 {
			e := make([]int, len(c.resources))
			for l := range e {
				e[l] = rng.IntN(1 + rng.IntN(40))
			}
			enough := math.MaxInt
			if rng.IntN(2) == 0 {
				enough = rng.IntN(3 * c.nodes)
			}
			if got, want := s.pack(e, enough), s.queued(e, enough); got != want {
				t.Fatalf("%d nodes, capacities %v, enough is %d: packed %d, by one queue %d", c.nodes, e, enough, got, want)
			}
		}
	}
}

func TestReachesIsConnection(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	seen := map[bool]int{}
	for _, c := range shaped(t) {
		for range 50 {
			e := make([]int, len(c.resources))
			for l := range e {
				e[l] = min(1, rng.IntN(12))
			}
			var open []topology.Edge
			for _, edge := range c.Candidates() {
				if !slices.ContainsFunc(c.Route(nil, edge.I, edge.J), func(h Hop) bool { return e[h.Resource] == 0 }) {
					open = append(open, edge)
				}
			}
			g, err := topology.New(c.nodes, open)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := c.reaches(e), g.Connected(); got != want {
				t.Fatalf("%d nodes, capacities %v: reaches is %t, the graph of open pairs says %t", c.nodes, e, got, want)
			}
			seen[g.Connected()]++
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("only one answer was ever right: %v", seen)
	}
}

// BenchmarkPacking prints how much faster lists by room are than one queue, on 130 816 pairs that all have a route of their own.
func BenchmarkPacking(b *testing.B) {
	c, err := New(Spec{LeafSpine: &LeafSpine{Leaves: 16, Hosts: 32, Host: 12, Uplink: 48}})
	if err != nil {
		b.Fatal(err)
	}
	s, most := c.bundles(), c.Most()
	for _, unit := range []float64{12. / 4, 12. / 16, 12. / 64} {
		e := c.at(unit, most)
		b.Run(fmt.Sprintf("unit=%.3g", unit), func(b *testing.B) {
			var lists, queue time.Duration
			for b.Loop() {
				start := time.Now()
				count := s.pack(e, math.MaxInt)
				lists += time.Since(start)
				start = time.Now()
				if other := s.queued(e, math.MaxInt); other != count {
					b.Fatalf("packed %d, by one queue %d", count, other)
				}
				queue += time.Since(start)
			}
			b.ReportMetric(queue.Seconds()/lists.Seconds(), "queue/lists")
			b.ReportMetric(lists.Seconds()*1e3/float64(b.N), "ms/pack")
		})
	}
}
