package design

import (
	"errors"
	"fmt"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/ground/limits"
)

// Clocks say what is averaged, how it travels, and when the average takes effect. The zero value is the usual: whole
// parameters, in 32 bits, at once.
type Clocks struct {
	Average      Average         `json:"average,omitempty"`
	Wire         Wire            `json:"wire,omitempty"`
	Pieces       int             `json:"pieces,omitempty"`        // one takes its turn every Every/Pieces steps; 0: one
	BatchWeights []float64       `json:"batch_weights,omitempty"` // of every node, its share of the batch; none: equal
	DelaySteps   int             `json:"delay,omitempty"`         // the average of a step is applied that many steps later
	Outer        *Outer          `json:"outer,omitempty"`
	Phases       []TrainingPhase `json:"phases,omitempty"` // none: one phase
	// BucketMB is the size of the buckets that gradients are averaged in; 0: the default of DistributedDataParallel.
	BucketMB float64 `json:"bucket_mb,omitempty"`
	// Library lets the backend average gradients. The collective is what its all-reduce is priced as.
	Library bool `json:"library,omitempty"`
}

// An Average says what is averaged.
type Average string

// Gradients are averaged in every step, before the optimizer. Changes are parameters less those after the last average.
const (
	Parameters Average = "" // in files also "parameters"
	Gradients  Average = "gradients"
	Changes    Average = "changes"
)

// A Wire says in which numbers messages travel.
type Wire string

// The numbers of 32 and 16 bits, and those of changes, where what rounding takes off is added to the next change.
const (
	FP32 Wire = "" // in files also "fp32"
	BF16 Wire = "bf16"
	FP16 Wire = "fp16"
	INT8 Wire = "int8"
	INT4 Wire = "int4"
	INT2 Wire = "int2" // three levels
	INT1 Wire = "int1" // signs
)

var bitsOf = map[Wire]int{FP32: 32, BF16: 16, FP16: 16, INT8: 8, INT4: 4, INT2: 2, INT1: 1}

// Bits is how many a number has on the wire; 0: there is no wire of that name.
func (w Wire) Bits() int { return bitsOf[w] }

// Few reports whether changes are rounded, with a scale that some numbers have in common.
func (w Wire) Few() bool { return w.Bits() < 16 }

// scaled is how many numbers have a scale of 32 bits in common.
const scaled = 256

// Share is how many bytes travel for each that a message of 32-bit numbers has.
func (w Wire) Share() float64 {
	share := float64(w.Bits()) / 32
	if w.Few() {
		share += 1.0 / scaled
	}
	return share
}

// OfGradients is the wire of gradients in a plan whose averages of parameters or changes have this one. Few bits are
// for changes: what rounding takes off is added to the next change.
func (w Wire) OfGradients() Wire {
	if w.Few() {
		return FP32
	}
	return w
}

// Parts is how many pieces a message has. Each round averages one.
func (c *Clocks) Parts() int { return max(1, c.Pieces) }

// MessageShare is how many bytes of a round travel for each that the whole message has in 32-bit numbers.
func (c *Clocks) MessageShare() float64 { return c.Wire.Share() / float64(c.Parts()) }

// An Outer is an optimizer that takes the averaged change for a gradient: Nesterov's momentum.
type Outer struct {
	LearningRate float64 `json:"learning_rate"`
	Momentum     float64 `json:"momentum"`
}

// A TrainingPhase is a number of training steps with clocks of their own. Every 0 is synchronous: gradients of all
// nodes are averaged in every step.
type TrainingPhase struct {
	Steps int `json:"steps"` // 0: until the end
	Every int `json:"every"`
	Delay int `json:"delay"`
}

// mostPhases and mostPhaseSteps limit what a file may ask for.
const mostPhases, mostPhaseSteps = 1 << 10, 1 << 40

// HasClocks reports whether the plan says more about time and numbers than the usual.
func (p *Plan) HasClocks() bool { return len(p.clocksSet()) > 0 }

// clocksSet names the clocks that are set, with inside.gradients, which goes with them.
func (p *Plan) clocksSet() (names []string) {
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"average", p.Average != Parameters}, {"wire", p.Wire != FP32}, {"pieces", p.Pieces != 0},
		{"batch_weights", len(p.BatchWeights) > 0}, {"inside.gradients", p.Inside != nil && p.Inside.Gradients},
		{"delay", p.DelaySteps != 0}, {"outer", p.Outer != nil}, {"phases", len(p.Phases) > 0},
		{"bucket_mb", p.BucketMB != 0}, {"library", p.Library},
	} {
		if f.set {
			names = append(names, f.name)
		}
	}
	return names
}

// usual takes the words for what is usual out of a file: where nothing is said, parameters travel in 32 bits.
func (c *Clocks) usual() {
	if c.Average == "parameters" {
		c.Average = Parameters
	}
	if c.Wire == "fp32" {
		c.Wire = FP32
	}
	if c.Pieces == 1 {
		c.Pieces = 0
	}
}

