package present

import (
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// AdviceJSON is an advice as programs read it, with the sweep that it comes from.
type AdviceJSON struct {
	SweepJSON
	BestStatic *design.Plan `json:"best_static"` // what the sweep alone would recommend; null without a graph
	Answer
	Choices     []CandidateJSON  `json:"candidates"`
	Unmeasured  []UnmeasuredJSON `json:"not_measured,omitempty"`
	LeftOut     []SkippedJSON    `json:"not_compared,omitempty"`
	Axes        []AxisJSON       `json:"would_change,omitempty"`
	Changes     []string         `json:"changes,omitempty"`     // the same in words
	BestSimple  *SimpleJSON      `json:"best_simple,omitempty"` // DistributedDataParallel, where it can run
	Optimizer   advise.Optimizer `json:"optimizer"`
	Convergence string           `json:"convergence_model"`
	Notes       []string         `json:"notes"` // intervals, where numbers come from, what was not considered
}

// UnmeasuredJSON is a choice whose epochs are unknown.
type UnmeasuredJSON struct {
	Name        string      `json:"name"`
	Kind        advise.Kind `json:"kind"`
	Accumulate  int         `json:"batches_per_step,omitempty"`
	IterationMS float64     `json:"iteration_ms"` // for every batch
	Why         string      `json:"why"`
}

// CandidateJSON is one choice.
type CandidateJSON struct {
	Row             int            `json:"row"` // for --choose
	Name            string         `json:"name"`
	Nodes           []int          `json:"nodes,omitempty"`        // that take part; none: all
	Shares          []float64      `json:"batch_shares,omitempty"` // by node, where these are not equal for all rows
	Kind            advise.Kind    `json:"kind"`
	Every           int            `json:"every"`
	Order           design.Order   `json:"order"`
	Overlap         bool           `json:"overlap"`
	BucketMB        float64        `json:"bucket_mb,omitempty"`
	Batches         int            `json:"batches_per_step,omitempty"` // or parts of the whole one
	Whole           bool           `json:"whole_batch,omitempty"`      // fewer nodes compute the batch of all
	Numerics        string         `json:"numerics,omitempty"`
	CommunicationMS float64        `json:"communication_ms"`
	Bottleneck      string         `json:"bottleneck"`
	IterationMS     float64        `json:"iteration_ms"`
	Tried           bool           `json:"iteration_measured,omitempty"` // by the trial
	Epochs          float64        `json:"relative_epochs"`
	Deviation       float64        `json:"log_standard_error"`
	Rate            float64        `json:"learning_rate_factor,omitempty"` // times the best one of DDP
	Source          string         `json:"source,omitempty"`               // the runs that tell relative steps with AdamW
	PredictedMS     float64        `json:"progress_ms"`
	PessimisticMS   float64        `json:"pessimistic_ms"`
	AgreeSteps      float64        `json:"steps_to_1_over_e"` // until differences between nodes have fallen to that
	NodeMeets       int            `json:"node_meets_every"`  // steps, at most, from one meeting to the next
	GroupMeets      int            `json:"group_meets_every,omitempty"`
	Clocks          *design.Clocks `json:"clocks,omitempty"`
	Tied            bool           `json:"tied"`
	Recommended     bool           `json:"recommended"`
	Outside         []string       `json:"outside_measured,omitempty"`
}

// SimpleJSON is the best simple alternative: DistributedDataParallel, in 16 bits or on fewer machines where that pays,
// or one machine alone.
type SimpleJSON struct {
	What        string  `json:"what"`
	IterationMS float64 `json:"iteration_ms"`
	Epochs      float64 `json:"relative_epochs"`
	Deviation   float64 `json:"log_standard_error"`
	PredictedMS float64 `json:"progress_ms"`
}

func newSimpleJSON(s *advise.Candidate) *SimpleJSON {
	if s == nil {
		return nil
	}
	return &SimpleJSON{rowText(*s), s.IterationMS, s.Epochs, s.Deviation, s.PredictedMS}
}

// NewAdviceJSON is the JSON form of an advice whose plan is, or would be, in that file.
func NewAdviceJSON(c *cluster.Cluster, s *sweep.Sweep, a *advise.Advice, file string) AdviceJSON {
	out := AdviceJSON{SweepJSON: NewSweepJSON(s), BestStatic: s.Best(),
		Answer: NewAnswer(c, a, file), LeftOut: skippedJSON(a.Skipped),
		BestSimple: newSimpleJSON(a.BestSimple()), Axes: newAxesJSON(a), Changes: axisTexts(c, a),
		Optimizer: a.Setting.Optimizer, Convergence: fitText(a), Notes: joined(slices.Concat(details(c, a), leftOutNotes(a)))}
	out.SweepJSON.Recommended = a.Recommended.Plan
	for _, u := range a.Unmeasured {
		out.Unmeasured = append(out.Unmeasured, UnmeasuredJSON{u.Name, u.Kind, u.Accumulate, u.IterationMS, u.Unmeasured})
	}
	for _, k := range a.All {
		out.Choices = append(out.Choices, CandidateJSON{
			Row: a.Row(k), Name: k.Name, Nodes: k.Nodes(), Shares: k.Shares, Kind: k.Kind,
			Every: k.Every, Order: k.Order, Overlap: k.Overlap, BucketMB: k.BucketMB, Batches: k.Accumulate,
			Whole:           k.Whole,
			Numerics:        k.Numerics,
			CommunicationMS: k.CommunicationMS, Bottleneck: k.Bottleneck, IterationMS: k.IterationMS, Tried: k.Tried,
			Epochs:    k.Epochs,
			Deviation: k.Deviation, Rate: k.Rate, Source: k.Source, PredictedMS: k.PredictedMS, PessimisticMS: k.PessimisticMS,
			Tied:       k.Tied,
			AgreeSteps: k.Meeting.Agree, NodeMeets: k.Meeting.Node, GroupMeets: k.Meeting.Group,
			Clocks:      k.Clocks,
			Recommended: k.Name == a.Recommended.Name, Outside: k.Outside,
		})
	}
	return out
}
