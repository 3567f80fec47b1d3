package topology

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"
)

// ReadGraphML reads one undirected graph in GraphML format. Nodes are numbered in
// the order of the file and keep their ids as names; data of edges whose key is
// called "weight" become weights. Hyperedges, ports and nested graphs are refused.
func ReadGraphML(r io.Reader) (File, error) {
	data, err := readAll(r, "GraphML")
	if err != nil {
		return File{}, err
	}
	if err := checkTags(data); err != nil {
		return File{}, err
	}
	p := graphMLReader{
		decoder: xml.NewDecoder(bytes.NewReader(data)),
		edges:   collector{format: "GraphML"},
		number:  make(map[string]int),
	}
	if err := p.read(); err != nil {
		return File{}, err
	}
	return p.finish()
}

// A pending edge waits for the end of the file, because nodes may follow edges.
type pendingEdge struct {
	line           int
	source, target string
	weight         *float64
}

type graphMLReader struct {
	decoder   *xml.Decoder
	edges     collector
	number    map[string]int // node id → number
	names     []string
	pending   []pendingEdge
	key       string   // id of the key that is being read
	weightKey string   // id of the key called "weight"
	usual     *float64 // weight of edges that give none, where the key has a default
	graphs    int
	path      []string // names of the open elements
}

func (p *graphMLReader) line() int {
	line, _ := p.decoder.InputPos()
	return line
}

func (p *graphMLReader) errorf(format string, args ...any) error {
	return p.edges.errorf(p.line(), format, args...)
}

func (p *graphMLReader) read() error {
	for {
		token, err := p.decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("topology: GraphML: line %d: %w", p.line(), err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			p.path = append(p.path, t.Name.Local)
			if err := p.start(t); err != nil {
				return err
			}
		case xml.EndElement:
			p.path = p.path[:len(p.path)-1]
		}
	}
}

// start handles an element that begins; p.path ends with it.
func (p *graphMLReader) start(t xml.StartElement) error {
	switch strings.Join(p.path, "/") {
	case "graphml":
		return nil
	case "graphml/key":
		p.key = attribute(t, "id")
		if attribute(t, "attr.name") == "weight" && attribute(t, "for") != "node" {
			p.weightKey = p.key
		}
		return nil
	case "graphml/key/default":
		if p.weightKey == "" || p.key != p.weightKey {
			return p.skip()
		}
		return p.weight(&p.usual)
	case "graphml/graph":
		p.graphs++
		if p.graphs > 1 {
			return p.errorf("a second graph; one is expected")
		}
		if attribute(t, "edgedefault") == "directed" {
			return p.errorf("the graph is directed; only undirected graphs are read")
		}
		return nil
	case "graphml/graph/node":
		return p.node(attribute(t, "id"))
	case "graphml/graph/edge":
		return p.edge(t)
	case "graphml/graph/edge/data":
		if p.weightKey == "" || attribute(t, "key") != p.weightKey {
			return p.skip()
		}
		return p.weight(&p.pending[len(p.pending)-1].weight)
	case "graphml/data", "graphml/graph/data", "graphml/graph/node/data":
		return p.skip()
	}
	switch {
	case t.Name.Local == "desc":
		return p.skip()
	case len(p.path) == 1:
		return p.errorf("the file begins with <%s>; GraphML begins with <graphml>", shorten(t.Name.Local))
	}
	return p.errorf("<%s> inside <%s> is not supported; expected are nodes and edges of one plain graph",
		shorten(t.Name.Local), shorten(p.path[len(p.path)-2]))
}

func (p *graphMLReader) node(id string) error {
	if id == "" {
		return p.errorf("a node needs an id")
	}
	if _, ok := p.number[id]; ok {
		return p.errorf("node %q appears twice", shorten(id))
	}
	if len(p.names) == limits.Nodes {
		return p.errorf("more than %d nodes, the most that a graph may have", limits.Nodes)
	}
	p.number[id] = len(p.names)
	p.names = append(p.names, id)
	return nil
}

func (p *graphMLReader) edge(t xml.StartElement) error {
	e := pendingEdge{line: p.line(), source: attribute(t, "source"), target: attribute(t, "target")}
	switch {
	case e.source == "" || e.target == "":
		return p.errorf("an edge needs a source and a target")
	case attribute(t, "directed") == "true":
		return p.errorf("edge %q–%q is directed; only undirected graphs are read", shorten(e.source), shorten(e.target))
	}
	if len(p.pending) == limits.Edges {
		return p.errorf("more than %d edges, the most that a graph may have", limits.Edges)
	}
	p.pending = append(p.pending, e)
	return nil
}

// weight reads the number that the element which has just begun contains.
func (p *graphMLReader) weight(into **float64) error {
	var text []byte
	for {
		token, err := p.decoder.Token()
		if err != nil {
			return fmt.Errorf("topology: GraphML: line %d: %w", p.line(), err)
		}
		if inside, more := token.(xml.StartElement); more {
			return p.errorf("<%s> inside a weight; it must be a number", shorten(inside.Name.Local))
		}
		if _, done := token.(xml.EndElement); done {
			break
		}
		if part, ok := token.(xml.CharData); ok {
			text = append(text, part...)
		}
	}
	p.path = p.path[:len(p.path)-1]
	v, err := strconv.ParseFloat(string(bytes.TrimSpace(text)), 64)
	if err != nil {
		return p.errorf("weight %q is not a finite number", shorten(string(text)))
	}
	*into = &v
	return nil
}

// skip passes over the element that has just begun, with all it contains.
func (p *graphMLReader) skip() error {
	p.path = p.path[:len(p.path)-1]
	const most = 64 // levels; every one that is open costs memory
	for depth := 1; depth > 0; {
		token, err := p.decoder.Token()
		if err != nil {
			return fmt.Errorf("topology: GraphML: line %d: %w", p.line(), err)
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
			if depth > most {
				return p.errorf("elements are nested more than %d levels deep", most)
			}
		case xml.EndElement:
			depth--
		}
	}
	return nil
}

func (p *graphMLReader) finish() (File, error) {
	if len(p.names) == 0 {
		return File{}, errors.New("topology: GraphML: the file has no nodes")
	}
	p.edges.nodes = len(p.names)
	for _, e := range p.pending {
		i, known := p.number[e.source]
		j, knownToo := p.number[e.target]
		if !known || !knownToo {
			return File{}, p.edges.errorf(e.line, "edge %q–%q; one of these nodes does not exist",
				shorten(e.source), shorten(e.target))
		}
		if err := p.edges.add(e.line, i, j, cmp.Or(e.weight, p.usual)); err != nil {
			return File{}, err
		}
	}
	f, err := p.edges.file()
	f.Names = p.names
	return f, err
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
