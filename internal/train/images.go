package train

import (
	"fmt"
	"slices"

	"github.com/batopo/batopo/internal/ground/limits"
)

// Images are labelled pictures; pixels are bytes, and a model sees Scale times their values.
type Images struct {
	Size   int    // bytes of one image
	Pixels []byte // one image after the other
	Labels []byte // 0, 1, 2, …
	Scale  float64
}

// Count returns how many images there are.
func (m *Images) Count() int { return len(m.Labels) }

// Data is what models learn from and what they are tested on.
type Data struct {
	Name        string
	Train, Test *Images
	Classes     int
}

// newData makes sure that both parts fit together.
func newData(name string, train, test *Images) (Data, error) {
	d := Data{Name: name, Train: train, Test: test}
	for _, part := range []struct {
		name string
		*Images
	}{{"training", train}, {"test", test}} {
		switch n := part.Count(); {
		case n < 1 || n > limits.Images:
			return d, fmt.Errorf("%d %s images; there must be 1 to %d", n, part.name, limits.Images)
		case part.Size < 1 || part.Size > limits.ImageBytes:
			return d, fmt.Errorf("%s images have %d bytes; they must have 1 to %d", part.name, part.Size, limits.ImageBytes)
		case len(part.Pixels) != n*part.Size:
			return d, fmt.Errorf("%d labels for %d %s images; there must be one for each",
				n, len(part.Pixels)/part.Size, part.name)
		}
	}
	d.Classes = int(slices.Max(train.Labels)) + 1
	switch {
	case train.Size != test.Size:
		return d, fmt.Errorf("training images have %d bytes, test images %d; they must be of one size",
			train.Size, test.Size)
	case d.Classes < 2:
		return d, fmt.Errorf("all training images are of one class; there must be at least 2 classes")
	case int(slices.Max(test.Labels)) >= d.Classes:
		return d, fmt.Errorf("a test label is %d; the training labels go from 0 to %d",
			slices.Max(test.Labels), d.Classes-1)
	}
	return d, nil
}
