package verify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/verify"

	"gonum.org/v1/gonum/mat"
)

// A court counts what becomes of forged claims whose truth is known beforehand. A false one that passes and a true one
// that is refused are errors; what is not proved is neither.
type court struct {
	t                          *testing.T
	rng                        *rand.Rand
	refused, unproved, upright int // false claims; true ones that were not refused
}

func newCourt(t *testing.T, seed uint64) *court {
	return &court{t: t, rng: rand.New(rand.NewPCG(seed, 10000))}
}

// trials is how many claims a test forges: a tenth of them where tests are to be quick.
func trials(all int) int {
	if testing.Short() {
		return all / 10
	}
	return all
}

// judge checks a plan that makes one false claim among true ones, or none.
func (c *court) judge(p *design.Plan, claim string, truth bool, what string, args ...any) {
	c.t.Helper()
	report, err := verify.Check(context.Background(), p)
	status := verify.OK
	for _, f := range report {
		if f.Claim == claim && f.Status == verify.Unproved {
			status = verify.Unproved
		}
	}
	if err != nil || report.Err() != nil {
		status = verify.False
	}
	switch {
	case truth && status == verify.False:
		c.t.Errorf("true, and refused: "+what+": %v %v", append(args, err, report.Err())...)
	case truth:
		c.upright++
	case status == verify.False:
		c.refused++
	case status == verify.Unproved:
		c.unproved++
	default:
		c.t.Errorf("false, and accepted: "+what, args...)
	}
}

func (c *court) close(least int) {
	c.t.Logf("%d claims: %d false ones refused, %d not proved, none accepted; %d true ones, none refused",
		c.refused+c.unproved+c.upright, c.refused, c.unproved, c.upright)
	if c.refused+c.unproved+c.upright < least {
		c.t.Errorf("fewer than %d claims", least)
	}
}

// between draws from an interval, now and then its ends.
func (c *court) between(low, high float64) float64 {
	switch c.rng.IntN(8) {
	case 0:
		return low
	case 1:
		return high
	}
	return low + (high-low)*c.rng.Float64()
}

// edge draws a number at an edge of float64, or near v.
func (c *court) edge(v float64) float64 {
	extremes := []float64{0, math.Copysign(0, -1), 5e-324, -5e-324, 0x1p-1022, 1e-300, 1e-17, 1e-9, 1, -1, 1 << 53, 1e300,
		math.MaxFloat64, -math.MaxFloat64, -v, 2 * v, v / 2, v + 1, v - 1}
	switch c.rng.IntN(4) {
	case 0:
		return extremes[c.rng.IntN(len(extremes))]
	case 1:
		return math.Nextafter(v, extremes[c.rng.IntN(len(extremes))])
	}
	return v + (1+math.Abs(v))*math.Copysign(math.Pow(10, -16*c.rng.Float64()), c.rng.NormFloat64())
}

// tolerances are how far a claim may be from the truth, by the last word of its path: absolute for what is at most 1
// in size, relative for others, none for counts.
var tolerances = map[string]func(v float64) float64{
	"r_asym": absolute, "lambda_2": absolute, "lambda_n": absolute, "min_edge_gb_s": relative, "communication_ms": relative,
	"compute_ms": relative, "time_ms": relative, "round_ms": relative, "max_degree": none, "iterations": none,
	"gap": beyondOne, "degree_gap": beyondOne,
}

func absolute(v float64) float64  { return design.ClaimTolerance * max(1, math.Abs(v)) }
func relative(v float64) float64  { return design.ClaimTolerance * math.Abs(v) }
func beyondOne(v float64) float64 { return design.ClaimTolerance * (1 + v) }
func none(float64) float64        { return 0 }

