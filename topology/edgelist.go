package topology

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"
)

// maxLine is longer than any line that makes sense, comments aside. It keeps
// a file that is not text from being taken apart into millions of fields.
const maxLine = 1000

// ReadEdgeList reads an edge list: the number of nodes on the first line, then
// "i j" or "i j weight" per line, nodes numbered from 0. # begins a comment; empty
// lines are skipped. Errors name the line.
func ReadEdgeList(r io.Reader) (File, error) {
	c := collector{format: "edge list"}
	data, err := readAll(r, c.format)
	if err != nil {
		return File{}, err
	}
	line := 0
	for text := range bytes.Lines(data) {
		line++
		text, _, _ := bytes.Cut(text, []byte("#"))
		if len(text) > maxLine {
			return File{}, c.errorf(line, "%d characters; an edge is \"i j\" or \"i j weight\"", len(text))
		}
		fields := strings.Fields(string(text))
		switch {
		case len(fields) == 0:
		case c.nodes == 0:
			err = c.readNodes(line, fields)
		default:
			err = c.readEdge(line, fields)
		}
		if err != nil {
			return File{}, err
		}
	}
	if c.nodes == 0 {
		return File{}, fmt.Errorf("topology: edge list: the file is empty; its first line must be the number of nodes")
	}
	return c.file()
}

func (c *collector) readNodes(line int, fields []string) error {
	n, err := strconv.Atoi(fields[0])
	if err != nil || len(fields) > 1 || n < 1 || n > limits.Nodes {
		return c.errorf(line, "%q; the first line must be the number of nodes alone, 1 … %d",
			shorten(strings.Join(fields, " ")), limits.Nodes)
	}
	c.nodes = n
	return nil
}

func (c *collector) readEdge(line int, fields []string) error {
	if len(fields) != 2 && len(fields) != 3 {
		return c.errorf(line, "%q; an edge is \"i j\" or \"i j weight\"", shorten(strings.Join(fields, " ")))
	}
	var ends [2]int
	for k := range ends {
		v, err := strconv.Atoi(fields[k])
		if err != nil {
			return c.errorf(line, "%q is not the number of a node; nodes are 0 … %d", shorten(fields[k]), c.nodes-1)
		}
		ends[k] = v
	}
	if len(fields) == 2 {
		return c.add(line, ends[0], ends[1], nil)
	}
	weight, err := strconv.ParseFloat(fields[2], 64)
	if err != nil {
		return c.errorf(line, "weight %q is not a finite number", shorten(fields[2]))
	}
	return c.add(line, ends[0], ends[1], &weight)
}

// shorten keeps messages about broken files readable.
func shorten(s string) string { return limits.Shorten(s, 40) }

// WriteEdgeList writes g as ReadEdgeList reads it, edges in order. weights may be nil; given ones
// are written so that reading them restores every bit.
func WriteEdgeList(w io.Writer, g *Graph, weights []float64) error {
	if weights != nil && len(weights) != len(g.edges) {
		return fmt.Errorf("topology: edge list: %d weights for %d edges", len(weights), len(g.edges))
	}
	out := bufio.NewWriter(w)
	line := append(strconv.AppendInt(nil, int64(g.n), 10), '\n')
	for k, e := range g.edges {
		line = append(strconv.AppendInt(line, int64(e.I), 10), ' ')
		line = strconv.AppendInt(line, int64(e.J), 10)
		if weights != nil {
			line = strconv.AppendFloat(append(line, ' '), weights[k], 'g', -1, 64)
		}
		line = append(line, '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
		line = line[:0]
	}
	if _, err := out.Write(line); err != nil { // the head, where there are no edges
		return err
	}
	return out.Flush()
}
