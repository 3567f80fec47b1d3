// Package adamw knows what averaging less costs with AdamW: a measured table of steps relative to synchronous training.
package adamw

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/batopo/batopo/internal/ground/steps"
)

// A Table says how many times the steps of synchronous training other ways to average need to the same final loss, with
// AdamW, as measured (docs/research/transformers.md). It has no formula. Between two measured values of H, or of the
// number of models, it reads a line over logarithms; a test holds that against the nearest row, each time without the
// row.
type Table struct {
	rows     []stepsRow
	sums     []stepsRow // whose gradients are those of several batches
	off      float64    // root mean square error of ln(steps) when a row is read between others
	rounding Roundings
}

// A Rounding says how many times the steps averages in 16 bits need over the same ones in 32, with a 95 % interval, as
// measured in pairs of runs; none: nothing is known.
type Rounding struct {
	Ratio, Low, High float64
	Pairs            int
}

// Log is ln(Ratio) and half of its interval. Rounding saves no steps, so a ratio below 1 is taken as 1, and its
// distance from 1 is an error too.
func (r Rounding) Log() (log, half float64) {
	if r.Pairs == 0 {
		return 0, 0
	}
	measured, half := math.Log(r.Ratio), math.Log(r.High/r.Ratio)
	return max(0, measured), math.Hypot(half, min(0, measured))
}

// Text says what was measured, and where to read more: with AdamW in steps, with SGD in epochs.
func (r Rounding) Text(adamw bool) string {
	if r.Pairs == 0 {
		return "no run of ours measured it"
	}
	unit, page := "epochs", "experiments/training/log.md"
	if adamw {
		unit, page = "steps", "docs/research/transformers.md"
	}
	return fmt.Sprintf("that took %.2f to %.2f times the %s in %d pairs of runs (%s)", r.Low, r.High, unit,
		r.Pairs, page)
}

// Roundings are those of changes and of parameters.
type Roundings map[string]Rounding

// Of is the rounding of changes, or of parameters.
func (r Roundings) Of(changes bool) Rounding {
	if changes {
		return r["changes"]
	}
	return r["parameters"]
}

// A stepsRow is a process at its best learning rate: see experiments/language/README.md.
type stepsRow struct {
	Name          string
	Optimizer     string
	Process       string
	Group         int
	Every         int
	Ending        int
	Synchronous   int
	OuterLR       float64 `json:"outer_lr"`
	OuterMomentum float64 `json:"outer_momentum"`
	Bits          int
	Pieces        bool
	Stages        int // 1: all send to all, which no plan does
	Top           int // how many of some numbers are sent; 0: all
	Delay         int
	State         string
	Data          string
	Parameters    int
	Nodes         int
	Idle          int
	Batches       int // whose gradients make one step; 0: 1
	Steps         int
	RateFactor    float64  `json:"rate_factor"`
	RelativeSteps *float64 `json:"relative_steps"`
	Each          []*float64
	Low, High     *float64
}

// An Averaging says how the nodes of a job average. Groups average gradients in every step and are one model each; a
// node without a group is a model of its own. How many nodes a group has makes no difference to the table, which was
// measured at one size of the batch of all nodes.
type Averaging struct {
	Process     string  // of parameters between the models: "" or "exact", else a schedule's or graph's name
	Models      int     // that differ between two averages: the groups, or the nodes where there are none
	Every       int     // H: steps from one average to the next
	Delay       int     // steps until an average is used
	Synchronous float64 // share of all steps, the first ones, in which gradients are averaged over all nodes
	// OuterRate and OuterMomentum are those of Nesterov's method on the averaged change; 0: none.
	OuterRate, OuterMomentum float64
	Bits                     int  // of a number on the wire; 0: 32
	Pieces                   bool // one of H pieces of the model is averaged in every step
	Length                   int  // steps of the whole job; 0: as many as were run
}

// Steps are relative to synchronous training at its best learning rate, to the same final loss.
type Steps struct {
	Ratio     float64
	Low, High float64 // 95 % interval
	Rate      float64 // the best learning rate, relative to synchronous training's; 0: not known
	Source    string  // a sentence: which runs say so
	// Parameters is how many the model of these runs had, Length their steps; 0: no run is behind it.
	Parameters, Length int
}

// Measured returns the table of the project's runs with AdamW, read once: nobody changes it.
var Measured = sync.OnceValue(func() *Table {
	t, err := readSteps(steps.JSON)
	if err != nil {
		panic(err) // the embedded file is tested
	}
	return t
})