// Numbers of all kinds of plans are replaced by others, many of them at the edges of float64.
func TestForgedNumbers(t *testing.T) {
	c := newCourt(t, 1)
	all := claimingPlans(t)
	maps.Copy(all, otherKinds(t))
	names := slices.Sorted(maps.Keys(all))
	type number struct {
		set       func(float64)
		path      string
		value     float64
		tolerance func(float64) float64
	}
	trees, numbers := map[string]any{}, map[string][]number{}
	for _, name := range names {
		var tree any
		if err := json.Unmarshal(written(t, all[name]), &tree); err != nil {
			t.Fatal(err)
		}
		trees[name] = tree
		eachNumber("", tree, func(path string, value float64, set func(float64)) {
			last, _, _ := strings.Cut(path[strings.LastIndex(path, ".")+1:], "[")
			if allowed := tolerances[last]; allowed != nil && strings.Count(path, ".") == 2 && strings.HasPrefix(path, ".claims.") {
				numbers[name] = append(numbers[name], number{set, path, value, allowed})
			}
		})
		slices.SortFunc(numbers[name], func(a, b number) int { return strings.Compare(a.path, b.path) })
	}
	for count := trials(4500); c.refused+c.unproved+c.upright < count; {
		name := names[c.rng.IntN(len(names))]
		n := numbers[name][c.rng.IntN(len(numbers[name]))]
		forged, off := c.edge(n.value), 0.0
		allowed := n.tolerance(n.value)
		if off = math.Abs(forged - n.value); off > allowed/2 && off <= 4*allowed {
			continue // rounding of the true value decides
		}
		n.set(forged)
		text, err := json.Marshal(trees[name])
		n.set(n.value)
		if err != nil {
			t.Fatal(err)
		}
		p, err := design.ReadPlan(name, bytes.NewReader(text))
		if err != nil {
			if c.refused++; off <= allowed/2 {
				t.Errorf("%s: %s %v for %v is not read: %v", name, n.path, forged, n.value, err)
			}
			continue
		}
		c.judge(p, strings.TrimPrefix(n.path, ".claims."), off <= allowed/2, "%s: %s is %v, forged %v", name, n.path, n.value,
			forged)
	}
	c.close(trials(4500))
}

