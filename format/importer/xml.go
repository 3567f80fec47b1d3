package importer

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/batopo/batopo/internal/ground/limits"
)

// An element of an XML file with what is inside it.
type element struct {
	name   string
	attr   map[string]string
	inside []*element
	text   []byte
}

// readXML reads a file of bounded size and depth into elements. Entities that a file defines itself are errors, so
// none can grow.
func readXML(r io.Reader, what string) (*element, error) {
	source, err := limits.ReadText(r, limits.ImportBytes, what)
	if err != nil {
		return nil, err
	}
	d := xml.NewDecoder(bytes.NewReader(source))
	root := &element{}
	open, elements := []*element{root}, 0
	for {
		token, err := d.Token()
		line, column := d.InputPos()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("importer: line %d, column %d: %s is damaged: %w", line, column, what, err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if elements++; len(open) > limits.ImportDepth || elements > limits.ImportElements {
				return nil, fmt.Errorf("importer: line %d, column %d: more than %d levels or %d elements, which no machine needs",
					line, column, limits.ImportDepth, limits.ImportElements)
			}
			e := &element{name: t.Name.Local, attr: make(map[string]string, len(t.Attr))}
			for _, a := range t.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			last := open[len(open)-1]
			last.inside = append(last.inside, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if e := open[len(open)-1]; e != root {
				e.text = append(e.text, t...)
			}
		}
	}
	if len(root.inside) != 1 {
		return nil, errors.New("importer: " + what + " has one outermost element; this file has none")
	}
	return root.inside[0], nil
}

// number returns an attribute that is a number, 0 where it is none.
func (e *element) number(name string) float64 {
	v, _ := strconv.ParseFloat(e.attr[name], 64)
	return v
}