// Seal sets format and hash to what follows from the rest. Call it after every change to what a plan does.
func (p *Plan) Seal() {
	p.Format, p.Hash = PlanFormat, p.ComputeHash()
}

// SetWire lets messages travel in other numbers, and states what they cost then on the plan's cluster.
func (p *Plan) SetWire(c *cluster.Cluster, wire Wire) error {
	p.Wire = wire
	err := p.setCosts(c)
	p.Seal()
	return err
}

// Synchronous reports whether gradients of all nodes are averaged in every step, as DistributedDataParallel does.
func (p *Plan) Synchronous() bool { return p.Average == Gradients }

// Trainable returns nil for a plan that can be trained without the Python package: one whose nodes average parameters,
// or gradients in every step, which gives equal models too.
func (p *Plan) Trainable() error {
	var others []string
	for _, name := range p.clocksSet() {
		switch {
		case name == "wire": // the numbers of a simulation are not rounded on their way
		case p.Synchronous() && (name == "average" || name == "bucket_mb" || name == "library"):
		default:
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		return fmt.Errorf("the plan has %s, which is run by the Python package (batopo.attach) and not here",
			strings.Join(others, ", "))
	}
	return nil
}

// NeedsDDP reports whether nodes average gradients in some steps, which DistributedDataParallel does for them.
func (p *Plan) NeedsDDP() bool {
	return p.Synchronous() || p.Inside != nil && p.Inside.Gradients || len(p.Phases) > 0 && p.Phases[0].Every == 0
}

// Warnings are what a reader should know about a plan that can be run.
func (p *Plan) Warnings() (all []string) {
	if p.Outer != nil && (len(p.Phases) == 0 || p.Phases[0].Every > 0) {
		all = append(all, "outer has no synchronous first phase: where it was measured, an outer optimizer from the first "+
			"step on trained worse than none; let phases begin with every 0")
	}
	return all
}

// checkClocks refuses clocks that contradict each other or the rest of the plan. Python's checks.py has the same words.
func (p *Plan) checkClocks() error {
	checks := []func() error{p.checkWhat, p.checkBuckets, p.checkBatch, p.checkWhen, p.checkOuter, p.checkPhases}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkWhat looks at what is averaged and how it travels.
func (p *Plan) checkWhat() error {
	switch p.Average {
	case Parameters, Gradients, Changes:
	default:
		return fmt.Errorf("average is %q; it must be \"gradients\", \"parameters\" or \"changes\"", string(p.Average))
	}
	if p.Wire.Bits() == 0 {
		return fmt.Errorf("wire is %q; it must be \"fp32\", \"bf16\", \"fp16\", \"int8\", \"int4\", \"int2\" or \"int1\"",
			string(p.Wire))
	}
	switch {
	case p.Average == Gradients && p.Kind == GossipKind:
		return errors.New("average gradients needs kind collective: gossip would leave every node with another gradient")
	case p.Average == Gradients && (p.Every != 1 || p.Inside != nil || p.DelaySteps != 0 || p.Outer != nil ||
		len(p.Phases) > 0 || p.Order != AdaptThenCombine):
		return errors.New("average gradients is done in every step, before the optimizer: every must be 1, the order atc, " +
			"and there is no inside, delay, outer or phases")
	case p.Average == Changes && p.Kind == GossipKind:
		return errors.New("average changes needs kind collective: after gossip nodes have no common state to change from")
	case p.Wire.Few() && p.Average != Changes:
		return fmt.Errorf("wire %s needs average changes: what rounding takes off is added to the next change", p.Wire)
	case p.Pieces != 0 && p.Average != Changes:
		return errors.New("pieces needs average changes: each piece is compared with what all nodes had of it")
	case p.Pieces < 0:
		return fmt.Errorf("pieces is %d; it must be at least 1", p.Pieces)
	}
	return nil
}

// leastBucketMB and mostBucketMB limit the size of buckets.
const leastBucketMB, mostBucketMB = 1e-3, 1e5

func (p *Plan) checkBuckets() error {
	switch {
	case p.Synchronous() && (p.BucketMB == 0 || p.BucketMB >= leastBucketMB && p.BucketMB <= mostBucketMB):
		return nil
	case p.Synchronous():
		return fmt.Errorf("bucket_mb is %.12g; buckets have %.12g to %.12g MB", p.BucketMB, leastBucketMB, mostBucketMB)
	case p.BucketMB != 0 || p.Library:
		return errors.New("bucket_mb and library need average gradients")
	}
	return nil
}

func (p *Plan) checkBatch() error {
	if len(p.BatchWeights) == 0 {
		return nil
	}
	if p.Kind == GossipKind {
		return errors.New("batch_weights need kind collective: gossip averages all nodes with equal weight")
	}
	if len(p.BatchWeights) != p.Nodes {
		return fmt.Errorf("batch_weights has %d entries for %d nodes", len(p.BatchWeights), p.Nodes)
	}
	sum := 0.0
	for i, w := range p.BatchWeights {
		if !(w > 0) {
			return fmt.Errorf("batch_weights[%d] is %.12g; it must be above 0", i, w)
		}
		sum += w
	}
	const rounding = 1e-9
	if !(sum >= 1-rounding && sum <= 1+rounding) {
		return fmt.Errorf("batch_weights sum to %.12g; they are shares of the batch and sum to 1", sum)
	}
	return nil
}

// checkWhen looks at order, delay and parts.
func (p *Plan) checkWhen() error {
	if p.DelaySteps != 0 && p.Overlap {
		return errors.New("delay and overlap exclude each other: overlap is a delay of one step")
	}
	if err := p.checkDelay("", p.DelaySteps, p.Every); err != nil {
		return err
	}
	timed := p.Average == Changes || p.Inside != nil && p.Inside.Gradients || p.DelaySteps != 0 || len(p.Phases) > 0
	if timed && p.Order != AdaptThenCombine {
		return errors.New("order must be atc with average changes, inside.gradients, delay or phases: delay says how late " +
			"an average may come")
	}
	for t, r := range p.Rounds {
		if timed && r.Part != 1 {
			return fmt.Errorf("rounds[%d].part must be 1 with inside.gradients, delay or phases", t)
		}
	}
	return nil
}

// checkDelay refuses a delay that is longer than the time until the next average; at leads to it.
func (p *Plan) checkDelay(at string, delay, every int) error {
	pieces := p.Parts()
	switch {
	case every%pieces != 0:
		return fmt.Errorf("%severy is %d, which pieces = %d does not divide; each has its turn once in every", at, every,
			pieces)
	case delay < 0 || delay > every:
		return fmt.Errorf("%sdelay is %d; an average may be late by at most every = %d steps", at, delay, every)
	case delay > every/pieces:
		return fmt.Errorf("%sdelay is %d; a piece may be late by at most every/pieces = %d steps", at, delay, every/pieces)
	}
	return nil
}

func (p *Plan) checkOuter() error {
	switch o := p.Outer; {
	case o == nil:
	case p.Average != Changes:
		return errors.New("outer needs average changes: it takes the averaged change for a gradient")
	case !(o.LearningRate > 0 && o.LearningRate <= 2):
		return fmt.Errorf("outer.learning_rate is %.12g; it must be above 0 and at most 2", o.LearningRate)
	case !(o.Momentum >= 0 && o.Momentum < 1):
		return fmt.Errorf("outer.momentum is %.12g; it must be at least 0 and below 1", o.Momentum)
	}
	return nil
}

// checkPhases makes sure that every phase ends with an average, and that the last one is the plan's own.
func (p *Plan) checkPhases() error {
	count := len(p.Phases)
	if count == 0 {
		return nil
	}
	if count < 2 || count > mostPhases {
		return fmt.Errorf("phases has %d entries; it must have 2 to %d, or be left out", count, mostPhases)
	}
	last := p.Phases[count-1]
	if last != (TrainingPhase{0, p.Every, p.DelaySteps}) {
		return fmt.Errorf("the last of phases has steps %d, every %d and delay %d; it lasts until the end, so its steps "+
			"are 0, and its every and delay are the plan's, %d and %d", last.Steps, last.Every, last.Delay, p.Every,
			p.DelaySteps)
	}
	for k, f := range p.Phases[:count-1] {
		at := fmt.Sprintf("phases[%d].", k)
		switch {
		case f.Steps < 1 || f.Steps > mostPhaseSteps:
			return fmt.Errorf("%ssteps is %d; all but the last phase have 1 to %d", at, f.Steps, mostPhaseSteps)
		case f.Every == 0 && k > 0:
			return fmt.Errorf("%severy is 0; only the first phase may be synchronous", at)
		case f.Every < 0 || f.Every > limits.Every:
			return fmt.Errorf("%severy is %d; a round follows every 1 to %d steps", at, f.Every, limits.Every)
		case f.Every > 0 && f.Steps%f.Every != 0:
			return fmt.Errorf("%ssteps is %d, which every = %d does not divide; a phase ends with an average", at, f.Steps,
				f.Every)
		}
		if err := p.checkDelay(at, f.Delay, f.Every); err != nil {
			return err
		}
	}
	return nil
}

// onWire is the cluster with messages as large as those of a round are on the wire of the plan.
func (p *Plan) onWire(c *cluster.Cluster) (*cluster.Cluster, error) {
	if p.MessageShare() == 1 {
		return c, nil
	}
	return c.WithMessage(c.Model().MessageMB * p.MessageShare())
}
