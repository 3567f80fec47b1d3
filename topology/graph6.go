package topology

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/batopo/batopo/internal/ground/limits"
)

// The graph6 format (McKay, "graph formats") packs the upper triangle of the
// adjacency matrix, column by column, into printable bytes of six bits each.
const (
	graph6Header = ">>graph6<<"
	graph6Offset = 63 // byte value of six zero bits
)

// ReadGraph6 reads one graph in graph6 format, with or without the optional
// header. It has n²/12 bytes, so limits.GraphBytes allows about 28 000 nodes.
func ReadGraph6(r io.Reader) (File, error) {
	data, err := readAll(r, "graph6")
	if err != nil {
		return File{}, err
	}
	data = bytes.TrimPrefix(bytes.TrimRight(data, "\r\n"), []byte(graph6Header))
	for at, b := range data {
		switch {
		case b == '\n':
			return File{}, errors.New("topology: graph6: the file has more than one line; one graph is expected")
		case b < graph6Offset || b > graph6Offset+63:
			return File{}, fmt.Errorf("topology: graph6: byte %d is %q; graph6 uses the characters ? … ~", at, b)
		}
	}
	n, body, err := graph6Nodes(data)
	if err != nil {
		return File{}, err
	}
	if n < 1 || n > limits.Nodes {
		return File{}, fmt.Errorf("topology: graph6: %d nodes; their number must be 1 … %d", n, limits.Nodes)
	}
	if want := (Pairs(n) + 5) / 6; len(body) != want {
		return File{}, fmt.Errorf("topology: graph6: %d bytes follow the number of nodes; %d nodes need %d",
			len(body), n, want)
	}
	var edges []Edge
	at := 0
	for j := 1; j < n; j++ {
		for i := range j {
			if graph6Bit(body, at) {
				if len(edges) == limits.Edges {
					return File{}, fmt.Errorf("topology: graph6: more than %d edges", limits.Edges)
				}
				edges = append(edges, Edge{i, j})
			}
			at++
		}
	}
	for ; at < 6*len(body); at++ {
		if graph6Bit(body, at) {
			return File{}, errors.New("topology: graph6: the unused bits of the last byte are not zero")
		}
	}
	g, err := New(n, edges)
	return File{Graph: g}, err
}

func graph6Bit(body []byte, at int) bool {
	return (body[at/6]-graph6Offset)>>(5-at%6)&1 == 1
}

// graph6Nodes splits off the number of nodes: one byte up to 62, ~ and three bytes
// up to 258047, ~~ and six bytes beyond.
func graph6Nodes(data []byte) (n int, rest []byte, err error) {
	skip, digits := 0, 1
	if bytes.HasPrefix(data, []byte("~~")) {
		skip, digits = 2, 6
	} else if bytes.HasPrefix(data, []byte("~")) {
		skip, digits = 1, 3
	}
	if len(data) < skip+digits {
		return 0, nil, errors.New("topology: graph6: the file ends before the number of nodes does")
	}
	for _, b := range data[skip : skip+digits] {
		n = n<<6 | int(b-graph6Offset)
	}
	if skip == 1 && n < 63 || skip == 2 && n < 258048 {
		return 0, nil, fmt.Errorf("topology: graph6: %d nodes are spelt with %d bytes, but need fewer", n, skip+digits)
	}
	return n, data[skip+digits:], nil
}

// WriteGraph6 writes g in graph6 format, without header and with a newline.
func WriteGraph6(w io.Writer, g *Graph) error {
	var out []byte
	digits := 1
	switch {
	case g.n > 258047:
		out, digits = append(out, "~~"...), 6
	case g.n > 62:
		out, digits = append(out, '~'), 3
	}
	for k := digits - 1; k >= 0; k-- {
		out = append(out, byte(g.n>>(6*k)&63)+graph6Offset)
	}
	size := (Pairs(g.n) + 5) / 6
	if size+len(out) > limits.GraphBytes {
		return fmt.Errorf("topology: graph6: %d nodes need %d bytes; at most %d MiB are written, use an edge list",
			g.n, size, limits.GraphBytes>>20)
	}
	body := bytes.Repeat([]byte{graph6Offset}, size)
	for _, e := range g.edges {
		at := e.J*(e.J-1)/2 + e.I
		body[at/6] += 1 << (5 - at%6)
	}
	_, err := w.Write(append(append(out, body...), '\n'))
	return err
}
