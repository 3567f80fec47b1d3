package batopo

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/trial"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/correct"
	"github.com/batopo/batopo/internal/choose/gpu"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// Options are a question about a cluster and how long to search for its answer. The command line fills them from flags
// and the server from JSON, so the same question has the same answer everywhere. The zero value asks what plan,
// optimize and weights ask without flags.
type Options struct {
	Static    bool      `json:"static,omitempty"`     // Advise: the best graph that does not change, nothing else
	Purpose   Purpose   `json:"purpose,omitempty"`    // "" means Training for Advise without Static, else Consensus
	Objective Objective `json:"objective,omitempty"`  // "" means Time for Advise, Rate for the others
	MaxEdges  int       `json:"max_edges,omitempty"`  // Optimize needs it; for Advise it is a limit, 0 means none
	MaxDegree int       `json:"max_degree,omitempty"` // most neighbours per node; 0 means no limit

	NegativeWeights bool     `json:"negative_weights,omitempty"`
	MinEigenvalue   *float64 `json:"min_eigenvalue,omitempty"` // nil means 0 for training, no limit for consensus

	// What is trained: Advise for training asks for it, nothing else does.
	Skew      float64   `json:"skew,omitempty"`      // α of Dirichlet class shares per node; 0: all see the same mix
	Optimizer Optimizer `json:"optimizer,omitempty"` // "": AdamW, or SGD: see docs/understanding/advice.md
	Steps     int       `json:"steps,omitempty"`     // of the whole job with AdamW; 0: not known
	Momentum  Momentum  `json:"momentum,omitempty"`  // "" means local
	Norm      Norm      `json:"norm,omitempty"`      // "" means batch norm

	// What a GPU has to hold, besides activations. Advise recommends nothing that does not fit.
	GPUMemoryGB float64 `json:"gpu_memory_gb,omitempty"` // of one GPU; 0: the card's, if the cluster names it

	// What these leave out the cluster's description says.
	Parameters float64         `json:"parameters,omitempty"` // of the model, how many
	DType      cluster.DType   `json:"dtype,omitempty"`      // fp32, mixed or bf16
	Backend    cluster.Backend `json:"backend,omitempty"`    // nccl or gloo

	// What the user decides. Rows are numbered as in the table of the same question without Choose.
	Every  int         `json:"every,omitempty"`  // Advise: steps between averages, up to 512; 0: chosen
	Wire   design.Wire `json:"wire,omitempty"`   // Advise: fp32, bf16 or fp16 messages; "": chosen
	Timing Timing      `json:"timing,omitzero"`  // Advise: a synchronous start, an outer optimizer, late averages
	Exact  bool        `json:"exact,omitempty"`  // Advise: nothing that changes training
	Choose int         `json:"choose,omitempty"` // Advise: this row of the table; 0: the best

	Balance bool `json:"balance,omitempty"` // Advise: batches in proportion to the speed of nodes

	// Trial is what was measured on these machines; Advise corrects the cluster by it before it answers.
	Trial *trial.Trial `json:"trial,omitempty"`

	Search      bool   `json:"search,omitempty"`      // Advise: look for graphs and schedules in any case
	Method      Method `json:"method,omitempty"`      // "" means auto
	Seed        uint64 `json:"seed,omitempty"`        // 0 means 1; the same seed gives the same plan
	Evaluations int    `json:"evaluations,omitempty"` // graphs to look at; 0 means some ten seconds of work

	Paper PaperSettings `json:"paper,omitzero"` // how the methods admm and paper iterate

	Workers  int            `json:"-"` // searches at the same time; 0 means all cores; the plan does not depend on it
	Progress func(Progress) `json:"-"` // may be nil; called by one goroutine at a time
	Found    func(*Plan)    `json:"-"` // may be nil; called with every plan that a sweep takes for a budget
}

