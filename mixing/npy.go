package mixing

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"
)

// The npy format: a magic string, a version, the size of a header in Python syntax, padded so
// that the data begin at a multiple of 64, then the elements.
const (
	npyMagic     = "\x93NUMPY"
	npyAlign     = 64
	npyMaxHeader = 1 << 12 // more than the header of any matrix takes
)

// npyHeader is the header as NumPy writes it for a matrix.
var npyHeader = regexp.MustCompile(`^\{'descr': '([^']*)', 'fortran_order': (True|False), ` +
	`'shape': \(([0-9]{1,9}), ([0-9]{1,9})\), \} *\n$`)

// WriteNPY writes W as a dense float64 array, 8n² bytes, exactly as numpy.save does.
func (m *Matrix) WriteNPY(w io.Writer) error {
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", m.n, m.n)
	before := len(npyMagic) + 4
	header += strings.Repeat(" ", npyAlign-1-(before+len(header))%npyAlign) + "\n"
	start := append([]byte(npyMagic), 1, 0)
	start = append(binary.LittleEndian.AppendUint16(start, uint16(len(header))), header...)
	if _, err := w.Write(start); err != nil {
		return err
	}
	row, cells := make([]float64, m.n), make([]byte, 0, 8*m.n)
	for i := range m.n {
		clear(row)
		row[i] = m.self[i]
		from, weight := m.Row(i)
		for k, j := range from {
			row[j] = weight[k]
		}
		cells = cells[:0]
		for _, v := range row {
			cells = binary.LittleEndian.AppendUint64(cells, math.Float64bits(v))
		}
		if _, err := w.Write(cells); err != nil {
			return err
		}
	}
	return nil
}

// SquareNPY reads a square array of floats, whole numbers or booleans from a file that numpy.save wrote: at most
// limits.GraphBytes as float64, which is 2896 nodes.
//
// npyio is not used: it trusts the header, and these files come from anywhere.
func SquareNPY(r io.Reader) (*Square, error) {
	source, err := limits.ReadAll(r, limits.GraphBytes+npyMaxHeader, "a matrix")
	if err != nil {
		return nil, fmt.Errorf("mixing: npy: %w", err)
	}
	s, err := readSquare(bytes.NewBuffer(source))
	if err != nil {
		return nil, fmt.Errorf("mixing: npy: %w", err)
	}
	return s, nil
}

// headerSize reads up to the header of format version 1 or 2, which differ in the width of its size.
func headerSize(r io.Reader) (int, error) {
	var start struct {
		Magic        [len(npyMagic)]byte
		Major, Minor uint8
		Size         uint16
	}
	if err := binary.Read(r, binary.LittleEndian, &start); err != nil || string(start.Magic[:]) != npyMagic {
		return 0, errors.New("the file does not begin like a NumPy array")
	}
	var high uint16
	switch start.Major {
	case 1:
	case 2:
		if err := binary.Read(r, binary.LittleEndian, &high); err != nil {
			return 0, errors.New("the file ends before its header")
		}
	default:
		return 0, fmt.Errorf("format version %d.%d; NumPy writes matrices in version 1.0", start.Major, start.Minor)
	}
	if high > 0 || start.Size > npyMaxHeader {
		return 0, fmt.Errorf("a header of %d bytes; a matrix has less than %d",
			int(high)<<16|int(start.Size), npyMaxHeader)
	}
	return int(start.Size), nil
}

func readSquare(r *bytes.Buffer) (*Square, error) {
	size, err := headerSize(r)
	if err != nil {
		return nil, err
	}
	header := make([]byte, size)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, errors.New("the file ends inside its header")
	}
	field := npyHeader.FindSubmatch(header)
	if field == nil {
		return nil, fmt.Errorf("header %.80q does not describe a matrix as NumPy does", header)
	}
	of, known := npyElements[strings.TrimLeft(string(field[1]), "<>|=")]
	if !known {
		return nil, fmt.Errorf("elements are %q; they must be floats, whole numbers or booleans: W.astype(float)", field[1])
	}
	rows, _ := strconv.Atoi(string(field[3])) // at most nine digits each
	cols, _ := strconv.Atoi(string(field[4]))
	if rows != cols || rows < 1 {
		return nil, fmt.Errorf("the array is %d × %d; it must be square", rows, cols)
	}
	if size := 8 * rows * cols; size > limits.GraphBytes {
		return nil, fmt.Errorf("the array is %d × %d, %d bytes; at most %d MiB are read, use an edge list",
			rows, cols, size, limits.GraphBytes>>20)
	}
	data := r.Bytes()
	if len(data) != of.size*rows*rows {
		return nil, fmt.Errorf("%d bytes follow the header; a %d × %d matrix has %d", len(data), rows, rows,
			of.size*rows*rows)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if field[1][0] == '>' {
		order = binary.BigEndian
	}
	element := func(k int) float64 { return of.decode(order, data[of.size*k:]) }
	return newSquare(rows, element, string(field[2]) == "True", of.size == 4 && field[1][1] == 'f')
}

// npyElements are the kinds of element that a W or an adjacency matrix may have, as NumPy names them.
var npyElements = map[string]struct {
	size   int
	decode func(binary.ByteOrder, []byte) float64
}{
	"f8": {8, func(o binary.ByteOrder, b []byte) float64 { return math.Float64frombits(o.Uint64(b)) }},
	"f4": {4, func(o binary.ByteOrder, b []byte) float64 { return float64(math.Float32frombits(o.Uint32(b))) }},
	"i8": {8, func(o binary.ByteOrder, b []byte) float64 { return float64(int64(o.Uint64(b))) }},
	"i4": {4, func(o binary.ByteOrder, b []byte) float64 { return float64(int32(o.Uint32(b))) }},
	"i1": {1, func(_ binary.ByteOrder, b []byte) float64 { return float64(int8(b[0])) }},
	"u1": {1, func(_ binary.ByteOrder, b []byte) float64 { return float64(b[0]) }},
	"b1": {1, func(_ binary.ByteOrder, b []byte) float64 { return float64(b[0]) }},
}
