package verify

import (
	"errors"
	"fmt"
)

// A Status is the outcome of checking one claim.
type Status string

// The outcomes. Unproved claims could be neither repeated nor refuted.
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

	truth bool // the claim is true or not, 1 or 0: no number to show
}

// Numeric reports whether the claim is a number. Other claims are true or not, 1 or 0.
func (f Finding) Numeric() bool {
	return !f.truth && (f.Tolerance > 0 || f.Claimed != 0 || f.Recomputed != 0)
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