// AdviseProblem returns the problem that Advise solves, or what is wrong with the question.
func (o Options) AdviseProblem(c *Cluster) (design.Problem, error) {
	purpose := Training
	if o.Static {
		purpose = Consensus
	}
	if c != nil {
		var err error
		if c, err = o.onModel(c); err != nil {
			return design.Problem{}, err
		}
	}
	p := o.problem(c, purpose, Time)
	if err := o.check(p); err != nil {
		return p, err
	}
	if o.Trial != nil && c != nil {
		if err := correct.Check(c, o.Trial); err != nil {
			return p, err
		}
	}
	full := p // the number of edges may be left open, and more than there are candidates is no limit
	if c != nil {
		full.MaxEdges = min(cmp.Or(p.MaxEdges, c.Nodes()-1), c.CandidateCount())
	}
	return p, full.Validate()
}

// Machines are those that the answer of Advise is chosen for, corrected by the trial; by is nil where there is none.
func (o Options) Machines(c *Cluster) (on *Cluster, by *Correction, err error) {
	if c, err = o.onModel(c); err != nil {
		return nil, nil, err
	}
	if o.Trial != nil {
		if by, err = correct.New(c, o.Trial); err != nil {
			return nil, nil, err
		}
		c = by.Cluster
	}
	return c, by, nil
}

// onModel is the cluster with what the options say about the model and the backend.
func (o Options) onModel(c *Cluster) (*Cluster, error) {
	return c.WithModel(o.Parameters, lower(o.DType), lower(o.Backend))
}

// OptimizeProblem returns the problem that Optimize solves, or what is wrong with the question.
func (o Options) OptimizeProblem(c *Cluster) (design.Problem, error) {
	p := o.problem(c, Consensus, Rate)
	if o.Static {
		return p, errors.New("static is a choice of Advise; a graph with an edge budget never changes")
	}
	if o.Trial != nil {
		return p, errors.New("trial is for Advise; correct the description yourself, or ask for a plan")
	}
	if err := o.check(p); err != nil {
		return p, err
	}
	if o.MaxEdges == 0 {
		return p, errors.New("max_edges is missing; say how many edges there may be at most, or ask for a plan, " +
			"which chooses")
	}
	return p, p.Validate()
}

// WeightsProblem returns the problem that Weights solves, or what is wrong with the question. Limits on edges and
// degrees do not apply.
func (o Options) WeightsProblem(c *Cluster) (design.Problem, error) {
	if c == nil {
		return design.Problem{}, errors.New("batopo: weights need a cluster")
	}
	o.MaxEdges, o.MaxDegree = c.Nodes()-1, 0
	return o.OptimizeProblem(c)
}

// problem fills in what was left out.
func (o Options) problem(c *Cluster, purpose Purpose, objective Objective) design.Problem {
	p := design.Problem{Cluster: c, MaxEdges: o.MaxEdges, MaxDegree: o.MaxDegree, MinEigenvalue: o.MinEigenvalue,
		Purpose: cmp.Or(lower(o.Purpose), purpose), Objective: cmp.Or(lower(o.Objective), objective)}
	if o.NegativeWeights {
		p.Sign = design.Free
	}
	return p.WithDefaults()
}

// check complains about what no cluster makes right.
func (o Options) check(p design.Problem) error {
	if o.MaxEdges < 0 || o.MaxDegree < 0 {
		return errors.New("max_edges and max_degree must not be negative")
	}
	s, setting := o.settings(), o.Setting()
	if err := setting.Validate(); err != nil {
		return err
	}
	if err := s.Validate(); err != nil {
		return err
	}
	if name, value := o.training(); name != "" && !o.advises(p) {
		return fmt.Errorf("%s is %v; it is about training, and which static graph is best does not depend on it: "+
			"leave it out", name, value)
	}
	iterates := slices.Contains([]sweep.Method{sweep.ADMM, sweep.Paper}, s.Method)
	if name, value := o.iterating(); name != "" && !iterates {
		return fmt.Errorf("%s is %v; only the methods admm and paper use it, with method %s it changes nothing", name,
			value, cmp.Or(s.Method, sweep.Auto))
	}
	return nil
}

