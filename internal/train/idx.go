package train

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/batopo/batopo/internal/ground/limits"
)

// The idx format of MNIST: two zero bytes, the type of the numbers (8: bytes), the number of dimensions, each
// dimension as a big-endian uint32, then the numbers. Images have 3 dimensions, labels 1.
const (
	idxImages = 0x0803
	idxLabels = 0x0801
	byteScale = 1.0 / math.MaxUint8
)

// readIDXImages reads images of an idx file that has been unpacked.
func readIDXImages(r io.Reader) (pixels []byte, size int, err error) {
	dims, err := readIDXHeader(r, idxImages, 3)
	if err != nil {
		return nil, 0, err
	}
	count, rows, columns := dims[0], dims[1], dims[2]
	switch {
	case rows < 1 || columns < 1 || rows > limits.ImageBytes/columns:
		return nil, 0, fmt.Errorf("images of %d × %d pixels; there must be 1 to %d pixels",
			rows, columns, limits.ImageBytes)
	case count < 1 || count > limits.Images || count > limits.DataBytes/(rows*columns):
		return nil, 0, fmt.Errorf("%d images of %d × %d pixels; there must be at least one, and at most %d in %d MiB",
			count, rows, columns, limits.Images, limits.DataBytes>>20)
	}
	pixels, err = readExactly(r, count*rows*columns)
	return pixels, rows * columns, err
}

// readIDXLabels reads labels of an idx file that has been unpacked.
func readIDXLabels(r io.Reader) ([]byte, error) {
	dims, err := readIDXHeader(r, idxLabels, 1)
	if err != nil {
		return nil, err
	}
	if dims[0] < 1 || dims[0] > limits.Images {
		return nil, fmt.Errorf("%d labels; there must be 1 to %d", dims[0], limits.Images)
	}
	return readExactly(r, dims[0])
}

func readIDXHeader(r io.Reader, magic uint32, dimensions int) ([]int, error) {
	header := make([]byte, 4*(1+dimensions))
	if n, err := io.ReadFull(r, header); err != nil {
		return nil, fmt.Errorf("ends after %d bytes; the header of this idx file has %d", n, len(header))
	}
	if got := binary.BigEndian.Uint32(header); got != magic {
		return nil, fmt.Errorf("begins with the number 0x%08x; this idx file must begin with 0x%08x", got, magic)
	}
	dims := make([]int, dimensions)
	for k := range dims {
		dims[k] = int(binary.BigEndian.Uint32(header[4*(k+1):]))
	}
	return dims, nil
}

// readExactly reads size bytes, after which nothing may follow. Memory grows with what is really there, so that a
// header cannot ask for more than the file has.
func readExactly(r io.Reader, size int) ([]byte, error) {
	var b bytes.Buffer
	n, err := io.Copy(&b, io.LimitReader(r, int64(size)+1))
	switch {
	case err != nil:
		return nil, err
	case n < int64(size):
		return nil, fmt.Errorf("%d bytes of data where the header promises %d; the file is cut off", n, size)
	case n > int64(size):
		return nil, fmt.Errorf("more than the %d bytes of data that the header promises", size)
	}
	return b.Bytes(), nil
}
