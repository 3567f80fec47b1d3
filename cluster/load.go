package cluster

import (
	"fmt"
	"math"
)

// A Load is what transfers that are in flight at the same time put on every resource. The two directions of a port are
// apart; a shared link carries each pair once, as much as the busier of its directions; a half-duplex one carries both.
type Load struct {
	Count   []int // edges per resource; of a port those of the busier direction
	cluster *Cluster
	lanes   [][sides]lane // per resource
	used    []int         // resources that carry something
	sent    []int         // messages per node
	hops    []Hop
	routes  [][]Hop // of the pairs asked for so far, by from·n + to; nil: they are not remembered
}

// A lane is what a resource carries in one direction, or for both.
type lane struct {
	share           float64 // in whole messages
	edges, messages int
}

// NewLoad returns a load without any transfers.
func (c *Cluster) NewLoad() *Load {
	n := len(c.resources)
	return &Load{Count: make([]int, n), cluster: c, lanes: make([][sides]lane, n), sent: make([]int, c.nodes)}
}

// mostRemembered is the number of nodes up to which the route of every pair is remembered.
const mostRemembered = 512

// Remember keeps the routes that were asked for, for those who price thousands of loads on the same pairs. Where all
// pairs would be too many it changes nothing.
func (l *Load) Remember() {
	if n := l.cluster.nodes; n <= mostRemembered {
		l.routes = make([][]Hop, n*n)
	}
}

// route returns the hops from one node to another, none where there is no route.
func (l *Load) route(from, to int) []Hop {
	if l.routes == nil {
		l.hops = l.cluster.route(l.hops[:0], from, to)
		return l.hops
	}
	known := &l.routes[from*l.cluster.nodes+to]
	if *known == nil {
		*known = l.cluster.route([]Hop{}, from, to)
	}
	return *known
}

// Clear takes all transfers away.
func (l *Load) Clear() {
	for _, k := range l.used {
		l.Count[k], l.lanes[k] = 0, [sides]lane{}
	}
	l.used = l.used[:0]
	clear(l.sent)
}

// A Flow is what goes one way between two nodes: a share of the message, 1 for all of it, in a number of messages.
type Flow struct {
	Share    float64
	Messages int
}

// Whole is one message that is not cut.
var Whole = Flow{1, 1}

// Add puts a pair of nodes under way, what i sends j and what it gets back. It reports whether there is a route. A pair
// is added once.
func (l *Load) Add(i, j int, there, back Flow) bool {
	if there.Share == 0 {
		return l.send(j, i, back, back)
	}
	shared := Flow{max(there.Share, back.Share), max(there.Messages, back.Messages)}
	return l.send(i, j, there, shared) && (back.Share == 0 || l.send(j, i, back, Flow{}))
}

func (l *Load) send(from, to int, flow, shared Flow) bool {
	hops := l.route(from, to)
	l.sent[from] += flow.Messages
	for _, h := range hops {
		carries := flow
		if h.Side == Shared {
			carries = shared
		}
		if carries.Share == 0 {
			continue
		}
		if l.Count[h.Resource] == 0 {
			l.used = append(l.used, h.Resource)
		}
		lanes := &l.lanes[h.Resource]
		on := &lanes[h.Side]
		on.share += carries.Share
		on.messages += carries.Messages
		if h.Side != HalfDuplex || shared.Share > 0 { // there and back are one edge
			on.edges++
		}
		l.Count[h.Resource] = max(lanes[Sender].edges, lanes[Receiver].edges) + lanes[Shared].edges + lanes[HalfDuplex].edges
	}
	return len(hops) > 0
}

// Allowed returns an error that says which resource would carry more edges than it may.
func (l *Load) Allowed() error {
	for k, r := range l.cluster.resources {
		if r.MaxEdges > 0 && l.Count[k] > r.MaxEdges {
			return fmt.Errorf("cluster: %s would carry %d edges; its max_edges is %d", r.Name, l.Count[k], r.MaxEdges)
		}
	}
	return nil
}

// A Passage is how a transfer fares among all that is under way.
type Passage struct {
	LatencyMS  float64 // with what its own message, and those before it, cost each
	Sent       int     // messages that its sender has under way
	Carried    float64 // what the busiest resource of the route carries, in whole messages
	Bandwidth  float64 // of that resource
	BusyMS     float64 // how long the busiest resource of the route takes for all that it carries
	GBs        float64 // what that resource leaves for a whole message; a share of the message gets that share of it
	Bottleneck string  // its name
}

// Passage follows a transfer along its route. Transfers divide a resource in proportion to what they send. Messages are
// handed over one after the other: a transfer pays for all that its sender and each resource on its way have under way.
// BusyMS is the message over GBs but for rounding: plans state the one, and orders of nodes were chosen by the other.
func (l *Load) Passage(from, to int) Passage {
	c := l.cluster
	sent := l.sent[from]
	p := Passage{LatencyMS: c.latencyMS + c.spec.PerMessageMS*float64(sent), Sent: sent, GBs: math.Inf(1)}
	for _, h := range l.route(from, to) {
		r, on := &c.resources[h.Resource], &l.lanes[h.Resource][h.Side]
		p.LatencyMS += r.LatencyMS + r.PerMessageMS*float64(on.messages)
		carried, bandwidth := on.share, r.Toward(h.Side)
		// Megabytes over gigabytes per second are milliseconds.
		p.BusyMS = max(p.BusyMS, carried*c.model.MessageMB/bandwidth)
		if gbs := bandwidth / carried; gbs < p.GBs {
			p.GBs, p.Bottleneck, p.Carried, p.Bandwidth = gbs, r.Name, carried, bandwidth
		}
	}
	return p
}

// MS is how long a transfer takes among all that is under way, LatencyMS and BusyMS of its Passage, for those who price
// thousands of loads.
func (l *Load) MS(from, to int) float64 {
	c := l.cluster
	latency, busy := c.latencyMS+c.spec.PerMessageMS*float64(l.sent[from]), 0.
	for _, h := range l.route(from, to) {
		r, on := &c.resources[h.Resource], &l.lanes[h.Resource][h.Side]
		latency += r.LatencyMS + r.PerMessageMS*float64(on.messages)
		busy = max(busy, on.share*c.model.MessageMB/r.Toward(h.Side))
	}
	return latency + busy
}

// NoRoute is the error of a pair of nodes that cannot talk.
func (c *Cluster) NoRoute(i, j int) error {
	return fmt.Errorf("cluster: nodes %s and %s have no route; remove the edge or list a route for the pair",
		c.NodeName(i), c.NodeName(j))
}