// A named value of the options, and what it is where it was left out.
type named struct {
	name         string
	value, usual any
}

// training names the first value that only training depends on; none where all have their defaults.
func (o Options) training() (name string, value any) {
	s, usual := o.Setting(), Options{}.Setting()
	return given(named{"skew", s.Skew, usual.Skew}, named{"optimizer", o.Optimizer, Optimizer("")},
		named{"steps", s.Steps, usual.Steps}, named{"momentum", s.Momentum, usual.Momentum},
		named{"norm", s.Norm, usual.Norm}, named{"every", s.Every, 0}, named{"wire", s.Wire, usual.Wire},
		named{"timing", s.Timing, Timing{}},
		named{"gpu_memory_gb", s.GPUGB, 0.0}, named{"parameters", o.Parameters, 0.0},
		named{"dtype", o.DType, cluster.DType("")}, named{"backend", o.Backend, cluster.Backend("")},
		named{"exact", s.Exact, false}, named{"choose", s.Choose, 0},
		named{"search", o.Search, false}, named{"balance", o.Balance, false})
}

// iterating names the first value that only the methods admm and paper look at.
func (o Options) iterating() (name string, value any) {
	i := o.Paper
	return given(named{"rho", i.Rho, 0.0}, named{"starts", i.Starts, 0}, named{"growth", i.Growth, 0.0},
		named{"share", i.Share, 0.0}, named{"alpha", i.Alpha, 0.0}, named{"epsilon", i.Epsilon, 0.0},
		named{"steps", i.Steps, 0}, named{"bounded_start", i.BoundedStart, false}, named{"exact", i.Exact, false},
		named{"sparse_weights", i.SparseWeights, false},
		named{"printed_step", i.PrintedStep, false}, named{"closed_form", i.ClosedForm, false},
		named{"trace", i.Trace, false})
}

func given(all ...named) (name string, value any) {
	for _, n := range all {
		if n.value != n.usual {
			return n.name, n.value
		}
	}
	return "", nil
}

// advises reports whether the question is what to run, and not which static graph is best.
func (o Options) advises(p design.Problem) bool {
	return !o.Static && p.Purpose == Training && p.Objective == Time
}

// searches reports whether graphs are asked for by name, or by saying how many to look at or what they must keep.
func (o Options) searches() bool {
	return o.Search || o.Evaluations > 0 || o.MaxEdges > 0 || o.MaxDegree > 0 || o.Method != ""
}

func (o Options) settings() sweep.Settings {
	return sweep.Settings{Method: lower(o.Method), Seed: cmp.Or(o.Seed, 1), Evaluations: o.Evaluations, Paper: o.Paper,
		Workers: o.Workers, Progress: o.Progress, Found: o.Found}
}

// Setting is what is trained, and the limits that schedules have to keep.
func (o Options) Setting() advise.Setting {
	optimizer := lower(o.Optimizer)
	if optimizer == "" && (o.Momentum != "" || o.Norm != "") {
		optimizer = advise.SGD // only runs with SGD tell about these
	}
	return advise.Setting{Optimizer: optimizer, Steps: o.Steps, Skew: o.Skew,
		Momentum: lower(o.Momentum), Norm: lower(o.Norm), Seed: cmp.Or(o.Seed, 1),
		MaxEdges: o.MaxEdges, MaxDegree: o.MaxDegree,
		Memory: gpu.Memory{GPUGB: o.GPUMemoryGB},
		Wish: advise.Wish{Every: o.Every, Exact: o.Exact, Wire: lower(o.Wire), Choose: o.Choose,
			Balance: o.Balance, Timing: o.Timing}}.WithDefaults()
}

// lower lets words be written in any case.
func lower[T ~string](word T) T { return T(strings.ToLower(string(word))) }
