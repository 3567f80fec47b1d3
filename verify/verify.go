// Package verify recomputes every claim of a plan from its edges and weights. It
// imports no solver, so a mistake there cannot hide here, and takes another road where there
// is one: full eigenvalues where a solver used blocks, loads counted from the graph and
// not from the limits, capacities enclosed by graphs and prices, bounds from the argument they name.
package verify

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/verify/internal/question"
)

// check collects findings about one plan.
type check struct {
	plan     *design.Plan
	cluster  *cluster.Cluster
	matrices []*mixing.Matrix
	symmetry symmetry // once the lift has been checked
	report   Report
	rounds   []cluster.Round // what they cost, once that was found
	bucketMB float64         // travels in place of the message; 0: that does

	// What was asked, computed once.
	routes     func() (*question.Routes, error)
	capacities func() (question.Capacities, error)
}

func newCheck(plan *design.Plan, c *cluster.Cluster) *check {
	k := &check{plan: plan, cluster: c}
	k.routes = sync.OnceValues(func() (*question.Routes, error) {
		if float64(c.CandidateCount())*float64(len(c.Resources())) > mostWork {
			return nil, errTooLarge
		}
		return question.NewRoutes(c), nil
	})
	k.capacities = sync.OnceValues(k.enclosed)
	return k
}

// Check recomputes everything that plan claims. Every claim is found true or false, or listed as not proved: an
// estimate, something that cannot be seen from the plan, more work than one claim may take, or what was left when ctx
// ended. An error means that the plan cannot even be read as one.
func Check(ctx context.Context, plan *design.Plan) (Report, error) {
	if err := plan.Validate(); err != nil {
		return nil, err
	}
	c, err := cluster.New(plan.Cluster)
	if err != nil {
		return nil, err
	}
	k := newCheck(plan, c)
	k.text("hash", plan.Hash, plan.ComputeHash())
	if plan.Kind == design.CollectiveKind {
		k.unlessStopped(ctx, "all but the hash", (*check).collective)
		k.answered(ctx)
		return k.report, nil
	}
	k.matrices, err = plan.Between()
	if err != nil {
		k.holds("doubly stochastic", false, err.Error())
		return k.report, nil
	}
	k.stochastic()
	bounds := (*check).bounds
	if plan.Inside != nil {
		bounds = (*check).matrixClaims
	}
	k.unlessStopped(ctx, "r_asym, lambda_2, lambda_n, min_eigenvalue, iterations, lift", (*check).spectrum)
	k.unlessStopped(ctx, "bound, gap, degree_bound, degree_gap, weights_bound", bounds)
	k.unlessStopped(ctx, "max_degree, min_edge_gb_s, communication_ms, time_ms", (*check).costs)
	k.unlessStopped(ctx, "connected, settings", (*check).limits)
	k.unlessStopped(ctx, "stop, notes", (*check).words)
	k.answered(ctx)
	return k.report, nil
}

// unlessStopped checks a part of the claims. Where ctx ends first it lists them as not checked, at once: what the part
// goes on with is its own copy.
func (k *check) unlessStopped(ctx context.Context, claims string, part func(*check)) {
	mine := *k
	mine.report = slices.Clone(k.report)
	if done, err := grace.Await(ctx, func() (*check, error) { part(&mine); return &mine, nil }); err == nil {
		*k = *done
	} else {
		k.unproved(claims, 0, "not checked: "+ctx.Err().Error())
	}
}

// add appends a finding. JSON cannot hold NaN and infinities, so they become the largest finite numbers.
func (k *check) add(f Finding) {
	for _, v := range []*float64{&f.Claimed, &f.Recomputed, &f.Tolerance} {
		switch {
		case math.IsNaN(*v):
			*v = -math.MaxFloat64
		default:
			*v = min(max(*v, -math.MaxFloat64), math.MaxFloat64)
		}
	}
	k.report = append(k.report, f)
}

// number compares a claimed number with a recomputed one. What overflows has no number to compare with.
func (k *check) number(claim string, claimed, recomputed, tolerance float64) {
	status := OK
	if !(math.Abs(claimed-recomputed) <= tolerance) || math.IsInf(tolerance, 0) {
		status = False
	}
	k.add(Finding{Claim: claim, Status: status, Claimed: claimed, Recomputed: recomputed, Tolerance: tolerance})
}

// relative compares two numbers up to rounding.
func (k *check) relative(claim string, claimed, recomputed float64) {
	k.number(claim, claimed, recomputed, design.ClaimTolerance*math.Abs(recomputed))
}

// atMost checks a recomputed number against a limit.
func (k *check) atMost(claim string, limit, recomputed float64, detail string) {
	k.compared(Finding{Claim: claim, Claimed: limit, Recomputed: recomputed}, recomputed <= limit, detail)
}

// atLeast checks a recomputed eigenvalue against the least that the plan promises.
func (k *check) atLeast(claim string, promised, recomputed float64, detail string) {
	k.compared(Finding{Claim: claim, Claimed: promised, Recomputed: recomputed, Tolerance: design.ClaimTolerance},
		recomputed >= promised-design.ClaimTolerance, detail)
}

// compared files a number and its limit; the detail is shown where the limit is broken.
func (k *check) compared(f Finding, ok bool, detail string) {
	f.Status = OK
	if !ok {
		f.Status, f.Detail = False, detail
	}
	k.add(f)
}

// holds records a claim that is true or not; the detail is shown when it is not.
func (k *check) holds(claim string, ok bool, detail string) {
	f := Finding{Claim: claim, Status: OK, Claimed: 1, Recomputed: 1, truth: true}
	if !ok {
		f.Status, f.Recomputed, f.Detail = False, 0, detail
	}
	k.add(f)
}

func (k *check) text(claim, claimed, recomputed string) {
	k.holds(claim, claimed == recomputed, fmt.Sprintf("the file says %s, its content gives %s",
		short(claimed), short(recomputed)))
}

func short(s string) string {
	s = strings.Map(func(r rune) rune { // a forged text could move the cursor
		if unicode.IsPrint(r) {
			return r
		}
		return '�'
	}, s)
	if r := []rune(s); len(r) > 16 {
		return string(r[:16]) + "…"
	}
	if strings.TrimSpace(s) == "" {
		return "nothing"
	}
	return s
}

// stochastic checks sign and connection; row and column sums were checked when the matrices were built.
func (k *check) stochastic() {
	k.holds("doubly stochastic", true, "")
	nonnegative, directed := true, false
	for _, m := range k.matrices {
		nonnegative = nonnegative && m.Nonnegative()
		directed = directed || m.Directed()
	}
	k.holds("directed", directed == k.plan.Directed, fmt.Sprintf("the plan says directed is %t, its weights say %t",
		k.plan.Directed, directed))
	k.holds("weights", k.plan.Sign == design.Free || k.plan.Sign == design.NonNegative && nonnegative,
		fmt.Sprintf("weights %q do not allow the negative weights found", k.plan.Sign))
}
