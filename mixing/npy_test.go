package mixing_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/mixing"

	"gonum.org/v1/gonum/mat"
)

// saved is the matrix in testdata/numpy*.npy.
var saved = mat.NewDense(4, 4, []float64{
	0.5, 0.25, 0.25, 0,
	0.125, 0.625, 0.25, 0,
	0.375, 0.125, 0.25, 0.25,
	0, 0, 0.25, 0.75,
})

func TestReadWhatNumPyWrites(t *testing.T) {
	for _, name := range []string{"numpy.npy", "numpy_fortran.npy", "numpy_big_endian.npy"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		m, err := readNPY(bytes.NewReader(data))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !mat.Equal(m.Dense(), saved) {
			t.Errorf("%s reads as\n%v, want\n%v", name, mat.Formatted(m.Dense()), mat.Formatted(saved))
		}
		var out bytes.Buffer
		if err := m.WriteNPY(&out); err != nil {
			t.Fatal(err)
		}
		if name == "numpy.npy" && !bytes.Equal(out.Bytes(), data) {
			t.Errorf("written as\n%q, NumPy writes\n%q", out.Bytes(), data)
		}
	}
}

func TestNPYRoundTripsByteForByte(t *testing.T) {
	for _, f := range mixing.Families {
		for _, n := range []int{2, 4, 16, 128} {
			m, err := f.Build(mixing.Params{Nodes: n})
			if err != nil {
				t.Fatal(err)
			}
			var first, second bytes.Buffer
			if err := m.WriteNPY(&first); err != nil {
				t.Fatal(err)
			}
			again, err := readNPY(bytes.NewReader(first.Bytes()))
			if err != nil {
				t.Fatalf("%s n=%d: %v", f.Name, n, err)
			}
			if err := again.WriteNPY(&second); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first.Bytes(), second.Bytes()) || again.Directed() != m.Directed() {
				t.Errorf("%s n=%d changes on a round trip", f.Name, n)
			}
		}
	}
}

// npyFile spells a file with the given header and no data.
func npyFile(header string) string {
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), byte(len(header) >> 8)}) + header
}

func TestReadNPYRefuses(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"empty", "", "does not begin like a NumPy array"},
		{"text", "3\n0 1\n1 2\n", "does not begin like a NumPy array"},
		{"version 9", "\x93NUMPY\x09\x00\x00\x00", "format version 9.0"},
		{"cut in version 2", "\x93NUMPY\x02\x00\x00\x00", "ends before its header"},
		{"huge header", "\x93NUMPY\x02\x00\x00\x00\xff\xff", "a header of 4294901760 bytes"},
		{"cut in the header", "\x93NUMPY\x01\x00\x20\x00{'descr'", "ends inside its header"},
		{"not a header", npyFile("hello\n"), "does not describe a matrix"},
		{"vector", npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }\n"), "does not describe a matrix"},
		{"complex", npyFile("{'descr': '<c16', 'fortran_order': False, 'shape': (2, 2), }\n"), "W.astype(float)"},
		{"not square", npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n"), "2 × 3; it must be square"},
		{"no rows", npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 0), }\n"), "0 × 0"},
		{"too large", npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (999999999, 999999999), }\n"),
			"at most 64 MiB"},
		{"data missing", npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n") + "12345678",
			"8 bytes follow the header; a 2 × 2 matrix has 32"},
		{"too much data", npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }\n") + strings.Repeat("\x00",
			16), "16 bytes follow"},
		{"zeros", npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n") + strings.Repeat("\x00", 32),
			"row 0 of W sums to 0"},
	}
	for _, tt := range tests {
		if _, err := readNPY(strings.NewReader(tt.data)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one that says %q", tt.name, err, tt.want)
		}
	}
}

func FuzzReadNPY(f *testing.F) {
	for _, name := range []string{"numpy.npy", "numpy_fortran.npy", "numpy_big_endian.npy"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(npyFile("{'descr': '<f8', 'fortran_order': True, 'shape': (1, 1), }\n") +
		"\x00\x00\x00\x00\x00\x00\xf0\x3f"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := readNPY(bytes.NewReader(data))
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := m.WriteNPY(&first); err != nil {
			t.Fatal(err)
		}
		again, err := readNPY(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("an accepted matrix is refused when read again: %v", err)
		}
		if err := again.WriteNPY(&second); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatal("an accepted matrix changes on a round trip")
		}
	})
}

// readNPY reads a W that may be used as it is.
func readNPY(r io.Reader) (*mixing.Matrix, error) {
	s, err := mixing.SquareNPY(r)
	if err != nil {
		return nil, err
	}
	return s.Matrix()
}
