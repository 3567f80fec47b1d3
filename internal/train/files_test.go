package train_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/train"
)

// idx is a file of the format with these dimensions and data.
func idx(magic uint32, data []byte, dims ...uint32) []byte {
	b := binary.BigEndian.AppendUint32(nil, magic)
	for _, d := range dims {
		b = binary.BigEndian.AppendUint32(b, d)
	}
	return append(b, data...)
}

func packed(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b) // a buffer takes everything
	_ = w.Close()
	return out.Bytes()
}

func folder(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tinyMNIST is two training images and one test image of 2 × 3 pixels.
func tinyMNIST() map[string][]byte {
	return map[string][]byte{
		"train-images-idx3-ubyte.gz": packed(idx(0x803, []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255}, 2, 2, 3)),
		"train-labels-idx1-ubyte":    idx(0x801, []byte{1, 0}, 2),
		"t10k-images-idx3-ubyte":     idx(0x803, []byte{9, 8, 7, 6, 5, 4}, 1, 2, 3),
		"t10k-labels-idx1-ubyte.gz":  packed(idx(0x801, []byte{1}, 1)),
	}
}

func TestDataFilesAreRead(t *testing.T) {
	for _, tc := range []struct {
		files         map[string][]byte
		size, classes int
		labels, test  []byte
		last          byte // pixel of the training images
	}{
		{tinyMNIST(), 6, 2, []byte{1, 0}, []byte{1}, 255},
	} {
		d, err := train.ReadData(folder(t, tc.files))
		if err != nil {
			t.Fatal(err)
		}
		if d.Train.Size != tc.size || d.Classes != tc.classes || !bytes.Equal(d.Train.Labels, tc.labels) ||
			!bytes.Equal(d.Test.Labels, tc.test) || len(d.Test.Pixels) != tc.size*len(tc.test) ||
			d.Train.Pixels[len(d.Train.Pixels)-1] != tc.last {
			t.Errorf("got %d bytes per image, %d classes, labels %v and %v, last pixel %d; want %+v", d.Train.Size, d.Classes,
				d.Train.Labels, d.Test.Labels, d.Train.Pixels[len(d.Train.Pixels)-1], tc)
		}
	}
}

func TestBrokenDataFilesAreNamed(t *testing.T) {
	images, labels := "t10k-images-idx3-ubyte", "train-labels-idx1-ubyte"
	for _, tc := range []struct {
		name, file string
		content    []byte
		want       string
	}{
		{"cut off", images, idx(0x803, []byte{1, 2, 3}, 1, 2, 3), "3 bytes of data where the header promises 6"},
		{"short header", images, []byte{0, 0, 8, 3, 0}, "ends after 5 bytes; the header of this idx file has 16"},
		{"empty", labels, nil, "ends after 0 bytes"},
		{"labels for images", images, idx(0x801, []byte{1}, 1), "ends after 9 bytes"},
		{"wrong magic", images, idx(0xdeadbeef, make([]byte, 6), 1, 2, 3),
			"0xdeadbeef; this idx file must begin with 0x00000803"},
		{"floats", labels, idx(0xd01, make([]byte, 8), 2), "must begin with 0x00000801"},
		{"too many images", images, idx(0x803, nil, 1<<31, 2, 3), "2147483648 images of 2 × 3 pixels"},
		{"too much together", images, idx(0x803, nil, 1<<20, 200, 200), "at most 1048576 in 512 MiB"},
		{"huge images", images, idx(0x803, nil, 1, 1<<32-1, 1<<32-1), "4294967295 × 4294967295 pixels"},
		{"no pixels", images, idx(0x803, nil, 1, 0, 3), "0 × 3 pixels"},
		{"no images", images, idx(0x803, nil, 0, 2, 3), "0 images"},
		{"too many labels", labels, idx(0x801, nil, 1<<30), "1073741824 labels"},
		{"promised much", images, idx(0x803, []byte{1}, 1<<19, 28, 28),
			"1 bytes of data where the header promises 411041792"},
		{"more behind", images, idx(0x803, make([]byte, 7), 1, 2, 3), "more than the 6 bytes"},
		{"labels missing", labels, idx(0x801, []byte{1}, 1), "1 labels for 2 training images"},
		{"another size", images, idx(0x803, make([]byte, 4), 1, 2, 2), "training images have 6 bytes, test images 4"},
		{"one class", labels, idx(0x801, []byte{0, 0}, 2), "at least 2 classes"},
		{"unknown class", "t10k-labels-idx1-ubyte.gz", packed(idx(0x801, []byte{7}, 1)), "a test label is 7"},
		{"not compressed", "t10k-labels-idx1-ubyte.gz", idx(0x801, make([]byte, 20), 20), "gzip: invalid header"},
	} {
		files := tinyMNIST()
		files[tc.file] = tc.content
		_, err := train.ReadData(folder(t, files))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
	for name, tc := range map[string]struct {
		files map[string][]byte
		want  string
	}{
		"nothing": {nil, "no data set; there must be train-images-idx3-ubyte"},
	} {
		if _, err := train.ReadData(folder(t, tc.files)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
	_, err := train.ReadData(filepath.Join(t.TempDir(), "nowhere"))
	if err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a folder that does not exist: %v", err)
	}
}

// The digits are those of the UCI repository: facts about optdigits.tes that its documentation states, and the
// checksum of what was embedded.
func TestDigitsAreTheOnesOfTheRepository(t *testing.T) {
	d := train.Digits()
	counts := make([]int, 10)
	for _, l := range slices.Concat(d.Train.Labels, d.Test.Labels) {
		counts[l]++
	}
	// optdigits.names: class distribution of the test set.
	if want := []int{178, 182, 177, 183, 181, 182, 181, 179, 174, 180}; !slices.Equal(counts, want) {
		t.Errorf("classes %v, want %v", counts, want)
	}
	if d.Train.Count() != 1437 || d.Test.Count() != 360 || d.Train.Size != 64 || slices.Max(d.Train.Pixels) != 16 {
		t.Errorf("%d and %d images of %d bytes up to %d", d.Train.Count(), d.Test.Count(), d.Train.Size,
			slices.Max(d.Train.Pixels))
	}
	var labels, pixels []byte // in the order of the file: every fifth image is one of the test
	for k, parts := 0, [2]int{}; k < 1797; k++ {
		m, part := d.Train, 0
		if k%5 == 0 {
			m, part = d.Test, 1
		}
		at := parts[part]
		labels, pixels = append(labels, m.Labels[at]), append(pixels, m.Pixels[at*64:(at+1)*64]...)
		parts[part]++
	}
	sum := sha256.Sum256(slices.Concat(labels, pixels))
	if got, want := fmt.Sprintf("%x", sum[:8]), "e1d88a0854e29e01"; got != want {
		t.Errorf("checksum %s, want %s", got, want)
	}
}
