package mixing

import (
	"fmt"
	"slices"
)

// A Schedule is W over time: round k = 0, 1, 2, … applies Rounds[k mod T], T = len(Rounds).
// A static W is a schedule of one round. It is a function of the round number alone, so every rank can
// work out its peers without asking anyone. It is immutable.
type Schedule struct {
	Name    string
	Note    string    // what was drawn or decomposed, and how; may be empty
	Rounds  []*Matrix // one period, at least one round
	RoundMS []float64 // communication time of each round; nil until priced on a cluster
}

// Static returns the schedule that applies w in every round.
func Static(w *Matrix) *Schedule { return &Schedule{Rounds: []*Matrix{w}} }

// Static reports whether every round is the same because there is only one.
func (s *Schedule) Static() bool { return len(s.Rounds) == 1 }

// Nodes returns n.
func (s *Schedule) Nodes() int { return s.Rounds[0].Nodes() }

// Round returns the matrix of round k ≥ 0.
func (s *Schedule) Round(k int) *Matrix { return s.Rounds[k%len(s.Rounds)] }

// Directed reports whether some round is directed.
func (s *Schedule) Directed() bool { return slices.ContainsFunc(s.Rounds, (*Matrix).Directed) }

// MaxDegree returns the largest number of peers that a node sends to or receives from in any round.
func (s *Schedule) MaxDegree() int {
	most := 0
	for _, w := range s.Rounds {
		most = max(most, slices.Max(w.Degrees()))
	}
	return most
}

// ScheduleParams are the parameters of a schedule. A schedule reads only those it
// lists; zero means its documented default, except for Nodes (always needed, unless
// Base says it) and Seed, where 0 is a seed like any other.
type ScheduleParams struct {
	Nodes  int
	Degree int     // most peers a node has in one round, k; 0: 1
	Shifts int     // M, the shifts that EquiDyn draws from; 0: all n−1 of them
	Eta    float64 // step η of EquiDyn, in (0, 1]; 0: 0.5
	Rounds int     // how many rounds EquiDyn draws; 0: 64
	Seed   uint64
	Base   *Matrix // the W whose edges take turns
}

// Parameters of schedules besides those that families have.
const (
	ParamEta    = "eta"
	ParamRounds = "rounds"
	ParamBase   = "base"
)

// A ScheduleFamily builds a schedule of a known kind.
type ScheduleFamily struct {
	Name       string
	Doc        string   // one line
	Parameters []string // besides Nodes
	build      func(ScheduleParams) (*Schedule, error)
}

// Schedules lists the time-varying topologies that people compare with.
var Schedules = []ScheduleFamily{
	{"one-peer-exponential", "directed: send to the node 1, 2, 4, … ahead in turn; " +
		"exact when n is a power of 2 (Ying et al. 2021)", nil,
		func(p ScheduleParams) (*Schedule, error) { return OnePeerExponential(p.Nodes) }},
	{"one-peer-hypercube", "average along one dimension after the other; exact; n a power of 2", nil,
		func(p ScheduleParams) (*Schedule, error) { return OnePeerHypercube(p.Nodes) }},
	{"hyper-hypercube", "average in groups of at most degree+1; exact; n without larger prime " +
		"factors (Takezawa et al. 2023)", []string{ParamDegree},
		func(p ScheduleParams) (*Schedule, error) { return HyperHypercube(p.Nodes, p.degree()) }},
	{"base", "Base-(k+1) graph with k = degree: exact for every n (Takezawa et al. 2023)", []string{ParamDegree},
		func(p ScheduleParams) (*Schedule, error) { return Base(p.Nodes, p.degree()) }},
	{"od-equidyn", "directed: one random shift per round (Song et al. 2022)",
		[]string{ParamShifts, ParamEta, ParamRounds, ParamSeed},
		func(p ScheduleParams) (*Schedule, error) { return equiDyn(p, true) }},
	{"ou-equidyn", "undirected: random pairs at one shift per round (Song et al. 2022)",
		[]string{ParamShifts, ParamEta, ParamRounds, ParamSeed},
		func(p ScheduleParams) (*Schedule, error) { return equiDyn(p, false) }},
	{"matchings", "the edges of a given undirected graph in at most Δ+1 matchings, each pair averaging exactly",
		[]string{ParamBase},
		func(p ScheduleParams) (*Schedule, error) { return Matchings(p.Base) }},
}

// FindSchedule returns the schedule family of that name; the error lists those that exist.
func FindSchedule(name string) (ScheduleFamily, error) {
	return find("schedule", name, Schedules, func(f ScheduleFamily) string { return f.Name })
}

// Takes reports whether the family reads the parameter of that name.
func (f ScheduleFamily) Takes(parameter string) bool { return slices.Contains(f.Parameters, parameter) }

// Build returns one period of the family's schedule. A parameter that the family
// does not read is an error; Seed is ignored there, because programs have a default for it.
func (f ScheduleFamily) Build(p ScheduleParams) (*Schedule, error) {
	err := refuse("schedule "+f.Name, f.Parameters, given{ParamDegree, p.Degree != 0}, given{ParamShifts, p.Shifts != 0},
		given{ParamEta, p.Eta != 0}, given{ParamRounds, p.Rounds != 0}, given{ParamBase, p.Base != nil})
	if err != nil {
		return nil, err
	}
	if f.Takes(ParamBase) && p.Base == nil {
		return nil, fmt.Errorf("mixing: schedule %s needs a base: the matrix whose edges take turns", f.Name)
	}
	return f.build(p)
}

func (p ScheduleParams) degree() int {
	if p.Degree != 0 {
		return p.Degree
	}
	return 1
}
