package importer

import (
	"fmt"
	"strconv"

	"github.com/batopo/batopo/cluster"
)

// Light in glass travels 200 km in a millisecond.
const kmPerMS = 200

// capacityGBs is assumed for lines whose capacity is not in the file: 1 Gb/s.
const capacityGBs = 0.125

// lines makes the lines of a network of its edges. In a directed graph two edges, one each way, are a line.
func (d *Description) lines(graph *gmlList, index map[string]string) error {
	if err := graph.once("directed"); err != nil {
		return err
	}
	directed := graph.text["directed"] == "1"
	at := map[[2]string]int{} // lines by their ends, in the order of the edge
	var beside []string
	for _, e := range graph.of("edge") {
		w, err := d.wire(e, index)
		if err != nil {
			return err
		}
		from, to := w.Between[0], w.Between[1]
		_, same := at[[2]string{from, to}]
		back, opposite := at[[2]string{to, from}]
		switch {
		case same && directed:
			return fmt.Errorf("importer: line %d: a second edge from %s to %s; write one with the capacities of both added up",
				e.line, shorten(from), shorten(to))
		case opposite && directed:
			d.Links[back] = bothWays(d.Links[back], w)
			at[[2]string{from, to}] = back
			continue
		case same || opposite:
			beside = append(beside, from+"–"+to)
		}
		at[[2]string{from, to}] = len(d.Links)
		d.Links = append(d.Links, w)
	}
	if len(beside) > 0 {
		d.note("of several lines between the same places one is used, of least latency, then of most capacity: %s",
			listed(beside))
	}
	if directed {
		d.assumeBack(at)
	}
	return nil
}

// bothWays is the line whose directions are two edges.
func bothWays(there, back cluster.Wire) cluster.Wire {
	if back.GBs != there.GBs {
		there.UpGBs, there.DownGBs, there.GBs = there.GBs, back.GBs, 0
	}
	there.LatencyMS = max(there.LatencyMS, back.LatencyMS)
	return there
}

// assumeBack lists the lines of a directed graph that have one edge only.
func (d *Description) assumeBack(at map[[2]string]int) {
	var oneWay []string
	for _, w := range d.Links {
		if _, known := at[[2]string{w.Between[1], w.Between[0]}]; !known {
			oneWay = append(oneWay, w.Between[0]+"–"+w.Between[1])
		}
	}
	if len(oneWay) > 0 {
		d.assume("the way back is as fast as the way there, where the file has one only: %s", listed(oneWay))
	}
}

// wire makes a line of an edge.
func (d *Description) wire(e *gmlList, index map[string]string) (w cluster.Wire, err error) {
	if err := e.once("source", "target", "capacity", "distance"); err != nil {
		return w, err
	}
	for _, end := range []string{"source", "target"} {
		name, known := index[e.text[end]]
		if !known {
			return w, fmt.Errorf("importer: line %d: the %s of an edge is %q, which is no node",
				e.line, end, shorten(e.text[end]))
		}
		w.Between = append(w.Between, name)
	}
	number := func(field string) (float64, error) {
		text, given := e.text[field]
		if !given {
			return 0, nil
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v >= 0 && v < 1e18) {
			return 0, fmt.Errorf("importer: line %d: the %s of an edge is %q; it must be a number", e.line, field, shorten(text))
		}
		return v, nil
	}
	capacity, err := number("capacity")
	if err != nil {
		return w, err
	}
	distance, err := number("distance")
	if err != nil {
		return w, err
	}
	if w.GBs = capacity / 8e9; w.GBs == 0 {
		w.GBs = capacityGBs
		d.assume("lines without a capacity: %g GB/s (1 Gb/s)", float64(capacityGBs))
	}
	if w.LatencyMS = distance / kmPerMS; distance > 0 {
		d.assume("latency: 1 ms for every %d km of distance", kmPerMS)
	}
	return w, nil
}
