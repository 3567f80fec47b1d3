package train

import (
	"bytes"
	"encoding/binary"
	"testing"
)

func idxFile(magic uint32, data []byte, dims ...uint32) []byte {
	b := binary.BigEndian.AppendUint32(nil, magic)
	for _, d := range dims {
		b = binary.BigEndian.AppendUint32(b, d)
	}
	return append(b, data...)
}

// Whatever the bytes: an error, or as many pixels as the header says.
func FuzzIDX(f *testing.F) {
	f.Add(idxFile(idxImages, []byte{1, 2, 3, 4, 5, 6}, 1, 2, 3))
	f.Add(idxFile(idxImages, nil, 1<<31, 1<<31, 1<<31))
	f.Add(idxFile(idxLabels, []byte{1, 2}, 2))
	f.Fuzz(func(t *testing.T, b []byte) {
		if pixels, size, err := readIDXImages(bytes.NewReader(b)); err == nil {
			if len(pixels) != len(b)-16 || size < 1 || len(pixels)%size != 0 {
				t.Errorf("%d pixels in images of %d from %d bytes", len(pixels), size, len(b))
			}
		}
		if labels, err := readIDXLabels(bytes.NewReader(b)); err == nil && len(labels) != len(b)-8 {
			t.Errorf("%d labels from %d bytes", len(labels), len(b))
		}
	})
}