func readSteps(source []byte) (*Table, error) {
	var file struct {
		Format      string
		Rows        []stepsRow
		FewBits     []stepsRow `json:"few_bits"`
		Accumulated []stepsRow
		Rounding    Roundings `json:"sixteen_bits"`
	}
	if err := json.Unmarshal(source, &file); err != nil {
		return nil, fmt.Errorf("adamw: steps: %w", err)
	}
	if file.Format != "batopo.steps/v1" {
		return nil, fmt.Errorf("adamw: steps: the format is %q, not batopo.steps/v1", file.Format)
	}
	const fewest = 1000 // steps of a run that says what long ones need
	short := func(r stepsRow) bool { return r.Low == nil || r.Steps < fewest }
	all := append(file.Rows, file.FewBits...)
	t := &Table{rounding: file.Rounding, rows: slices.DeleteFunc(all, func(r stepsRow) bool {
		return short(r) || r.Data != "iid" || r.State != "" || r.Ending != 0 || r.Bits == 16 || r.Stages == 1 || r.Top > 0
	}), sums: slices.DeleteFunc(file.Accumulated, short)}
	if len(t.rows) == 0 {
		return nil, errors.New("adamw: steps: no row has an interval")
	}
	t.off, _ = t.leaveOut()
	return t, nil
}

// Text says where the numbers come from, for a job of that many steps; 0: not known.
func (t *Table) Text(steps int) string {
	var sizes []string
	shortest, longest := t.rows[0].Steps, t.rows[0].Steps
	for _, r := range t.rows {
		shortest, longest = min(shortest, r.Steps), max(longest, r.Steps)
		if size := fmt.Sprintf("%.1f", float64(r.Parameters)/1e6); !slices.Contains(sizes, size) {
			sizes = append(sizes, size)
		}
	}
	text := fmt.Sprintf("Steps were measured with AdamW and a GPT of %s million parameters, in %d to %d steps with three "+
		"seeds; see docs/research/transformers.md. Larger models were not run.",
		strings.Join(sizes, " and "), shortest, longest)
	if steps > 0 && (steps < shortest || steps > longest) {
		text += fmt.Sprintf(" Nor were jobs of %d steps.", steps)
	}
	return text
}

// models is how many models differ between two averages; 1 where nodes are idle: the others are synchronous.
func (r stepsRow) models() int { return r.Nodes / r.Group }

// plain: parameters are averaged exactly, at once, as they are, from the first step on.
func (r stepsRow) plain() bool {
	return r.Idle == 0 && r.averaging().Like(Averaging{}.Tidy())
}

func (r stepsRow) averaging() Averaging {
	a := Averaging{Process: r.Process, Models: r.models(), Every: r.Every, Delay: r.Delay, Bits: r.Bits, Pieces: r.Pieces,
		Length: r.Steps, Synchronous: float64(r.Synchronous) / float64(r.Steps), OuterRate: r.OuterLR,
		OuterMomentum: r.OuterMomentum}
	if r.OuterLR == 1 && r.OuterMomentum == 0 {
		a.OuterRate = 0 // a plain average
	}
	return a.Tidy()
}

// Tidy has one spelling for each way to average.
func (a Averaging) Tidy() Averaging {
	a.Process, a.Bits = cmp.Or(a.Process, "exact"), cmp.Or(a.Bits, 32)
	return a
}

// Like reports whether two differ in nothing but H, the number of models, the length, and 16 bits or 32.
func (a Averaging) Like(b Averaging) bool {
	const near = 0.01 // of all steps
	return a.Process == b.Process && a.Delay == b.Delay && a.SentLike(b) && a.OuterRate == b.OuterRate &&
		a.OuterMomentum == b.OuterMomentum && math.Abs(a.Synchronous-b.Synchronous) < near
}

// SentLike reports whether the same travels, in 16 bits or in 32.
func (a Averaging) SentLike(b Averaging) bool {
	return wide(a.Bits) == wide(b.Bits) && a.Pieces == b.Pieces
}

// wide takes 16 bits for 32: what they cost is known apart.
func wide(bits int) int {
	if bits == 16 {
		return 32
	}
	return bits
}

