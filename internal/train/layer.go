package train

import "gonum.org/v1/gonum/floats"

// A layer is dense: out = in·W + bias. Its parameters are W by rows of inputs, then the bias. Kernels go through W
// once and through the batch in their inner loop, so that a row of W is read from memory once; inputs that are 0,
// half of those of a picture and of a rectified layer, cost nothing.
type layer struct {
	in, out int
	at      int // its first parameter
}

func (l layer) size() int { return (l.in + 1) * l.out }

// row returns the weights of input k, or the bias for k = l.in.
func (l layer) row(x []float64, k int) []float64 { return x[l.at+k*l.out : l.at+(k+1)*l.out] }

// forward computes the outputs of count rows of inputs.
func (l layer) forward(dst, x, input []float64, count int) {
	bias := l.row(x, l.in)
	for b := range count {
		copy(dst[b*l.out:(b+1)*l.out], bias)
	}
	for k := range l.in {
		w := l.row(x, k)
		for b := range count {
			if v := input[b*l.in+k]; v != 0 {
				floats.AddScaled(dst[b*l.out:(b+1)*l.out], v, w)
			}
		}
	}
}

// backward turns delta, the derivative of the loss by the outputs, into the gradient of the layer's parameters and,
// where back is not nil, into the derivative by the inputs of a rectified layer below.
func (l layer) backward(gradient, back, x, input, delta []float64, count int) {
	bias := l.row(gradient, l.in)
	clear(bias)
	for b := range count {
		floats.Add(bias, delta[b*l.out:(b+1)*l.out])
	}
	for k := range l.in {
		g := l.row(gradient, k)
		clear(g)
		for b := range count {
			v := input[b*l.in+k]
			if v == 0 {
				if back != nil {
					back[b*l.in+k] = 0
				}
				continue
			}
			d := delta[b*l.out : (b+1)*l.out]
			floats.AddScaled(g, v, d)
			if back != nil {
				back[b*l.in+k] = floats.Dot(l.row(x, k), d)
			}
		}
	}
}

// rectify sets what is negative to 0.
func rectify(v []float64) {
	for k, a := range v {
		if !(a > 0) {
			v[k] = 0
		}
	}
}
