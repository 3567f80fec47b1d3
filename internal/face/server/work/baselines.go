package work

import (
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/internal/train"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// AllReduce is the baseline of exact averaging.
const AllReduce = "all-reduce"

// BaselineEntries are the known topologies asked for; notes say which the cluster cannot carry.
func (r *TrainRequest) BaselineEntries(c *cluster.Cluster) (entries []train.Entry, notes []string, err error) {
	for _, name := range r.Baselines {
		e := r.Entry(strings.ToLower(strings.TrimSpace(name)), nil, nil)
		var impossible error
		if e.Name == AllReduce {
			_, impossible = cost.Of(collective.Ring(topology.InOrder(c.Nodes())), c)
		} else {
			e.W, impossible, err = baseline(c, e.Name, r.Seed)
		}
		switch {
		case err != nil:
			return nil, nil, err
		case impossible != nil:
			notes = append(notes, fmt.Sprintf("not listed: %s: %s", e.Name, present.Reason(impossible)))
		default:
			if e.W != nil && e.W.Static() && e.W.Note != "" {
				notes = append(notes, e.Name+": "+e.W.Note)
			}
			entries = append(entries, e)
		}
	}
	return entries, notes, nil
}

// baseline builds a family or schedule by its name; impossible says why this cluster cannot have it.
func baseline(c *cluster.Cluster, name string, seed uint64) (s *mixing.Schedule, impossible, err error) {
	if k := slices.IndexFunc(mixing.Families, func(f mixing.Family) bool { return f.Name == name }); k >= 0 {
		w, drawn, impossible := mixing.Families[k].Draw(mixing.Params{Nodes: c.Nodes(), Seed: seed})
		if impossible != nil {
			return nil, impossible, nil
		}
		s = mixing.Static(w)
		s.Note = mixing.DrawNote(drawn, seed)
	} else if k := slices.IndexFunc(mixing.Schedules, func(f mixing.ScheduleFamily) bool {
		return f.Name == name && !f.Takes(mixing.ParamBase)
	}); k >= 0 {
		s, impossible = mixing.Schedules[k].Build(mixing.ScheduleParams{Nodes: c.Nodes(), Seed: seed})
	} else {
		return nil, nil, fmt.Errorf("baselines is %q; known are %s", name, strings.Join(BaselineNames(), ", "))
	}
	for k := 0; impossible == nil && k < len(s.Rounds); k++ {
		_, impossible = cost.Gossip(c, s.Rounds[k])
	}
	return s, impossible, nil
}

// BaselineNames lists what can be trained with.
func BaselineNames() []string {
	names := []string{AllReduce}
	for _, f := range mixing.Families {
		names = append(names, f.Name)
	}
	for _, f := range mixing.Schedules {
		if !f.Takes(mixing.ParamBase) {
			names = append(names, f.Name)
		}
	}
	return names
}
