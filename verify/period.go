package verify

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/batopo/batopo/mixing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A deviation is E = product of rounds − J, transposed, so that a round works on contiguous columns.
type deviation struct {
	rounds  []*mixing.Matrix
	columns *mat.Dense
	scratch []float64
	shrinks bool // no round has a negative weight, so none makes ‖E‖ larger
	// noise is how far rounding can have taken E from the true one. Negative weights can make E large on the way and
	// small again, and of what they take off each other nothing but noise may be left. Not kept where E shrinks;
	// periodRate counts it otherwise.
	noise    float64
	products int // of n × n matrices so far
}

// targetNoise is how much rounding may change the error that is compared with the target, as a part of the target.
const targetNoise = 1e-3

// period checks a directed or time-varying plan by the product of one period.
func (k *check) period() {
	arcs := 0.0
	for _, w := range k.matrices {
		arcs += float64(w.Arcs() + w.Nodes())
	}
	if n := k.parties(); n > periodLimit || arcs*float64(n) > mostWork/8 {
		if moduli := k.circulant(k.matrices[0]); moduli != nil && len(k.matrices) == 1 {
			k.rate(radius(moduli))
			k.iterations(radius(moduli), powers(moduli))
			return
		}
		k.probe(fmt.Sprintf("this kind of plan is rechecked for up to %d nodes and %d products of numbers in a period",
			periodLimit, mostWork/8))
		return
	}
	const drowned = "weights of both signs are so large that rounding decides"
	rate := k.periodRate()
	factor := rate.value
	if k.plan.Iterations == 0 && rate.low < 1-neverTolerance && rate.high >= 1-neverTolerance {
		k.unproved("iterations", 0, "rounding decides whether the consensus error shrinks at all")
		return
	}
	if k.plan.Iterations == 0 && rate.low >= 1-neverTolerance {
		// A period that does not shrink everything may do so when it is repeated: W − J need not be normal.
		later := newDeviation(k.matrices)
		rounds := manyRounds*len(k.matrices) + 1
		if later.work(rounds) > 2*mostWork {
			k.unproved("iterations", 0, errTooLarge.Error())
			return
		}
		if _, after := later.around(rounds, k.plan.TargetError); after <= k.plan.TargetError {
			factor = 0
		}
	}
	d := newDeviation(k.matrices)
	before, after, known := d.claimed(k.plan.Iterations, k.plan.TargetError)
	if !known {
		k.unproved("iterations", float64(k.plan.Iterations),
			fmt.Sprintf("this number of rounds of %d nodes is not rechecked", k.parties()))
		return
	}
	if !d.shrinks && !(d.noise <= targetNoise*k.plan.TargetError) {
		k.unproved("iterations", float64(k.plan.Iterations), drowned)
		return
	}
	k.iterations(factor, func(int) (float64, float64) { return before, after })
	if last := &k.report[len(k.report)-1]; last.Claim == fewestClaim && last.Status == OK && !d.shrinks {
		last.Status, last.Detail = Unproved, "negative weights may make the error grow again after it was small enough"
	}
}

// manyRounds is how many periods of a schedule are looked at.
const manyRounds = 1 << 20

func newDeviation(rounds []*mixing.Matrix) *deviation {
	n := rounds[0].Nodes()
	d := &deviation{rounds: rounds, columns: mat.NewDense(n, n, nil), scratch: make([]float64, n), shrinks: true}
	for i := range n {
		d.columns.Set(i, i, 1)
	}
	minusMean(d.columns)
	for _, w := range rounds {
		d.shrinks = d.shrinks && w.Nonnegative()
	}
	return d
}

// centre takes off what rounding adds to the sum of a column, which should be 0 and would never shrink again.
func (d *deviation) centre() {
	for j := range d.scratch {
		column := d.columns.RawRowView(j)
		floats.AddConst(-floats.Sum(column)/float64(len(column)), column)
	}
}

func (d *deviation) apply(w *mixing.Matrix) {
	d.disturb(w)
	for j := range d.scratch {
		column := d.columns.RawRowView(j)
		w.Apply(d.scratch, column)
		copy(column, d.scratch)
	}
	d.centre()
}

