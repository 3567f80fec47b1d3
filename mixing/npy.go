package mixing

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/batopo/batopo/internal/limits"

	"gonum.org/v1/gonum/mat"
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
	row, bytes := make([]float64, m.n), make([]byte, 0, 8*m.n)
	for i := range m.n {
		clear(row)
		row[i] = m.self[i]
		from, weight := m.Row(i)
		for k, j := range from {
			row[j] = weight[k]
		}
		bytes = bytes[:0]
		for _, v := range row {
			bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(v))
		}
		if _, err := w.Write(bytes); err != nil {
			return err
		}
	}
	return nil
}

// ReadNPY reads a dense W from a file that numpy.save wrote: a square float64
// array of at most limits.GraphBytes, which is 2896 nodes. FromDense says what is accepted.
//
// npyio is not used: it trusts the header, and these files come from anywhere.
func ReadNPY(r io.Reader) (*Matrix, error) {
	w, err := readDense(io.LimitReader(r, limits.GraphBytes+npyMaxHeader))
	if err != nil {
		return nil, fmt.Errorf("mixing: npy: %w", err)
	}
	return FromDense(w)
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
		return 0, fmt.Errorf("a header of %d bytes; that of a matrix has less than %d",
			int(high)<<16|int(start.Size), npyMaxHeader)
	}
	return int(start.Size), nil
}

func readDense(r io.Reader) (*mat.Dense, error) {
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
	var order binary.ByteOrder = binary.LittleEndian
	switch string(field[1]) {
	case "<f8":
	case ">f8":
		order = binary.BigEndian
	default:
		return nil, fmt.Errorf("elements are %q; they must be float64 (\"<f8\"): W.astype(float)", field[1])
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
	return decode(r, rows, order, string(field[2]) == "True")
}

// decode reads n² elements and nothing after them.
func decode(r io.Reader, n int, order binary.ByteOrder, byColumns bool) (*mat.Dense, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if len(data) != 8*n*n {
		return nil, fmt.Errorf("%d bytes follow the header; a %d × %d matrix has %d", len(data), n, n, 8*n*n)
	}
	w := mat.NewDense(n, n, nil)
	arcs := 0
	for k := range n * n {
		v := math.Float64frombits(order.Uint64(data[8*k:]))
		if v != 0 && k/n != k%n {
			arcs++
		}
		if byColumns {
			w.Set(k%n, k/n, v)
		} else {
			w.Set(k/n, k%n, v)
		}
	}
	if most := 2 * limits.Edges; arcs > most {
		return nil, fmt.Errorf("%d entries beside the diagonal are not 0; at most %d are supported, two for an edge",
			arcs, most)
	}
	return w, nil
}
