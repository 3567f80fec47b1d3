// Package verify recomputes every claim of a plan from its edges and weights. It
// imports no solver, so a mistake there cannot hide here, and takes another road where there
// is one: full eigenvalues where a solver used blocks, loads counted from the graph and
// not from the limits, bounds from the argument they name.
package verify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"batopo/cluster"
	"batopo/design"
	"batopo/mixing"
)

// A Status is the outcome of checking one claim.
type Status string

// The outcomes. Unproved claims are stated as estimates and could not be refuted.
const (
	OK       Status = "ok"
	False    Status = "false"
	Unproved Status = "not proved"
)

// A Finding is one claim, checked.
type Finding struct {
	Claim      string  `json:"claim"`
	Status     Status  `json:"status"`
	Claimed    float64 `json:"claimed"`
	Recomputed float64 `json:"recomputed"`
	Tolerance  float64 `json:"tolerance"`
	Detail     string  `json:"detail,omitempty"`
}

// Numeric reports whether the claim is a number. Other claims are true or not, 1 or 0.
func (f Finding) Numeric() bool {
	return f.Tolerance > 0 || f.Claimed != 1 && f.Claimed != 0 || f.Recomputed != 1 && f.Recomputed != 0
}

// Why says in words how a false claim and what was recomputed differ.
func (f Finding) Why() string {
	numbers := fmt.Sprintf("claimed %.12g, recomputed %.12g", f.Claimed, f.Recomputed)
	switch {
	case f.Detail == "":
		return numbers
	case !f.Numeric():
		return f.Detail
	}
	return numbers + " (" + f.Detail + ")"
}

// A Report lists what was checked, in the order of the plan's fields.
type Report []Finding

// Err joins the claims that are false; nil when there is none.
func (r Report) Err() error {
	var errs []error
	for _, f := range r {
		if f.Status == False {
			errs = append(errs, fmt.Errorf("%s: %s", f.Claim, f.Why()))
		}
	}
	return errors.Join(errs...)
}

// Tolerances, absolute for eigenvalues (which are below 1 in size) and relative for the rest.
const (
	eigenTolerance    = 1e-9 // two eigensolvers on one matrix of thousands of nodes differ by less
	relativeTolerance = 1e-9 // sums and quotients of the same few numbers
	boundTolerance    = 1e-9 // a bound may claim so much more than can be recomputed: rounding
)

// check collects findings about one plan.
type check struct {
	plan     *design.Plan
	cluster  *cluster.Cluster
	matrices []*mixing.Matrix
	allocate func() (cluster.Allocation, error) // capacities for the plan's budget, computed once
	report   Report
}

func newCheck(plan *design.Plan) (*check, error) {
	c, err := cluster.New(plan.Cluster)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	if c.Nodes() != plan.Nodes {
		return nil, fmt.Errorf("nodes is %d, but the cluster has %d", plan.Nodes, c.Nodes())
	}
	allocate := sync.OnceValues(func() (cluster.Allocation, error) { return c.Allocate(context.Background(), plan.Settings.MaxEdges) })
	return &check{plan: plan, cluster: c, allocate: allocate}, nil
}

// Check recomputes everything that plan claims. An error means that the plan cannot
// even be read as one: a bad cluster block, weights that form no mixing matrix.
func Check(plan *design.Plan) (Report, error) {
	k, err := newCheck(plan)
	if err != nil {
		return nil, err
	}
	k.text("hash", plan.Hash, plan.ComputeHash())
	k.matrices, err = plan.Matrices()
	if err != nil {
		return Report{{Claim: "doubly stochastic", Status: False, Detail: err.Error()}}, nil
	}
	k.stochastic()
	k.spectrum()
	k.bounds()
	k.costs()
	k.limits()
	return k.report, nil
}

func (k *check) add(f Finding) { k.report = append(k.report, f) }

// number compares a claimed number with a recomputed one.
func (k *check) number(claim string, claimed, recomputed, tolerance float64) {
	status := OK
	if !(math.Abs(claimed-recomputed) <= tolerance) {
		status = False
	}
	k.add(Finding{Claim: claim, Status: status, Claimed: claimed, Recomputed: recomputed, Tolerance: tolerance})
}

// relative compares two numbers up to rounding.
func (k *check) relative(claim string, claimed, recomputed float64) {
	k.number(claim, claimed, recomputed, relativeTolerance*math.Abs(recomputed))
}

// atMost checks a recomputed number against a limit.
func (k *check) atMost(claim string, limit, recomputed float64, detail string) {
	k.holds(claim, recomputed <= limit, detail)
	last := &k.report[len(k.report)-1]
	last.Claimed, last.Recomputed = limit, recomputed
}

// holds records a claim that is true or not; the detail is shown when it is not.
func (k *check) holds(claim string, ok bool, detail string) {
	f := Finding{Claim: claim, Status: OK, Claimed: 1, Recomputed: 1}
	if !ok {
		f.Status, f.Recomputed, f.Detail = False, 0, detail
	}
	k.add(f)
}

func (k *check) text(claim, claimed, recomputed string) {
	k.holds(claim, claimed == recomputed, fmt.Sprintf("the file says %s, its content gives %s", short(claimed), short(recomputed)))
}

func short(s string) string {
	if len(s) > 16 {
		return s[:16] + "…"
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
	k.holds("directed", directed == k.plan.Directed, fmt.Sprintf("the plan says directed is %t, its weights say %t", k.plan.Directed, directed))
	k.holds("setting", k.plan.Setting == design.FDLA || k.plan.Setting == design.FMMC && nonnegative,
		fmt.Sprintf("setting %q does not allow the negative weights found", k.plan.Setting))
}