// disturb adds what rounding can do to WE. A row of W with m entries gives sums that are off by m + 1 roundings of
// |W||E|, and |W| stretches no vector by more than √(its largest row sum · its largest column sum). Taking off the mean
// rounds n + 2 times more.
func (d *deviation) disturb(w *mixing.Matrix) {
	if d.shrinks {
		return
	}
	rows, entries := 0.0, 0
	columns := make([]float64, w.Nodes())
	for i, self := range w.Self() {
		from, weight := w.Row(i)
		sum := math.Abs(self)
		columns[i] += sum
		for t, j := range from {
			sum += math.Abs(weight[t])
			columns[j] += math.Abs(weight[t])
		}
		rows, entries = max(rows, sum), max(entries, len(from))
	}
	stretch := math.Sqrt(rows * floats.Max(columns))
	d.noise = stretch * (d.noise + unitRoundoff*float64(entries+w.Nodes()+4)*(d.size()+d.noise))
}

// times multiplies by the E of other rounds, which is off by some noise.
func (d *deviation) times(other *mat.Dense, noise float64) {
	if !d.shrinks {
		a, b := d.size()+d.noise, floats.Norm(other.RawMatrix().Data, 2)+noise
		d.noise = d.noise*b + a*noise + unitRoundoff*float64(2*len(d.scratch)+4)*a*b
	}
	d.products++
	var product mat.Dense
	product.Mul(d.columns, other)
	d.columns = &product
	d.centre()
}

func (d *deviation) size() float64 { return floats.Norm(d.columns.RawMatrix().Data, 2) }

// claimed returns ‖E‖_F just before the last of count rounds and after it. Of more rounds than a plan is ever made with
// it only knows whether they are too many: an edited plan may claim 2⁶², and every doubling costs two products of n × n
// matrices.
func (d *deviation) claimed(count int, target float64) (before, after float64, known bool) {
	switch most := d.mostRounds(); {
	case count <= 0:
		return 0, 0, true
	case d.work(min(count, most)) > 2*mostWork:
		return 0, 0, false
	case count > most:
		_, after := d.around(most, target)
		return after, after, d.shrinks && after <= target
	}
	before, after = d.around(count, target)
	return before, after, true
}

// work is how many multiplications around takes: squares of n × n matrices, and products for the ones among the bits.
func (d *deviation) work(count int) float64 {
	periods, n, arcs := uint(count-1)/uint(len(d.rounds)), float64(len(d.scratch)), 0.0
	for _, w := range d.rounds {
		arcs += float64(w.Arcs() + w.Nodes())
	}
	if periods == 0 {
		return arcs * n
	}
	products, passes := bits.Len(periods)-1, 2.0
	if len(d.rounds) == 1 {
		passes += float64(bits.OnesCount(periods))
	} else {
		products += bits.OnesCount(periods) - 1
	}
	return float64(products)*n*n*n + passes*arcs*n
}

// mostRounds is how many rounds are looked at, some more than mixing ever counts: forty products of matrices.
func (d *deviation) mostRounds() int {
	if len(d.rounds) == 1 {
		return 1 << 41 // squares, and a round costs little
	}
	return manyRounds * len(d.rounds)
}

// around returns ‖E‖_F after count − 1 rounds and after count, by squaring periods, not one by one: an edited plan may
// claim any number. It ends early where the error is far below the target and can only fall.
func (d *deviation) around(count int, target float64) (before, after float64) {
	periods, rest := (count-1)/len(d.rounds), (count-1)%len(d.rounds)
	var one *mat.Dense // E of one period
	oneNoise := 0.0
	for bit := bits.Len(uint(periods)) - 1; bit >= 0; bit-- {
		if one == nil {
			for _, w := range d.rounds {
				d.apply(w)
			}
			one, oneNoise = mat.DenseCopyOf(d.columns), d.noise
		} else {
			d.times(d.columns, d.noise)
			switch {
			case periods>>bit&1 == 0:
			case len(d.rounds) == 1:
				d.apply(d.rounds[0])
			default:
				d.times(one, oneNoise)
			}
		}
		if left := d.size(); d.shrinks && left < target/2 || left == 0 || math.IsNaN(left) || math.IsInf(left, 0) {
			return left, left
		}
	}
	for _, w := range d.rounds[:rest] {
		d.apply(w)
	}
	before = d.size()
	d.apply(d.rounds[rest])
	return before, d.size()
}
