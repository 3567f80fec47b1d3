package train

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

// Optical Recognition of Handwritten Digits, E. Alpaydin and C. Kaynak (1998), UCI Machine Learning Repository,
// doi:10.24432/C50P49, CC BY 4.0; digits/README.md says what the file holds.
//
//go:embed digits/digits.gz
var packedDigits []byte

const (
	digitCount = 1797
	digitSize  = 8 * 8
	digitScale = 1.0 / 16
	digitTest  = 5 // every fifth image is for the test: writers follow each other, and each should be on both sides
)

// Digits returns 1797 handwritten digits of 8×8 pixels: 1437 to learn from, 360 to be tested on.
func Digits() Data {
	in, err := gzip.NewReader(bytes.NewReader(packedDigits))
	if err != nil {
		panic(err) // the file is part of the program
	}
	all, err := io.ReadAll(in)
	if err != nil {
		panic(err)
	}
	labels, pixels := all[:digitCount], all[digitCount:]
	train, test := &Images{Size: digitSize, Scale: digitScale}, &Images{Size: digitSize, Scale: digitScale}
	for k, label := range labels {
		part := train
		if k%digitTest == 0 {
			part = test
		}
		part.Labels = append(part.Labels, label)
		part.Pixels = append(part.Pixels, pixels[k*digitSize:(k+1)*digitSize]...)
	}
	data, err := newData("digits", train, test)
	if err != nil {
		panic(err)
	}
	return data
}
