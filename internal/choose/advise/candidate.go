package advise

import (
	"math"
	"strconv"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
)

// Intervals are the numbers of steps from one round to the next that are looked at.
var Intervals = []int{1, 2, 4, 8, 16}

// A Candidate is something to run, with what is predicted of it.
type Candidate struct {
	Name string // in tables
	Text string // the same within a sentence
	Kind Kind
	Machines
	Every   int          // a round in every H-th step
	Order   design.Order // of step and round
	Overlap bool         // the round runs overlapped with the gradient

	CommunicationMS float64 // of a round, on average over a period; of DDP all buckets together
	LongestMS       float64 // of the longest round; of DDP all buckets together
	Bottleneck      string  // the resource that makes the longest round long
	IterationMS     float64
	Tried           bool     // the trial measured IterationMS
	Epochs          float64  // relative to exact averaging; with AdamW steps relative to DDP
	Deviation       float64  // of their logarithm: a standard error; with AdamW half of the 95 % interval; 0: none
	Rate            float64  // with AdamW the best learning rate relative to DDP's; 0: nothing is known of it
	Source          string   // with AdamW which runs say so
	RunParameters   int      // of the model of these runs
	RunLength       int      // their steps
	PredictedMS     float64  // IterationMS × Epochs: the time that is worth an iteration of exact averaging
	PessimisticMS   float64  // the same with slower links and one standard error worse: what candidates are ranked by
	Outside         []string // in which ways the convergence model was not made for it
	Meeting         Meeting  // in steps
	Tied            bool     // with the recommended one, within both errors

	BucketMB   float64        // of gradients: the size of their buckets
	Accumulate int            // batches, or parts of a Whole one, whose gradients are added before they are averaged; 0: 1
	Numerics   string         // what differs from computing in 32 bits; "": nothing
	Unmeasured string         // why its epochs are unknown: it is never recommended; "": it is known
	Clocks     *design.Clocks // of the plan, where it is recommended with others than it has
	Plan       *design.Plan   // what python/batopo runs; nil where no plan can say it
	Shards     *Sharding      // who holds which part of the model; nil: every node has all of it

	excess  float64 // ms of an iteration over what is predicted, as in the trial
	process string  // its name, whatever the wire
	lazy    bool    // nodes keep half of the weight that they would give away
	special bool    // drawn at random or made for this cluster, so that its name does not say what it is
}

// RateNote says at which learning rate a candidate that averages parameters needs as many steps as predicted; empty
// where nothing is known, and for gradients, whose rate is the unit.
func (c Candidate) RateNote() string {
	if c.Kind.Gradients() || c.Rate == 0 {
		return ""
	}
	rate := "the best one of synchronous training (DDP)"
	if c.Rate != 1 {
		rate = strconv.FormatFloat(c.Rate, 'g', 3, 64) + " times " + rate
	}
	return "learning rate: " + rate + ". " + c.Source
}

// A predictor predicts what processes cost in one setting.
type predictor struct {
	model   *Convergence
	table   *adamw.Table // with AdamW
	setting Setting
	known   map[*process]*memory
}

// A memory is what is known of one process. One goroutine at a time compares it.
type memory struct {
	guesses  map[guessKey]guess // epochs do not depend on the cluster
	unstable map[guessKey]bool
	costs    map[costKey]priced // prices do not depend on compute times
	scenes   map[sceneKey]scene // of its own machines
}

// remember returns what is known of a process.
func (w *predictor) remember(p *process) *memory {
	if p.half != nil {
		w.remember(p.half)
	}
	if w.known[p] == nil {
		w.known[p] = &memory{map[guessKey]guess{}, map[guessKey]bool{}, map[costKey]priced{}, map[sceneKey]scene{}}
	}
	return w.known[p]
}

type costKey struct {
	c      *cluster.Cluster
	faster float64 // of gradients in buckets; others do not look at it
}

// cost prices a process, once on every cluster.
func (w *predictor) cost(p *process, s scene) (priced, error) {
	costs, key := w.known[p].costs, costKey{s.c, 1}
	if p.kind.Gradients() {
		key.faster = s.faster
	}
	if known, ok := costs[key]; ok {
		return known, nil
	}
	price, err := p.price(s)
	if err == nil {
		costs[key] = price
	}
	return price, err
}

type guessKey struct {
	every int
	order design.Order
}

type guess struct {
	log, deviation float64 // of the epochs
	epochs         float64
	pessimistic    float64 // the same on the bad side of the error
	outside        []string
	steps          adamw.Steps // with AdamW
	unknown        error       // with AdamW: why there is no number
}

func (w *predictor) epochs(p *process, every int, order design.Order) guess {
	guesses, key := w.known[p].guesses, guessKey{every, order}
	g, ok := guesses[key]
	if ok {
		return g
	}
	if steps, known := w.setting.batches(p); known {
		g = guess{steps: steps, log: math.Log(steps.Ratio), deviation: math.Log(steps.High / steps.Ratio)}
	} else if w.setting.Optimizer == AdamW {
		g = w.steps(p, every, order)
	} else {
		g = w.modelled(p, every, order)
	}
	g.epochs, g.pessimistic = math.Exp(g.log), math.Exp(g.log+g.deviation)
	guesses[key] = g
	return g
}

// modelled asks the convergence model.
func (w *predictor) modelled(p *process, every int, order design.Order) (g guess) {
	s := p.shape
	f := s.features(w.setting.features(), every, w.model.Gamma)
	if order == design.CombineThenAdapt {
		f.CTA = 1
	}
	if !f.exact() {
		g.outside = w.model.Outside(f, s.nodes)
		if unlike := p.unlike(f); unlike != "" {
			g.outside = append(g.outside, unlike)
		}
	}
	g.log, g.deviation = w.model.Epochs(f, s.nodes)
	if p.bits() == 16 && !p.kind.Gradients() {
		log, half := w.rounding(p).Log()
		g.log, g.deviation = g.log+log, math.Hypot(g.deviation, half/2)
	}
	return g
}

// steps reads the table of AdamW.
func (w *predictor) steps(p *process, every int, order design.Order) (g guess) {
	a := p.averaging(every)
	a.Length = w.setting.Steps
	switch {
	case a.Models > 1 && w.setting.Skew > 0:
		g.unknown = adamw.Unmeasured("averages of parameters were not run under skew")
	case a.Models > 1 && order == design.CombineThenAdapt:
		g.unknown = adamw.Unmeasured("overlapped averages were not run")
	default:
		g.steps, g.unknown = w.table.Steps(a)
	}
	if g.unknown == nil {
		g.log, g.deviation = math.Log(g.steps.Ratio), math.Log(g.steps.High/g.steps.Ratio)
	}
	return g
}

// averaging is what the table of AdamW knows of a process. Hierarchical averaging averages parameters inside groups,
// which is not the same as averaging gradients there.
func (p *process) averaging(every int) adamw.Averaging {
	a := adamw.Averaging{Models: p.shape.nodes, Every: every, Bits: p.bits(), Pieces: p.pieces() > 1}
	switch {
	case p.kind.Gradients():
		a.Models = 1
	case p.kind == TwoLevel:
		a.Process = "two-level"
	case p.kind == Static || p.kind == Scheduled:
		a.Process = strings.TrimSuffix(p.name, ", "+string(half))
	}
	return a
}