// Measured lists the ways to average among that many models that were run with three seeds.
func (t *Table) Measured(models int) (out []Averaging) {
	for _, r := range t.rows {
		a := r.averaging()
		a.Length = 0
		if r.Idle == 0 && a.Models == models && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// Steps says what is known of a way to average, or why nothing is.
func (t *Table) Steps(a Averaging) (Steps, error) {
	a = a.Tidy()
	if a.Models <= 1 {
		return Steps{Ratio: 1, Low: 1, High: 1, Rate: 1, Source: "Gradients are averaged over all nodes in every step."}, nil
	}
	if a.Bits == 16 {
		a.Bits = 32
		s, err := t.Steps(a)
		return s.rounded(t.Rounding(a.Process)), err
	}
	some := t.like(a)
	if k := slices.IndexFunc(some, func(r stepsRow) bool { return r.models() == a.Models && r.Every == a.Every }); k >= 0 {
		return some[k].steps(), nil
	}
	if len(some) > 0 && some[0].plain() {
		if s, ok := read(some, a, t.off); ok {
			return s, nil
		}
	}
	if s, ok := t.started(a); ok && a.Synchronous > 0 {
		return s, nil
	}
	return Steps{}, a.unmeasured(some)
}

// started reads between synchronous starts of other lengths, on a line from ln(steps) to their share of all steps.
func (t *Table) started(a Averaging) (Steps, bool) {
	var points []point
	for _, r := range t.rows {
		b := a
		b.Synchronous = r.averaging().Synchronous
		at := math.Exp(b.Synchronous) // on whose logarithms lines are read
		if slices.ContainsFunc(points, func(p point) bool { return p.at == at }) {
			continue
		}
		for _, r := range t.like(b) {
			if r.models() == a.Models && r.Every == a.Every {
				points = append(points, point{at, r.steps()})
			}
		}
	}
	return through(points, math.Exp(a.Synchronous), t.off)
}

// Rounding is what 16 bits cost where models are averaged so: exact averages send changes, others parameters.
func (t *Table) Rounding(process string) Rounding {
	return t.rounding.Of(cmp.Or(process, "exact") == "exact")
}

// rounded are the steps of averages in 16 bits.
func (s Steps) rounded(r Rounding) Steps {
	if r.Pairs == 0 {
		return s
	}
	log, half := r.Log()
	half = math.Exp(math.Hypot(math.Log(s.High/s.Ratio), half))
	s.Ratio *= math.Exp(log)
	s.Low, s.High = s.Ratio/half, s.Ratio*half
	return s
}

// Part says how many steps synchronous training on some of the nodes needs, each with the batch that it has among all.
// Parts of other sizes are read between those that were run. Fewer nodes than were run are taken to need as many more
// steps as their batch is smaller.
func (t *Table) Part(nodes, of int) Steps {
	last := point{1, Steps{Ratio: 1, Low: 1, High: 1, Rate: 1, Source: "Synchronous training is the unit."}}
	points := []point{last}
	for _, r := range t.rows {
		if r.Idle > 0 {
			points = append(points, point{float64(r.Nodes+r.Idle) / float64(r.Nodes), r.steps()})
		}
	}
	x := float64(of) / float64(nodes)
	if s, ok := through(points, x, t.off); ok {
		return s
	}
	for _, p := range points {
		if p.at > last.at {
			last = p
		}
	}
	more := x / last.at
	return Steps{Ratio: last.Ratio * more, Low: last.Low, High: last.High * more, Rate: last.Rate,
		Source: fmt.Sprintf("1 of %.3g nodes was not run; it is taken to need as many more steps as its batch is smaller. %s",
			x, last.Source)}
}

// Accumulated says how many times the batches synchronous training needs where a step adds up the gradients of several,
// in a job that has this length with one batch a step; 0: not known. The run of the nearest length counts.
func (t *Table) Accumulated(batches, length int) (Steps, error) {
	if batches == 1 {
		return t.Part(1, 1), nil
	}
	var like, other *stepsRow
	for k, r := range t.sums {
		best := &like
		if r.Batches != batches {
			best = &other
		}
		if *best == nil || r.off(length) < (*best).off(length) {
			*best = &t.sums[k]
		}
	}
	if like == nil {
		return Steps{}, Unmeasured(fmt.Sprintf("no runs with three seeds add up the gradients of %d batches; those of %d "+
			"took %.2f to %.2f times as many batches as DDP", batches, other.Batches, *other.Low, *other.High))
	}
	return like.steps(), nil
}

// off is how far the length of a row is from a job's; 0: as most runs.
func (r stepsRow) off(length int) float64 {
	const usual = 1500
	return math.Abs(math.Log(float64(r.Steps*max(1, r.Batches)) / float64(cmp.Or(length, usual))))
}

// like returns the rows that differ from a way to average in H and the number of models only, with each of them once:
// the run of the nearest length; of those the largest model, because users' models are larger still; and of groups of
// two sizes the wider interval.
func (t *Table) like(a Averaging) (out []stepsRow) {
	for _, r := range t.rows {
		if r.Idle > 0 || !r.averaging().Like(a) {
			continue
		}
		k := slices.IndexFunc(out, func(o stepsRow) bool { return o.Every == r.Every && o.models() == r.models() })
		if k < 0 {
			out = append(out, r)
		} else if o := out[k]; cmp.Or(cmp.Compare(o.off(a.Length), r.off(a.Length)), cmp.Compare(r.Parameters, o.Parameters),
			cmp.Compare(*r.High, *o.High)) > 0 {
			out[k] = r
		}
	}
	return out
}

// read reads between rows: two with as many models and other H, or else two with the same H and other numbers of
// models, which may have been read between others themselves.
func read(rows []stepsRow, a Averaging, off float64) (Steps, bool) {
	of := func(models int) (Steps, bool) {
		return line(rows, float64(a.Every), off, func(r stepsRow) (float64, bool) {
			return float64(r.Every), r.models() == models
		})
	}
	if s, ok := of(a.Models); ok {
		return s, true
	}
	var counts []point
	for _, r := range rows {
		if s, ok := of(r.models()); ok {
			counts = append(counts, point{float64(r.models()), s})
		}
	}
	return through(counts, float64(a.Models), off)
}

// line reads between the rows that have a place, at x.
func line(rows []stepsRow, x, off float64, place func(r stepsRow) (float64, bool)) (Steps, bool) {
	var points []point
	for _, r := range rows {
		if at, ok := place(r); ok {
			points = append(points, point{at, r.steps()})
		}
	}
	return through(points, x, off)
}

// A point is what is known at a place.
type point struct {
	at float64
	Steps
}

// through reads at x what is known there, or ln(steps) on a line over ln(x) between the two neighbours. The interval is
// the wider one of theirs, relative to the steps, and the error of reading so besides.
func through(points []point, x, off float64) (Steps, bool) {
	var below, above *point
	for k, p := range points {
		switch {
		case p.at == x:
			return p.Steps, true
		case p.at < x && (below == nil || p.at > below.at):
			below = &points[k]
		case p.at > x && (above == nil || p.at < above.at):
			above = &points[k]
		}
	}
	if below == nil || above == nil {
		return Steps{}, false
	}
	part := math.Log(x/below.at) / math.Log(above.at/below.at)
	nearer := below
	if part > 0.5 {
		nearer = above
	}
	ratio := math.Exp((1-part)*math.Log(below.Ratio) + part*math.Log(above.Ratio))
	half := max(below.High/below.Ratio, above.High/above.Ratio) * math.Exp(2*off) // two standard errors
	return Steps{Ratio: ratio, Low: ratio / half, High: ratio * half, Rate: nearer.Rate,
		Parameters: max(below.Parameters, above.Parameters), Length: max(below.Length, above.Length),
		Source: "Read between two measurements. " + below.Source + " " + above.Source}, true
}

// leaveOut is the root mean square error of ln(steps) of the plain rows that lie between two others in H, or with the
// same H in the number of models, when they are read without themselves: on a line, and from the nearest row.
func (t *Table) leaveOut() (line, nearest float64) {
	plain := t.like(Averaging{}.Tidy())
	count := 0.0
	for k, r := range plain {
		rest := slices.Delete(slices.Clone(plain), k, k+1)
		s, ok := read(rest, r.averaging(), 0)
		if !ok {
			continue
		}
		near := slices.MinFunc(rest, func(a, b stepsRow) int { return cmp.Compare(a.far(r), b.far(r)) })
		line += square(math.Log(s.Ratio / *r.RelativeSteps))
		nearest += square(math.Log(*near.RelativeSteps / *r.RelativeSteps))
		count++
	}
	if count == 0 {
		return math.Inf(1), math.Inf(1)
	}
	return math.Sqrt(line / count), math.Sqrt(nearest / count)
}

// far is how far rows are apart: those with as many models are nearer than others.
func (r stepsRow) far(o stepsRow) float64 {
	const models = 100 // more than any two H are apart
	return models*math.Abs(math.Log(float64(r.models())/float64(o.models()))) +
		math.Abs(math.Log(float64(r.Every)/float64(o.Every)))
}

func (r stepsRow) steps() Steps {
	how, counted := "Measured with "+r.Name, "steps"
	if r.models() > 1 {
		how = fmt.Sprintf("Measured with %d models, however many nodes each has (%s)", r.models(), r.Name)
	} else if r.Batches > 1 {
		counted = "batches"
	}
	return Steps{Ratio: *r.RelativeSteps, Low: *r.Low, High: *r.High, Rate: r.RateFactor, Parameters: r.Parameters,
		Length: r.Steps * max(1, r.Batches),
		Source: fmt.Sprintf("%s: %.2f to %.2f times the %s of DDP at its best learning rate (AdamW, a GPT of %.1f million "+
			"parameters, %d nodes, %d steps, %d seeds).", how, *r.Low, *r.High, counted, float64(r.Parameters)/1e6,
			r.Nodes+r.Idle, r.Steps, len(r.Each))}
}

// ErrUnmeasured says that no runs with AdamW show how many steps something needs: it is never recommended.
var ErrUnmeasured = errors.New("not measured with AdamW")

// Unmeasured is an error with the reason.
func Unmeasured(why string) error { return fmt.Errorf("%w: %s", ErrUnmeasured, why) }

// unmeasured says what was run instead.
func (a Averaging) unmeasured(some []stepsRow) error {
	if len(some) == 0 {
		return Unmeasured("no runs with three seeds have " + a.what())
	}
	slices.SortFunc(some, func(x, y stepsRow) int { return cmp.Or(x.models()-y.models(), x.Every-y.Every) })
	var have []string
	for k := 0; k < len(some); {
		first := some[k]
		for k++; k < len(some) && some[k].models() == first.models(); k++ {
		}
		text := fmt.Sprintf("%d models with H = %d", first.models(), first.Every)
		if last := some[k-1]; last.Every != first.Every {
			text += fmt.Sprintf(" to %d", last.Every)
		}
		have = append(have, text)
	}
	return Unmeasured(fmt.Sprintf("%s among %d models with H = %d; runs were made of %s", a.what(), a.Models, a.Every,
		strings.Join(have, ", ")))
}

// what names the averages in words.
func (a Averaging) what() string {
	text := a.Process + " averages of parameters" + a.Clocks()
	if a.Bits != 32 {
		text += ", in " + BitsText(a.Bits)
	}
	if a.Pieces {
		text += ", in pieces"
	}
	return text
}

// BitsText is a number of bits in words.
func BitsText(bits int) string {
	if bits == 1 {
		return "1 bit"
	}
	return fmt.Sprintf("%d bits", bits)
}

// Clocks says what there is to the clocks besides H, with a comma before each thing.
func (a Averaging) Clocks() (text string) {
	if a.Delay > 0 {
		text += fmt.Sprintf(", used %d steps late", a.Delay)
	}
	if a.OuterRate > 0 {
		text += fmt.Sprintf(", with an outer optimizer as in DiLoCo (%g, momentum %g)", a.OuterRate, a.OuterMomentum)
	}
	if a.Synchronous > 0 {
		text += fmt.Sprintf(", after a synchronous start of %.0f %% of the steps as in PostLocalSGD", 100*a.Synchronous)
	}
	return text
}

// Without is the table as it would be without a row, to hold it against runs that it has not seen.
func (t *Table) Without(name string) *Table {
	out := &Table{rounding: t.rounding,
		rows: slices.DeleteFunc(slices.Clone(t.rows), func(r stepsRow) bool { return r.Name == name })}
	out.off, _ = out.leaveOut()
	return out
}

// A Row is a way to average with the relative steps of every seed.
type Row struct {
	Name string
	Averaging
	Each []float64
	Idle bool // one group alone, the other nodes do nothing
}

// Plain reports whether parameters are averaged exactly, at once, as they are, from the first step on.
func (r Row) Plain() bool { return r.Like(Averaging{}.Tidy()) }

// All lists what was measured with three seeds.
func (t *Table) All() (out []Row) {
	for _, r := range t.rows {
		m := Row{Name: r.Name, Averaging: r.averaging(), Idle: r.Idle > 0}
		for _, x := range r.Each {
			m.Each = append(m.Each, *x)
		}
		out = append(out, m)
	}
	return out
}

func square(x float64) float64 { return x * x }
