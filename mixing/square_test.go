package mixing_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// array spells a file of n×n elements that put writes.
func array(kind string, n int, put func([]byte) []byte) string {
	return npyFile(fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }\n", kind, n, n)) +
		string(put(nil))
}

func TestAdjacencyOfEveryKindOfElement(t *testing.T) {
	path := []int{0, 1, 0, 1, 0, 1, 0, 1, 0}
	for kind, put := range map[string]func([]byte, int) []byte{
		"<i8": func(b []byte, v int) []byte { return binary.LittleEndian.AppendUint64(b, uint64(v)) },
		">i4": func(b []byte, v int) []byte { return binary.BigEndian.AppendUint32(b, uint32(v)) },
		"<f4": func(b []byte, v int) []byte {
			return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
		},
		"|b1": func(b []byte, v int) []byte { return append(b, byte(v)) },
		"|i1": func(b []byte, v int) []byte { return append(b, byte(v)) },
		"|u1": func(b []byte, v int) []byte { return append(b, byte(v)) },
	} {
		s, err := mixing.SquareNPY(strings.NewReader(array(kind, 3, func(b []byte) []byte {
			for _, v := range path {
				b = put(b, v)
			}
			return b
		})))
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		g, ok := s.Adjacency()
		if !ok || len(g.Edges()) != 2 || g.Edges()[1] != (topology.Edge{I: 1, J: 2}) {
			t.Errorf("%s: adjacency %v, %v", kind, g, ok)
		}
	}
}

// W in single precision: rows sum to 1 to seven digits only, and the self weights make up for the rest.
func TestSinglePrecision(t *testing.T) {
	w, err := mixing.Families[0].Build(mixing.Params{Nodes: 7})
	if err != nil {
		t.Fatal(err)
	}
	dense := w.Dense()
	file := array("<f4", 7, func(b []byte) []byte {
		for i := range 7 {
			for j := range 7 {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(dense.At(i, j))))
			}
		}
		return b
	})
	m, err := readNPY(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if d := math.Abs(m.Dense().At(2, 3) - dense.At(2, 3)); d > 1e-7 || m.Directed() {
		t.Errorf("weights changed by %g", d)
	}
	if s, err := mixing.SquareNPY(strings.NewReader(file)); err != nil {
		t.Error(err)
	} else if _, ok := s.Adjacency(); ok {
		t.Error("a W counts as an adjacency matrix")
	}
}

func TestSquareCSV(t *testing.T) {
	for _, text := range []string{"0,1,0\n1,0,1\n0,1,0\n", "\ufeff# a path\n0 1 0\n\n1 0 1\r\n0\t1\t0", "0;1;0\n1;0;1\n0;1;0"} {
		s, err := mixing.SquareCSV(strings.NewReader(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if g, ok := s.Adjacency(); !ok || len(g.Edges()) != 2 {
			t.Errorf("%q: adjacency %v, %v", text, g, ok)
		}
	}
	for _, tt := range []struct{ text, want string }{
		{"", "no numbers"}, {"0,1\n", "1 × 2; it must be square"}, {"0,1\n1\n", "line 2 has 1 numbers"},
		{"0,1\n1,x\n", `line 2, column 2: "x" is not a number`},
	} {
		if _, err := mixing.SquareCSV(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want one that says %q", tt.text, err, tt.want)
		}
	}
}

func FuzzSquareCSV(f *testing.F) {
	for _, text := range []string{"0,1\n1,0\n", "# W\n0.5 0.5\n0.5 0.5", "1e400", "nan,nan\nnan,nan"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := mixing.SquareCSV(bytes.NewReader(data))
		if err != nil {
			return
		}
		if g, ok := s.Adjacency(); ok && g.Nodes() < 2 {
			t.Errorf("a graph of %d nodes", g.Nodes())
		}
		_, _ = s.Matrix()
	})
}
