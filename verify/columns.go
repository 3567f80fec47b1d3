package verify

import (
	"errors"
	"math"

	"github.com/batopo/batopo/design"
)

const (
	// unitRoundoff is the most by which one operation on float64 rounds, as a part of its result.
	unitRoundoff = 0x1p-53
	// twiddle is how far a root of unity from the table can be from the true one, in units of roundoff: its angle,
	// below 2π, is off by three roundings, sine and cosine by one or two more. A product with it adds three.
	twiddle = 32
	// leastShare is the part of Σ‖u‖² that must be left once the mean is taken off a certificate's columns.
	leastShare = 1e-6
)

// unitColumns evaluates columns divided by a power of two, so that the largest entry is between ½ and 1 and nothing
// overflows. Scaling the whole certificate keeps it valid, even where its smallest numbers underflow.
type unitColumns struct {
	c        *design.Certificate
	exponent int          // entries are divided by 2^exponent, prices by its square
	roots    []complex128 // ω^0 … ω^(Size−1)
}

func unit(c *design.Certificate) (unitColumns, error) {
	largest := 0.0
	for _, columns := range [2][]design.Column{c.Upper, c.Lower} {
		for _, f := range columns {
			for _, part := range [2][]float64{f.Re, f.Im} {
				for _, v := range part {
					largest = max(largest, math.Abs(v))
				}
			}
		}
	}
	if largest == 0 {
		return unitColumns{}, errors.New("all its columns are 0, so nothing is proved")
	}
	u := unitColumns{c: c, roots: make([]complex128, c.Size)}
	_, u.exponent = math.Frexp(largest)
	for k := range u.roots {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(c.Size))
		u.roots[k] = complex(cos, sin)
	}
	return u, nil
}

func (u unitColumns) price(q float64) float64 { return math.Ldexp(q, -2*u.exponent) }

// An edgeClass is a set of edges that join (a, x) and (b, x+shift) for some x.
type edgeClass struct{ a, b, shift, count int }

func classify(c *design.Certificate, edges []design.PlanEdge) []edgeClass {
	var classes []edgeClass
	if c.Size > 1 {
		known := map[edgeClass]int{}
		for _, e := range edges {
			key := edgeClass{a: e.I / c.Size, b: e.J / c.Size, shift: ((e.J-e.I)%c.Size + c.Size) % c.Size}
			at, ok := known[key]
			if !ok {
				at, known[key] = len(classes), len(classes)
				classes = append(classes, key)
			}
			classes[at].count++
		}
		return classes
	}
	for _, e := range edges {
		classes = append(classes, edgeClass{a: e.I, b: e.J, count: 1})
	}
	return classes
}

// side is Σ over the columns of Y₁ or Y₂.
type side struct {
	trace  measured   // on the complement of the all-ones vector
	length float64    // Σ‖u‖², all-ones vector included
	onEdge []measured // Σ |u_i − u_j|² for every class of edges
}

// side adds up columns. All terms are squares, so nothing cancels, and every sum is known to a relative accuracy.
func (u unitColumns) side(columns []design.Column, classes []edgeClass) side {
	s := side{onEdge: make([]measured, len(classes))}
	orbits, size := u.c.Orbits, float64(u.c.Size)
	f := make([]complex128, orbits)
	twisted := 0.0 // Σ max|f|² over the columns whose entries meet roots of unity
	for _, column := range columns {
		largest, length := u.load(f, column)
		s.length += length
		if column.Block == 0 {
			// Centred before squaring. A mean that is a little off adds orbits·|error|².
			off := unitRoundoff * float64(orbits+2) * largest
			s.trace.value += centred(f)
			s.trace.err += float64(orbits) * off * off
		} else {
			s.trace.value += length // Σ_x ω^{jx} = 0: there is no mean
			twisted += largest * largest
		}
		for k, c := range classes {
			z := f[c.a] - f[c.b]
			if column.Block != 0 {
				z = f[c.a] - f[c.b]*u.roots[column.Block*c.shift%u.c.Size]
			}
			s.onEdge[k].value += square(z)
		}
	}
	terms := float64(len(columns))
	s.trace.err += unitRoundoff * (terms + float64(orbits) + 8) * s.trace.value
	for k := range s.onEdge {
		e := &s.onEdge[k]
		// |z| ≤ 2 max|f| is off by at most twiddle·2 max|f|, so |z|² by four times as much; squares again for terms of second
		// order.
		e.err = unitRoundoff * ((terms+8)*e.value + 9*twiddle*twisted)
		e.value, e.err = e.value/size, e.err/size
	}
	return s
}

// load puts a column into f and returns its largest |f_a| and Σ|f_a|².
func (u unitColumns) load(f []complex128, column design.Column) (largest, length float64) {
	for a := range f {
		re, im := math.Ldexp(column.Re[a], -u.exponent), 0.0
		if len(column.Im) > 0 {
			im = math.Ldexp(column.Im[a], -u.exponent)
		}
		f[a] = complex(re, im)
		largest = max(largest, math.Hypot(re, im))
		length += square(f[a])
	}
	return largest, length
}

// centred is Σ|f_a − mean|².
func centred(f []complex128) float64 {
	var mean complex128
	for _, v := range f {
		mean += v
	}
	mean /= complex(float64(len(f)), 0)
	sum := 0.0
	for _, v := range f {
		sum += square(v - mean)
	}
	return sum
}

func square(z complex128) float64 { return real(z)*real(z) + imag(z)*imag(z) }

// measured is a number that arithmetic gave and how far the true one can be from it.
type measured struct{ value, err float64 }

func (m measured) plus(o measured) measured  { return sum(m, o.value, o.err) }
func (m measured) minus(o measured) measured { return sum(m, -o.value, o.err) }

func sum(m measured, value, err float64) measured {
	return measured{m.value + value, (m.err + err + unitRoundoff*math.Abs(m.value+value)) * (1 + 4*unitRoundoff)}
}

func (m measured) times(factor float64) measured {
	v := m.value * factor
	return measured{v, (m.err*math.Abs(factor) + 4*unitRoundoff*math.Abs(v)) * (1 + 4*unitRoundoff)}
}

// over is no more than the true quotient; −∞ where the divisor may not be positive, or where the quotient is
// above 1, which W = I shows that no bound can be.
func (m measured) over(divisor measured) float64 {
	low, high := divisor.value-divisor.err, divisor.value+divisor.err
	least := m.value - m.err
	if !(low > 0) {
		return math.Inf(-1)
	}
	value := min(least/low, least/high)
	value -= 8 * unitRoundoff * math.Abs(value)
	if !(value <= 1) {
		return math.Inf(-1)
	}
	return value
}
