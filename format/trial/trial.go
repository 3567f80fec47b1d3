// Package trial reads trial.json: what ways of training took on the machines of a user, as python/batopo measured it.
// Whether its numbers agree with each other is the business of package verify.
package trial

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/limits"
)

// Format is the version tag of trial.json.
const Format = "batopo.trial/v1"

// A Kind is what a way of training is.
type Kind string

// The kinds. Of a plan that averages all nodes exactly after every step, DistributedDataParallel runs the all-reduce.
const (
	Alone   Kind = "alone"    // no exchange
	DDP     Kind = "ddp"      // DistributedDataParallel
	HalfDDP Kind = "ddp-half" // with gradients in 16 bits
	Hook    Kind = "ddp-hook" // with the all-reduce of a plan
	Plan    Kind = "plan"     // the plan without changes
)

// A Trial is the content of trial.json. One that did not come from [Read] must pass [Trial.Validate] before it is used.
type Trial struct {
	Format     string            `json:"format"`
	Ranks      int               `json:"ranks"`
	Backend    string            `json:"backend"`
	Seconds    float64           `json:"seconds"`     // that all of it took
	GradientMB float64           `json:"gradient_mb"` // what a rank averages in a step
	ComputeMS  []float64         `json:"compute_ms"`  // of every rank, without exchange
	Unchanged  bool              `json:"unchanged"`   // model and optimizer
	Digest     string            `json:"digest"`      // of them, on rank 0
	Fastest    *string           `json:"fastest"`     // null: none leads beyond the noise
	Ways       []Way             `json:"ways"`
	Plans      []json.RawMessage `json:"plans"`

	plans []*design.Plan
}

// A Way is one way of training, and what an iteration took.
type Way struct {
	Name        string    `json:"name"`
	Kind        Kind      `json:"kind"`
	Plan        *string   `json:"plan"` // the hash
	Every       int       `json:"every"`
	PredictedMS *float64  `json:"predicted_ms"` // of files of older versions; see package cost
	MeasuredMS  float64   `json:"measured_ms,omitempty"`
	P10MS       float64   `json:"p10_ms,omitempty"`
	P90MS       float64   `json:"p90_ms,omitempty"`
	Iterations  int       `json:"iterations,omitempty"`
	BlocksMS    []float64 `json:"blocks_ms,omitempty"` // the median of every block
	Notes       []string  `json:"notes,omitempty"`
	Error       string    `json:"error,omitempty"` // why it was not measured
}

// ReadFile reads a file; see [Read].
func ReadFile(name string) (*Trial, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(name, f)
}

