package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// A Series is one curve.
type Series struct {
	Name   string
	Note   string    // shown beside the name in the legend, such as "281 ms"
	X, Y   []float64 // of equal length
	Strong bool      // drawn heavier than the others
}

// A Level is a value of the y axis worth a line across the chart, such as a target or a bound.
type Level struct {
	Name  string
	Value float64
}

// A LineChart shows how quantities fall or grow, one curve each: consensus error over
// iterations or over time. The colours follow the order of Series, so two charts of the
// same topologies agree; the legend is sorted by who gets down first.
type LineChart struct {
	Text
	X, Y   Axis
	Series []Series
	Levels []Level
}

// Draw lays out the chart. On a logarithmic y axis an error of exactly 0 ends its curve with an
// arrow at the lower edge; on a logarithmic x axis time 0 is the left edge. NaN and ±Inf leave gaps. The y
// axis ends a decade below the lowest level and x where most curves have left the picture.
func (c LineChart) Draw() (*Figure, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	x, y, err := c.ranges()
	if err != nil {
		return nil, err
	}
	f := newFrame(c.Text, x, y, c.entries(x, y))
	levels := slices.DeleteFunc(slices.Clone(c.Levels), func(l Level) bool { return l.Value < y.lo || l.Value > y.hi })
	for _, l := range levels {
		f.across(f.py(l.Value), muted, 1.2, 4, 3)
	}
	// Strong curves last, so that they lie on top.
	for _, strong := range []bool{false, true} {
		for k, s := range c.Series {
			if s.Strong == strong {
				f.series(s, k)
			}
		}
	}
	for _, l := range levels {
		f.nameLevel(l)
	}
	return f.Figure, nil
}

// WriteCSV writes every point of every curve, a line each.
func (c LineChart) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"name", c.X.caption(), c.Y.caption()}) // Error below has what went wrong
	for _, s := range c.Series {
		for k, x := range s.X {
			_ = out.Write([]string{s.Name, fmt.Sprint(x), fmt.Sprint(s.Y[k])})
		}
	}
	out.Flush()
	return out.Error()
}

func (c LineChart) validate() error {
	for _, s := range c.Series {
		seen := false
		for i := range s.X {
			seen = seen || c.X.reaches(s.X[i]) && c.Y.shows(s.Y[i])
		}
		if !seen {
			return fmt.Errorf("report: series %q has no value that can be drawn; "+
				"on a logarithmic axis values must be positive", s.Name)
		}
	}
	return nil
}

// ranges decides what part of the plane is shown.
func (c LineChart) ranges() (x, y Axis, err error) {
	var xs, ys []float64
	for _, s := range c.Series {
		xs, ys = append(xs, s.X...), append(ys, s.Y...)
	}
	levels := math.Inf(1)
	for _, l := range c.Levels {
		if !c.Y.shows(l.Value) {
			return x, y, fmt.Errorf("report: level %q is %g, which axis %q cannot show", l.Name, l.Value, c.Y.Label)
		}
		ys, levels = append(ys, l.Value), min(levels, l.Value)
	}
	if y, err = c.Y.fit(ys, 0.03); err != nil {
		return x, y, err
	}
	if y.Log && y.lo < levels/10 && len(c.Levels) > 0 {
		y.lo = levels / 10
		y = y.widened()
	}
	if x, err = c.X.fit(xs, 0); err != nil {
		return x, y, err
	}
	var exits []float64
	for _, s := range c.Series {
		exits = append(exits, exit(s, x, y))
	}
	slices.Sort(exits)
	const farBeyond = 3 // times the median: the rest would be squeezed to the left edge
	last := exits[len(exits)-1]
	if !x.Log {
		last = min(last, farBeyond*exits[len(exits)/2])
	}
	if last > exits[0] || slices.ContainsFunc(xs, func(v float64) bool { return x.shows(v) && v < last }) {
		x.hi = last
	}
	return x.widened(), y, nil
}

// exit returns the first x at which s is at or below the lower edge, or its last x.
func exit(s Series, x, y Axis) float64 {
	last := x.lo
	for i, v := range s.Y {
		if !x.shows(s.X[i]) {
			continue
		}
		last = s.X[i]
		if v <= y.lo {
			break
		}
	}
	return last
}

func (c LineChart) entries(x, y Axis) []legendEntry {
	order := make([]int, len(c.Series))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := c.Series[i], c.Series[j]
		return cmp.Or(cmp.Compare(exit(a, x, y), exit(b, x, y)), strings.Compare(a.Name, b.Name))
	})
	entries := make([]legendEntry, len(order))
	for row, k := range order {
		s := c.Series[k]
		entries[row] = legendEntry{name: s.Name, note: s.Note, strong: s.Strong, swatch: func(at point) []shape {
			p := penOf(k)
			return []shape{p.sample(at, lineWidth(s.Strong)), p.mark(at, markerSize)}
		}}
	}
	return entries
}

// nameLevel writes the level's name above its line, where the fewest curves pass.
func (f *frame) nameLevel(l Level) {
	const places, gap = 24, 5.0
	name := tickLabel(shorten(l.Name, legendName, tickSize, false), point{f.right, f.py(l.Value) - gap}, "end")
	var candidates []label
	for k := range places {
		name.at.x = f.right - gap - float64(k)/places*(f.right-f.left-name.width()-2*gap)
		candidates = append(candidates, name)
	}
	const above = 20 // the name of a level at the upper edge stands above the frame
	name, found := f.quietest(candidates, box{f.left, f.top - above, f.right, f.bottom}, nil, gap)
	if found {
		b := name.box()
		back := rectangle(b.left-2, name.at.y-tickSize, name.width()+4, tickSize+2)
		f.add(back.shape(style{fill: paper.faded(0.85)}), name.shape())
	}
}