// lazier is the plan with all weights smaller by a factor, which makes it slower: bounds above the value of the first
// are false and do not contradict the second.
func lazier(t *testing.T, p *design.Plan, factor float64) *design.Plan {
	t.Helper()
	m, err := p.Matrices()
	if err != nil {
		t.Fatal(err)
	}
	edges, weight := m[0].Edges()
	for k := range weight {
		weight[k] *= factor
	}
	g, err := topology.New(p.Nodes, edges)
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.FromEdges(g, weight)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cluster.New(p.Cluster)
	if err != nil {
		t.Fatal(err)
	}
	spectrum, err := w.Spectrum(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	q, err := design.NewPlan(t.Context(), c, w, spectrum)
	if err != nil {
		t.Fatal(err)
	}
	q.Question, q.Lift = p.Question, p.Lift
	if report, err := verify.Check(t.Context(), q); err != nil || report.Err() != nil {
		t.Fatalf("nothing is forged yet: %v %v", err, report.Err())
	}
	return q
}

// twisted is a certificate of other numbers: scaled, swapped, thinned out, or made of noise.
func (c *court) twisted(from *design.Certificate) *design.Certificate {
	text, err := json.Marshal(from)
	if err != nil {
		c.t.Fatal(err)
	}
	to := new(design.Certificate)
	if err := json.Unmarshal(text, to); err != nil {
		c.t.Fatal(err)
	}
	for range 1 + c.rng.IntN(3) {
		columns := [2]*[]design.Column{&to.Upper, &to.Lower}[c.rng.IntN(2)]
		scale := math.Exp2(float64(c.rng.IntN(1200) - 600))
		switch c.rng.IntN(7) {
		case 0:
			to.Upper, to.Lower = to.Lower, to.Upper
		case 1:
			for k := range to.Prices {
				to.Prices[k] *= c.between(0, 1)
			}
		case 2:
			for _, f := range *columns {
				for a := range f.Re {
					f.Re[a] *= scale
				}
			}
		case 3:
			for _, f := range *columns {
				f.Re[c.rng.IntN(len(f.Re))] = c.edge(f.Re[0])
			}
		case 4:
			*columns = append(*columns, design.Column{Re: slices.Repeat([]float64{scale}, to.Orbits)})
		case 5:
			clear(to.Prices)
		case 6:
			*columns = (*columns)[:c.rng.IntN(len(*columns)+1)]
		}
	}
	return to
}

// scaled is the same certificate in other units.
func scaled(from *design.Certificate, power int) *design.Certificate {
	to := *from
	to.Upper, to.Lower, to.Prices = nil, nil, nil
	column := func(f design.Column) design.Column {
		out := design.Column{Block: f.Block}
		for _, v := range f.Re {
			out.Re = append(out.Re, math.Ldexp(v, power))
		}
		for _, v := range f.Im {
			out.Im = append(out.Im, math.Ldexp(v, power))
		}
		return out
	}
	for _, f := range from.Upper {
		to.Upper = append(to.Upper, column(f))
	}
	for _, f := range from.Lower {
		to.Lower = append(to.Lower, column(f))
	}
	for _, q := range from.Prices {
		to.Prices = append(to.Prices, math.Ldexp(q, 2*power))
	}
	return &to
}

// Certificates of all settings are twisted and say more than the best weights achieve; scaled they say what they did.
func TestForgedCertificates(t *testing.T) {
	c := newCourt(t, 2)
	all := certifiedPlans(t)
	names := slices.Sorted(maps.Keys(all))
	for range trials(2500) {
		name := names[c.rng.IntN(len(names))]
		best := all[name]
		_, value := best.Quality()
		p := lazier(t, best, 0.5+0.4*c.rng.Float64())
		_, own := p.Quality()
		if c.rng.IntN(4) == 0 {
			claim := best.WeightsBound.RAsym - c.between(0, 0.3)
			p.WeightsBound = &design.WeightBound{RAsym: claim, Certificate: scaled(best.WeightsBound.Certificate,
				c.rng.IntN(400)-200)}
			c.judge(p, "weights_bound", true, "%s: %v of %v", name, claim, best.WeightsBound.RAsym)
			continue
		}
		claim := c.between(value+1e-7, own)
		p.WeightsBound = &design.WeightBound{RAsym: claim, Certificate: c.twisted(best.WeightsBound.Certificate)}
		c.judge(p, "weights_bound", false, "%s: %v where %v is best: %+v", name, claim, value, p.WeightsBound.Certificate)
	}
	c.close(trials(2500))
}

// Arguments with any numbers of their own claim more than a graph within the limits achieves.
func TestForgedArguments(t *testing.T) {
	c := newCourt(t, 3)
	all := map[string]*design.Plan{}
	for name, p := range boundedPlans(t) {
		if p.MaxEdges > 0 && p.Bound != nil && p.Static() {
			all[name] = p
		}
	}
	names := slices.Sorted(maps.Keys(all))
	kinds := []design.BoundKind{design.CompleteBound, design.TreeBound, design.RingBound, design.CutBound,
		design.GatewayBound, design.BallBound, design.TwoStepBound, design.WalkBound, design.CertificateBound, "", "other"}
	for range trials(1500) {
		name := names[c.rng.IntN(len(names))]
		honest := all[name]
		_, value := honest.Quality()
		p := lazier(t, honest, 0.3+0.6*c.rng.Float64())
		if _, own := p.Quality(); own > value+1e-6 {
			b := *honest.Bound
			if c.rng.IntN(4) == 0 {
				b.RAsym -= c.between(0, b.RAsym)
				p.SetBound(&b)
				c.judge(p, "bound", true, "%s: %+v where %v is proved", name, b, honest.Bound.RAsym)
				continue
			}
			if c.rng.IntN(2) == 0 {
				b.Kind, b.Order = kinds[c.rng.IntN(len(kinds))], c.rng.IntN(6)
			}
			for _, free := range []*float64{&b.Gamma, &b.Eta, &b.Theta, &b.Tau, &b.Alpha, &b.Beta} {
				if *free != 0 || c.rng.IntN(3) == 0 {
					*free = c.edge(*free)
				}
			}
			b.RAsym = c.between(value+1e-6, own)
			p.SetBound(&b)
			c.judge(p, "bound", false, "%s: %+v where %v is achieved", name, b, value)
		}
	}
	c.close(trials(1400))
}

// periodTruth is r_asym of a period by a product without any rounding. Self weights are what rows leave.
func periodTruth(rounds []*mixing.Matrix) float64 {
	const bits = 6000
	n := rounds[0].Nodes()
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }
	product := make([][]*big.Float, n)
	for i := range product {
		for j := range n {
			v := number(0)
			if i == j {
				v = number(1)
			}
			product[i] = append(product[i], v)
		}
	}
	for _, w := range rounds {
		next := make([][]*big.Float, n)
		for i := range next {
			from, weight := w.Row(i)
			for j := range n {
				sum := number(0).Set(product[i][j])
				for t, k := range from {
					apart := number(0).Sub(product[k][j], product[i][j])
					sum.Add(sum, apart.Mul(apart, number(weight[t])))
				}
				next[i] = append(next[i], sum)
			}
		}
		product = next
	}
	mean := number(1)
	mean.Quo(mean, number(float64(n)))
	largest := math.MinInt
	for _, row := range product {
		for _, v := range row {
			if v.Sub(v, mean); v.Sign() != 0 && v.MantExp(nil) > -bits/2 {
				largest = max(largest, v.MantExp(nil))
			}
		}
	}
	if largest == math.MinInt {
		return 0
	}
	e := mat.NewDense(n, n, nil)
	for i, row := range product {
		for j, v := range row {
			f, _ := v.SetMantExp(v, -largest).Float64()
			e.Set(i, j, f)
		}
	}
	var svd mat.SVD
	svd.Factorize(e, mat.SVDNone)
	return math.Exp((math.Log(svd.Values(nil)[0]) + float64(largest)*math.Ln2) / float64(len(rounds)))
}