// Read reads trial.json as strictly as plans are read, the plans in it included.
func Read(name string, r io.Reader) (*Trial, error) {
	source, err := limits.ReadText(r, limits.PlanBytes, "a trial")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t := new(Trial)
	if err := design.ReadStrict(name, source, t); err != nil {
		return nil, err
	}
	if err := t.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// Is reports whether JSON says that it is a trial, of whatever version.
func Is(source []byte) bool {
	var head struct {
		Format string `json:"format"`
	}
	_ = json.Unmarshal(source, &head) // what is no JSON is no trial
	return strings.HasPrefix(head.Format, "batopo.trial/")
}

// What a trial may hold; python/batopo stays far below.
const (
	mostWays, mostBlocks, mostText = 64, 1 << 12, 4096
	mostRanks                      = limits.MatrixNodes
	mostMS                         = 1e9
)

// Validate complains about what no trial can be, and reads the plans in it.
func (t *Trial) Validate() error {
	switch {
	case t.Format != Format:
		return fmt.Errorf("trial: format is %q; this program reads %q", shorten(t.Format), Format)
	case t.Ranks < 2 || t.Ranks > mostRanks:
		return fmt.Errorf("trial: ranks is %d; it must be 2 to %d", t.Ranks, mostRanks)
	case t.Backend != "gloo" && t.Backend != "nccl":
		return fmt.Errorf("trial: backend is %q; it must be gloo or nccl", shorten(t.Backend))
	case !(t.Seconds > 0 && t.Seconds <= mostMS) || !(t.GradientMB > 0 && t.GradientMB <= mostMS):
		return fmt.Errorf("trial: seconds is %v and gradient_mb %v; both must be above 0 and at most %g", t.Seconds,
			t.GradientMB, mostMS)
	case len(t.ComputeMS) != 0 && len(t.ComputeMS) != t.Ranks:
		return fmt.Errorf("trial: compute_ms has %d entries for %d ranks", len(t.ComputeMS), t.Ranks)
	case len(t.Ways) == 0 || len(t.Ways) > mostWays || len(t.Plans) > mostWays:
		return fmt.Errorf("trial: %d ways and %d plans; there must be 1 to %d ways and at most as many plans",
			len(t.Ways), len(t.Plans), mostWays)
	case !isDigest(t.Digest):
		return fmt.Errorf("trial: digest is %q; it must be 64 hexadecimal digits", shorten(t.Digest))
	}
	if err := times("compute_ms", t.ComputeMS); err != nil {
		return err
	}
	for k := range t.Ways {
		if err := t.Ways[k].validate(); err != nil {
			return fmt.Errorf("trial: ways[%d]: %w", k, err)
		}
		if slices.ContainsFunc(t.Ways[:k], func(w Way) bool { return w.Name == t.Ways[k].Name }) {
			return fmt.Errorf("trial: ways[%d]: a way before it is called %q too", k, t.Ways[k].Name)
		}
	}
	return t.readPlans()
}

func (w *Way) validate() error {
	if w.Name == "" || !printable(w.Name) {
		return fmt.Errorf("name is %q; it must be a short line of text", shorten(w.Name))
	}
	switch withPlan := w.Kind == Hook || w.Kind == Plan; {
	case !withPlan && w.Kind != Alone && w.Kind != DDP && w.Kind != HalfDDP:
		return fmt.Errorf("kind is %q; it must be alone, ddp, ddp-half, ddp-hook or plan", shorten(string(w.Kind)))
	case withPlan != (w.Plan != nil) || w.Plan != nil && !isDigest(*w.Plan):
		return fmt.Errorf("a way of kind %s: plan must be the hash of one for ddp-hook and plan, and null for others", w.Kind)
	case w.Every < 1:
		return fmt.Errorf("every is %d; it must be 1 or more", w.Every)
	case w.PredictedMS != nil && !(*w.PredictedMS >= 0 && *w.PredictedMS <= mostMS):
		return fmt.Errorf("predicted_ms is %v; it must be 0 to %g", *w.PredictedMS, mostMS)
	}
	for _, text := range append([]string{w.Error}, w.Notes...) {
		if len(text) > mostText {
			return fmt.Errorf("a note or error has %d bytes; it may have %d", len(text), mostText)
		}
	}
	if w.Error != "" {
		return nil
	}
	if len(w.BlocksMS) == 0 || len(w.BlocksMS) > mostBlocks || w.Iterations < len(w.BlocksMS) {
		return fmt.Errorf("%d blocks of %d iterations; a way has an error, or 1 to %d blocks_ms and as many iterations",
			len(w.BlocksMS), w.Iterations, mostBlocks)
	}
	return times("blocks_ms, measured_ms, p10_ms and p90_ms", append(slices.Clone(w.BlocksMS), w.MeasuredMS, w.P10MS,
		w.P90MS))
}

// readPlans reads the plans, whose hashes may be false as yet.
func (t *Trial) readPlans() error {
	t.plans = nil
	for k, source := range t.Plans {
		p, err := design.ReadPlan(fmt.Sprintf("plans[%d]", k), bytes.NewReader(source))
		if err != nil {
			return err
		}
		if p.Nodes != t.Ranks {
			return fmt.Errorf("trial: plans[%d] is for %d nodes; the trial has %d ranks", k, p.Nodes, t.Ranks)
		}
		t.plans = append(t.plans, p)
	}
	for k, w := range t.Ways {
		if p, ok := t.PlanOf(w); ok && w.Kind == Hook && (p.Collective == nil || p.Inside != nil || p.Every != 1) {
			return fmt.Errorf("trial: ways[%d]: DistributedDataParallel runs no plan but an average of all nodes in every "+
				"step", k)
		}
	}
	return nil
}

// ReadPlans are the plans of the file.
func (t *Trial) ReadPlans() []*design.Plan { return t.plans }

// PlanOf is the plan that a way ran, in the file or not.
func (t *Trial) PlanOf(w Way) (*design.Plan, bool) {
	k := slices.IndexFunc(t.plans, func(p *design.Plan) bool { return w.Plan != nil && p.Hash == *w.Plan })
	if k < 0 {
		return nil, false
	}
	return t.plans[k], true
}

// Ran reports whether the way was measured.
func (w *Way) Ran() bool { return w.Error == "" }

func times(what string, ms []float64) error {
	for _, v := range ms {
		if !(v > 0 && v <= mostMS) {
			return fmt.Errorf("trial: %s: %v; times must be above 0 and at most %g ms", what, v, mostMS)
		}
	}
	return nil
}

// printable reports whether a text is short and moves no cursor.
func printable(text string) bool {
	const longest = 200
	return len(text) <= longest && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

func isDigest(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// shorten keeps messages about broken files readable.
func shorten(s string) string { return limits.Shorten(s, 40) }
