package report

import (
	"math"
	"strconv"
)

// A RateDrawing shows how fast pairs are joined: nodes on a circle, lines wider and of another colour where the pair is
// faster.
type RateDrawing struct {
	Text
	Names []string
	Rates []PairRate
}

// A PairRate is the bandwidth of one pair.
type PairRate struct {
	I, J int
	GBs  float64
	Note string // hover text; "" for the rate alone
}

// rateClasses is how many colours the lines of a drawing have at most.
const rateClasses = 4

// Draw lays out the pairs. It refuses more than 4096 nodes or 20 000 pairs.
func (d RateDrawing) Draw() (*Figure, error) {
	if err := drawable(len(d.Names), len(d.Rates)); err != nil {
		return nil, err
	}
	net := &network{names: d.Names, notes: make([]string, len(d.Names))}
	var entries []legendEntry
	net.links, entries = rateLinks(d.Rates)
	return net.draw(d.Text, entries), nil
}

// rateLinks are pairs as lines, and the legend of their classes.
func rateLinks(rates []PairRate) (links []link, entries []legendEntry) {
	lo, hi := math.Inf(1), 0.0
	for _, r := range rates {
		lo, hi = min(lo, r.GBs), max(hi, r.GBs)
	}
	type class struct {
		lo, hi float64
		pairs  int
	}
	var classes [rateClasses]class
	for _, r := range rates {
		says := r.Note
		if says == "" {
			says = Rate(r.GBs)
		}
		k := rateClass(r.GBs, lo, hi)
		c := &classes[k]
		if c.pairs == 0 {
			c.lo, c.hi = r.GBs, r.GBs
		}
		c.lo, c.hi, c.pairs = min(c.lo, r.GBs), max(c.hi, r.GBs), c.pairs+1
		links = append(links, link{from: r.I, to: r.J, weight: r.GBs, pen: k, says: says})
	}
	for k, c := range classes {
		if c.pairs == 0 {
			continue
		}
		name := Rate(c.lo)
		if Rate(c.lo) != Rate(c.hi) {
			name = Rate(c.lo) + " to " + Rate(c.hi)
		}
		entries = append(entries, legendEntry{name: name, note: strconv.Itoa(c.pairs), swatch: lineSwatch(k)})
	}
	return links, entries
}

// rateClass puts a rate into one of the classes, the fastest first, which are equally wide by factors.
func rateClass(gbs, lo, hi float64) int {
	const alike = 1.05
	if hi <= alike*lo {
		return 0
	}
	return min(rateClasses-1, int(rateClasses*math.Log(hi/gbs)/math.Log(hi/lo)))
}
