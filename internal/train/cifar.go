package train

import (
	"fmt"
	"io"

	"github.com/batopo/batopo/internal/ground/limits"
)

// Binary files of CIFAR are records of labels and 3 × 32 × 32 bytes: one label in CIFAR-10, a coarse and a fine one in
// CIFAR-100, where the fine one counts.
const cifarSize = 3 * 32 * 32

// readCIFAR appends the images of a file that has been unpacked; labels is how many a record has, classes how many
// there are.
func (m *Images) readCIFAR(r io.Reader, labels, classes int) error {
	all, err := limits.ReadAll(r, limits.DataBytes, "a file of images")
	if err != nil {
		return err
	}
	record := labels + cifarSize
	switch count := len(all) / record; {
	case len(all)%record != 0 || count == 0:
		return fmt.Errorf("%d bytes; there must be a positive number of records of %d bytes", len(all), record)
	case m.Count()+count > limits.Images || len(m.Pixels)+len(all) > limits.DataBytes:
		return fmt.Errorf("%d images and more in other files; there may be %d in %d MiB",
			count, limits.Images, limits.DataBytes>>20)
	}
	for k := 0; len(all) > 0; k++ {
		label := all[labels-1]
		if int(label) >= classes {
			return fmt.Errorf("image %d: label %d; there are %d classes", k, label, classes)
		}
		m.Labels = append(m.Labels, label)
		m.Pixels = append(m.Pixels, all[labels:record]...)
		all = all[record:]
	}
	return nil
}