// nearly draws a period of rounds that join pairs, by halves, by halves less some bits, or hardly.
func (c *court) nearly() *mixing.Schedule {
	n := 2 + c.rng.IntN(5)
	s := &mixing.Schedule{Name: "nearly"}
	for range 1 + c.rng.IntN(24) {
		var arcs []mixing.Arc
		order := c.rng.Perm(n)
		weight := 0.5
		switch c.rng.IntN(4) {
		case 0:
			weight -= math.Exp2(-float64(2 + c.rng.IntN(40)))
		case 1:
			weight = math.Exp2(-float64(1 + c.rng.IntN(30)))
		case 2:
			weight = c.rng.Float64()
		}
		for k := 0; k+1 < n; k += 2 {
			i, j := order[k], order[k+1]
			arcs = append(arcs, mixing.Arc{From: i, To: j, Weight: weight}, mixing.Arc{From: j, To: i, Weight: weight})
		}
		w, err := mixing.FromArcs(n, arcs)
		if err != nil {
			c.t.Fatal(err)
		}
		s.Rounds = append(s.Rounds, w)
	}
	return s
}

// Periods that are exact, nearly exact and not at all claim the truth and other numbers.
func TestForgedPeriods(t *testing.T) {
	c := newCourt(t, 5)
	for range trials(900) {
		s := c.nearly()
		if s.Static() {
			continue
		}
		truth := periodTruth(s.Rounds)
		p, err := design.NewSchedulePlan(t.Context(), hardware(t, s.Nodes()), s)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(p.RAsym-truth) <= design.ClaimTolerance/2 { // the solver does not see what drowns in float64
			c.judge(p, "r_asym", true, "%d rounds of %d nodes: the solver's, true is %v", len(s.Rounds), s.Nodes(), truth)
		}
		p.RAsym = truth
		c.judge(p, "r_asym", true, "%d rounds of %d nodes: the truth, %v", len(s.Rounds), s.Nodes(), truth)
		// What leaves as little as weights that are off by their last bit is exact up to rounding, and 0 is true too.
		rounded := math.Pow(truth, float64(len(s.Rounds))) < 0x1p-44
		if p.RAsym = c.edge(truth) * float64(c.rng.IntN(3)); math.Abs(p.RAsym-truth) > 1e-8 && !(rounded && p.RAsym < 1e-8) {
			c.judge(p, "r_asym", false, "%d rounds of %d nodes: %v, true is %v", len(s.Rounds), s.Nodes(), p.RAsym, truth)
		}
	}
	c.close(trials(1800))
}
