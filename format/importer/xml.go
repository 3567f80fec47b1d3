package importer

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
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

// readXML reads a file of bounded depth into elements. Entities that a file defines itself are errors, so
// none can grow.
func readXML(source []byte, what string) (*element, error) {
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
				if !readable(a) {
					return nil, fmt.Errorf("importer: line %d, column %d: %s of <%s> is %q; it must be a number", line, column,
						a.Name.Local, e.name, a.Value)
				}
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

// readable refuses what should be a number and is none: taken for 0, it would make a slower machine of a damaged file.
// An empty one says that the program did not know.
func readable(a xml.Attr) bool {
	numbers := []string{"count", "gb_s", "link_width", "modelid", "pci_link_speed", "speed"}
	if a.Value == "" || !slices.Contains(numbers, a.Name.Local) {
		return true
	}
	v, err := strconv.ParseFloat(a.Value, 64)
	return err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// number returns an attribute that readable lets through, 0 where it is not there.
func (e *element) number(name string) float64 {
	v, _ := strconv.ParseFloat(e.attr[name], 64)
	return v
}
