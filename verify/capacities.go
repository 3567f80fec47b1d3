package verify

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/verify/internal/question"
)

// enclosed returns the capacities of the plan's question, as far as they are known.
func (k *check) enclosed() (question.Capacities, error) {
	if e := k.cluster.Spec().Edges; e != nil { // the description states them, whatever the budget
		return question.Capacities{Roomy: e, Tight: e}, nil
	}
	s, err := k.stock()
	if err != nil {
		return question.Capacities{}, err
	}
	p := k.plan
	// A plan with all of its edges is itself the graph that fits.
	unit, ok := k.unit()
	if !ok || p.Directed || len(p.Edges()) < p.MaxEdges || !k.connected() || k.room(s.Most) != nil {
		unit = 0
	}
	return s.Enclose(unit)
}

// stock counts what the resources have to give, from the routes of all candidates.
func (k *check) stock() (*question.Stock, error) {
	s := &question.Stock{Edges: k.plan.MaxEdges}
	if !k.cluster.PerNode() {
		r, err := k.routes()
		if err != nil {
			return nil, err
		}
		s.Routes = r
	}
	for l, r := range k.cluster.Resources() {
		most := k.plan.Nodes - 1
		if s.Routes != nil {
			most = len(s.Routes.Limits[l].Edges)
		}
		if r.MaxEdges > 0 {
			most = min(most, r.MaxEdges)
		}
		s.Bandwidth, s.Most = append(s.Bandwidth, r.GBs), append(s.Most, most)
	}
	return s, nil
}

// unit is the bandwidth that every edge of a static plan is sure to get when a resource gives the same to each.
func (k *check) unit() (unit float64, ok bool) {
	if !k.plan.Static() {
		return 0, false
	}
	load, err := k.carried(arcs(k.matrices[0]))
	if err != nil {
		return 0, false
	}
	unit = math.Inf(1)
	for l, r := range k.cluster.Resources() {
		if count := load.edges(l); count > 0 {
			unit = min(unit, r.GBs/float64(count))
		}
	}
	return unit, !math.IsInf(unit, 1)
}

// room returns an error that names a resource that carries more edges in some round than it may.
func (k *check) room(most []int) error {
	for t, w := range k.matrices {
		load, err := k.carried(arcs(w))
		if err != nil {
			return err
		}
		for l, r := range k.cluster.Resources() {
			if count := load.edges(l); count > most[l] {
				return fmt.Errorf("%s carries %d edges in round %d, allowed are %d", r.Name, count, t, most[l])
			}
		}
	}
	return nil
}
