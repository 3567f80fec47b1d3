package importer

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"
)

// Pairs joins measurements of single pairs to one matrix. Of a direction that was measured more than once the median
// counts, and the notes say so; one that nobody measured is taken to be like the other. What no file says is listed as
// assumed.
func Pairs(all []*Description) (*Description, error) {
	index := map[string]int{}
	var names []string
	for _, d := range all {
		for _, name := range d.Names {
			if _, known := index[name]; !known {
				index[name] = len(names)
				names = append(names, name)
			}
		}
		if d.Names[0] == d.Names[1] {
			return nil, fmt.Errorf("importer: both ends of a measurement are %s; name them by calling the file ONE--OTHER.json",
				d.Names[0])
		}
	}
	if len(names) > limits.MatrixNodes {
		return nil, fmt.Errorf("importer: %d hosts; at most %d are supported", len(names), limits.MatrixNodes)
	}
	rates, latencies := square(len(names)), square(len(names))
	every := directions{}
	for _, d := range all {
		a, b := index[d.Names[0]], index[d.Names[1]]
		there, back := d.Matrix.GBs[0][1], d.Matrix.GBs[1][0]
		every.add(a, b, there, back > 0)
		every.add(b, a, back, there > 0)
		if l := d.Matrix.LatencyMS; l != nil && (latencies[a][b] == 0 || l[0][1] < latencies[a][b]) {
			latencies[a][b] = digits(l[0][1])
			latencies[b][a] = latencies[a][b]
		}
	}
	for way, r := range every {
		rates[way.from][way.to] = digits(r.median())
	}
	out, err := measured(rates, names, 1)
	if err != nil {
		return nil, err
	}
	out.sayRepeated(every)
	out.say(rates, latencies)
	out.sayRegions()
	return out, nil
}

// say fills in what was not measured, and lists it.
func (d *Description) say(rates, latencies [][]float64) {
	var oneWay, never, noTrip []string
	trips := 0
	for i := range rates {
		for j := range i {
			pair := d.Names[j] + "–" + d.Names[i]
			if latencies[i][j] > 0 {
				trips++
			}
			switch {
			case rates[i][j] == 0 && rates[j][i] == 0:
				never = append(never, pair)
				continue
			case rates[i][j] == 0 || rates[j][i] == 0:
				oneWay = append(oneWay, pair)
				both := max(rates[i][j], rates[j][i])
				d.Matrix.GBs[i][j], d.Matrix.GBs[j][i] = both, both
			}
			if latencies[i][j] == 0 {
				noTrip = append(noTrip, pair)
			}
		}
	}
	if len(oneWay) > 0 {
		d.assume("the way back is as fast as the way there, where only one was measured: %s", listed(oneWay))
	}
	if len(never) > 0 {
		d.assume("hosts that no file measures together cannot talk to each other: %s", listed(never))
	}
	if trips > 0 {
		d.Matrix.LatencyMS = latencies
		if len(noTrip) > 0 {
			d.assume("no latency where the files tell of no round trip: %s", listed(noTrip))
		}
	}
	if len(rates) > 2 {
		d.assume("pairs measured one at a time do not slow each other down; a host sends to all together " +
			"what it sends to its fastest peer, unless port_gb_s says otherwise")
	}
}

// mostListed is how many alike things a note names.
const mostListed = 8

// listed names the first few pairs and counts the others.
func listed(pairs []string) string {
	if len(pairs) <= mostListed {
		return strings.Join(pairs, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(pairs[:mostListed], ", "), len(pairs)-mostListed)
}

func square(n int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, n)
	}
	return rows
}

// digits keeps as many of a measured number as a measurement has, so that people can read the file.
func digits(v float64) float64 {
	if short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64); err == nil && !math.IsInf(short, 0) {
		return short
	}
	return v
}
