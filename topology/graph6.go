package topology

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/batopo/batopo/internal/ground/limits"

	"gonum.org/v1/gonum/graph/encoding/graph6"
)

// ReadGraph6 reads one graph in graph6 format (McKay, "graph formats"), with or without the optional header. It has
// n²/12 bytes, so limits.GraphBytes allows about 28 000 nodes.
func ReadGraph6(r io.Reader) (File, error) {
	data, err := readAll(r, "graph6")
	if err != nil {
		return File{}, err
	}
	data = bytes.TrimPrefix(bytes.TrimRight(data, "\r\n"), []byte(">>graph6<<"))
	for at, b := range data {
		switch {
		case b == '\n':
			return File{}, errors.New("topology: graph6: the file has more than one line; one graph is expected")
		case b < '?' || b > '~':
			return File{}, fmt.Errorf("topology: graph6: byte %d is %q; graph6 uses the characters ? … ~", at, b)
		}
	}
	code := graph6.Graph(data)
	if !graph6.IsValid(code) {
		return File{}, fmt.Errorf("topology: graph6: the %d bytes do not fit the number of nodes that they begin with",
			len(data))
	}
	n := code.Nodes().Len()
	if n < 1 || n > limits.Nodes {
		return File{}, fmt.Errorf("topology: graph6: %d nodes; their number must be 1 … %d", n, limits.Nodes)
	}
	bits := data[len(data)-(Pairs(n)+5)/6:] // six in a byte, the first one the highest
	var edges []Edge
	k := -1
	for j := range n {
		for i := range j {
			if k++; (bits[k/6]-'?')>>(5-k%6)&1 == 0 {
				continue
			}
			if len(edges) == limits.Edges {
				return File{}, fmt.Errorf("topology: graph6: more than %d edges", limits.Edges)
			}
			edges = append(edges, Edge{i, j})
		}
	}
	g, err := New(n, edges)
	return File{Graph: g}, err
}
