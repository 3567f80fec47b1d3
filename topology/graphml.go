package topology

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"
)

// graphMLBytes limits files of GraphML: the XML library takes twenty times as much memory as some of them.
const graphMLBytes = 16 << 20

type graphML struct {
	XMLName xml.Name `xml:"graphml"`
	Keys    []struct {
		ID      string  `xml:"id,attr"`
		For     string  `xml:"for,attr"`
		Name    string  `xml:"attr.name,attr"`
		Default *string `xml:"default"`
	} `xml:"key"`
	Graphs []struct {
		Direction string `xml:"edgedefault,attr"`
		Nodes     []struct {
			ID    string      `xml:"id,attr"`
			Graph *xmlElement `xml:"graph"`
			Port  *xmlElement `xml:"port"`
		} `xml:"node"`
		Edges      []graphMLEdge `xml:"edge"`
		Hyperedges []xmlElement  `xml:"hyperedge"`
	} `xml:"graph"`
}

type xmlElement struct{}

type graphMLEdge struct {
	line     int
	Source   string `xml:"source,attr"`
	Target   string `xml:"target,attr"`
	Directed string `xml:"directed,attr"`
	Data     []struct {
		Key  string `xml:"key,attr"`
		Text string `xml:",chardata"`
	} `xml:"data"`
}

// UnmarshalXML notes the line.
func (e *graphMLEdge) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	type plain graphMLEdge
	line, _ := d.InputPos()
	err := d.DecodeElement((*plain)(e), &start)
	e.line = line
	return err
}

// ReadGraphML reads one undirected graph in GraphML format. Nodes are numbered in
// the order of the file and keep their ids as names; data of edges whose key is
// called "weight" become weights. Hyperedges, ports and nested graphs are refused.
func ReadGraphML(r io.Reader) (File, error) {
	data, err := limits.ReadText(r, graphMLBytes, "a graph")
	if err != nil {
		return File{}, fmt.Errorf("topology: GraphML: %w", err)
	}
	var file graphML
	if err := xml.Unmarshal(data, &file); err != nil {
		return File{}, fmt.Errorf("topology: GraphML: %w", err)
	}
	if len(file.Graphs) != 1 || file.Graphs[0].Direction == "directed" || len(file.Graphs[0].Hyperedges) > 0 {
		return File{}, fmt.Errorf("topology: GraphML: the file has %d graphs; one undirected graph without hyperedges is "+
			"read", len(file.Graphs))
	}
	names, number, err := file.nodes()
	if err != nil {
		return File{}, fmt.Errorf("topology: GraphML: %w", err)
	}
	weightKey, usual := file.weightKey()
	c := collector{format: "GraphML", nodes: len(names)}
	for _, e := range file.Graphs[0].Edges {
		i, known := number[e.Source]
		j, knownToo := number[e.Target]
		weight := usual
		for _, d := range e.Data {
			if weightKey != "" && d.Key == weightKey {
				weight = &d.Text
			}
		}
		switch {
		case !known || !knownToo:
			return File{}, c.errorf(e.line, "edge %q–%q; one of these nodes does not exist", shorten(e.Source),
				shorten(e.Target))
		case e.Directed == "true":
			return File{}, c.errorf(e.line, "edge %q–%q is directed; only undirected graphs are read", shorten(e.Source),
				shorten(e.Target))
		}
		if err := c.addText(e.line, i, j, weight); err != nil {
			return File{}, err
		}
	}
	f, err := c.file()
	f.Names = names
	return f, err
}

func (file *graphML) nodes() (names []string, number map[string]int, err error) {
	number = map[string]int{}
	for k, n := range file.Graphs[0].Nodes {
		_, twice := number[n.ID]
		switch {
		case k == limits.Nodes:
			return nil, nil, fmt.Errorf("more than %d nodes, the most that a graph may have", limits.Nodes)
		case n.ID == "":
			return nil, nil, fmt.Errorf("node %d of the file has no id", k+1)
		case twice:
			return nil, nil, fmt.Errorf("node %q appears twice", shorten(n.ID))
		case n.Graph != nil || n.Port != nil:
			return nil, nil, fmt.Errorf("node %q has a graph or a port inside; one plain graph is read", shorten(n.ID))
		}
		number[n.ID] = k
		names = append(names, n.ID)
	}
	if len(names) == 0 {
		return nil, nil, errors.New("the file has no nodes")
	}
	return names, number, nil
}

// weightKey returns the id of the key called "weight", and the weight of edges that give none.
func (file *graphML) weightKey() (id string, usual *string) {
	for _, k := range file.Keys {
		if k.Name == "weight" && k.For != "node" {
			id, usual = k.ID, k.Default
		}
	}
	return id, usual
}

// addText takes an edge whose weight is still text; nil where it has none.
func (c *collector) addText(line, i, j int, text *string) error {
	if text == nil {
		return c.add(line, i, j, nil)
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(*text), 64)
	if err != nil {
		return c.errorf(line, "weight %q is not a finite number", shorten(*text))
	}
	return c.add(line, i, j, &v)
}
