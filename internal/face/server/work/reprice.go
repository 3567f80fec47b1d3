package work

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// AlternativesFile is the file of a job that holds the plans behind its alternatives, for Reprice.
const AlternativesFile = "alternatives.json"

// A keptPlan is an alternative on the disk; exact averaging has no plan.
type keptPlan struct {
	Name        string       `json:"name"`
	Found       bool         `json:"found"`
	Recommended bool         `json:"recommended"`
	Plan        *design.Plan `json:"plan"`
}

func plansOf(all []Alternative) []keptPlan {
	var out []keptPlan
	for _, a := range all {
		out = append(out, keptPlan{a.Name, a.Found, a.Recommended, a.Plan})
	}
	return out
}

// A PriceRequest asks what a job's alternatives cost under another load. What is left out stays as it was.
type PriceRequest struct {
	MessageMB *float64 `json:"message_mb,omitempty"`
	ComputeMS *float64 `json:"compute_ms,omitempty"`
	LatencyMS *float64 `json:"latency_ms,omitempty"`
	Skew      *float64 `json:"skew,omitempty"` // asks what to train with, classes spread by Dirichlet(skew)
}

// A PriceAnswer lists the alternatives, soonest first; the first one that was searched for is recommended.
type PriceAnswer struct {
	Load         Load          `json:"load"`               // that they are priced under
	Sentence     string        `json:"sentence,omitempty"` // with an advice only
	Advice       *Advice       `json:"advice,omitempty"`
	Alternatives []Alternative `json:"alternatives"`
}

// A Load is what a cluster has to carry.
type Load struct {
	MessageMB float64  `json:"message_mb"`
	ComputeMS *float64 `json:"compute_ms,omitempty"` // nil where nodes differ
	LatencyMS float64  `json:"latency_ms"`
}

func loadOf(c *cluster.Cluster) Load {
	first := c.ComputeMS(0)
	l := Load{MessageMB: c.Model().MessageMB, ComputeMS: &first, LatencyMS: c.LatencyMS()}
	for i := range c.Nodes() {
		if c.ComputeMS(i) != first {
			l.ComputeMS = nil
		}
	}
	return l
}

// Reprice prices the alternatives of a job, read from its file of them, under another load. Graphs stay those that the
// job has found; the choice among them is made again, and schedules are searched for the new load. The machines are
// found again from what the job was asked: where no graph fits them, it has kept no plan that would say.
func Reprice(ctx context.Context, asked json.RawMessage, kept io.Reader, r PriceRequest) (PriceAnswer, error) {
	var question Question
	var plans []keptPlan
	if err := json.Unmarshal(asked, &question); err != nil {
		return PriceAnswer{}, err
	}
	if err := json.NewDecoder(kept).Decode(&plans); err != nil {
		return PriceAnswer{}, err
	}
	c, err := cluster.New(question.Cluster)
	if err != nil {
		return PriceAnswer{}, err
	}
	c, _, err = question.Machines(c)
	if err != nil {
		return PriceAnswer{}, err
	}
	c, err = r.cluster(c.Spec())
	if err != nil {
		return PriceAnswer{}, err
	}
	swept, exact, err := pricedSweep(ctx, c, plans)
	if err != nil {
		return PriceAnswer{}, err
	}
	rows, found := slices.Clone(swept.Baselines), map[*design.Plan]bool{}
	for _, o := range swept.Outcomes {
		found[o.Plan] = true
		rows = append(rows, sweep.PlanRow(foundName(o.Plan), o.Plan))
	}
	if exact {
		known, _ := sweep.Baselines(ctx, c, cmp.Or(question.Seed, 1))
		for _, row := range known {
			if row.Kind == sweep.AllReduce {
				rows = append(rows, row)
			}
		}
	}
	all, err := alternatives(rows, c, found, nil)
	if err != nil {
		return PriceAnswer{}, err
	}
	recommend(all)
	answer := PriceAnswer{Load: loadOf(c), Alternatives: all}
	if r.Skew != nil {
		o := question.Options
		o.Skew = *r.Skew
		advice, err := advise.From(ctx, c, swept, o.Setting(), nil)
		if err != nil {
			return answer, err
		}
		answer.Sentence, answer.Advice = newAdvice(c, swept, advice)
	}
	return answer, ctx.Err()
}

// pricedSweep prices kept plans on a cluster; exact says that all-reduce was among the alternatives.
func pricedSweep(ctx context.Context, c *cluster.Cluster, plans []keptPlan) (s *sweep.Sweep, exact bool, err error) {
	s = new(sweep.Sweep)
	for _, k := range plans {
		if k.Plan == nil {
			exact = true
			continue
		}
		w, err := k.Plan.Schedule()
		if err != nil {
			return nil, false, err
		}
		p, err := design.NewSchedulePlan(ctx, c, w)
		if err != nil {
			return nil, false, err
		}
		if k.Found {
			s.Outcomes = append(s.Outcomes, sweep.Outcome{Status: sweep.Solved, Scored: sweep.Scored{Plan: p}})
		} else {
			s.Baselines = append(s.Baselines, sweep.PlanRow(k.Name, p))
		}
	}
	if len(s.Outcomes) == 0 { // the job found none, and no load changes how many edges fit
		_, s.NoGraph = feasible.On(c).Budgets(ctx, 1)
	}
	return s, exact, ctx.Err()
}

// recommend marks the soonest plan that was searched for, of equals the one with the fewest edges, by the rule of a
// sweep: one that averages exactly in one round is none where all-reduce does so sooner.
func recommend(soonestFirst []Alternative) {
	exact := false // all-reduce was sooner
	var best *Alternative
	for k := range soonestFirst {
		a := &soonestFirst[k]
		exact = exact || a.Kind == sweep.AllReduce
		if !a.Found || a.Iterations == nil || *a.Iterations == 1 && exact {
			continue
		}
		if best == nil || *a.TimeMS <= *best.TimeMS*(1+design.ClaimTolerance) && a.Edges < best.Edges {
			best = a
		}
	}
	if best != nil {
		best.Recommended = true
	}
}

// cluster is the one of a description, under the load asked for.
func (r PriceRequest) cluster(spec cluster.Spec) (*cluster.Cluster, error) {
	spec = spec.WithTraining(r.MessageMB, r.ComputeMS)
	if r.LatencyMS != nil {
		spec.LatencyMS = *r.LatencyMS
	}
	return cluster.New(spec)
}
