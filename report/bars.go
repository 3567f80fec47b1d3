package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Bar is one row of a bar chart.
type Bar struct {
	Name  string
	Value float64 // +Inf or NaN: there is none, and Note says why
	Note  string  // shown after the value, such as "14 rounds of 20.0 ms"
	// Group gives bars of one kind the same colour; it appears in the legend. Optional.
	Group  string
	Strong bool
}

// A BarChart compares one number across topologies, such as the time to a target. Rows
// are sorted, the smallest value first, those without a value last.
type BarChart struct {
	Text
	X     Axis // logarithmic: dots instead of bars, since a bar's length would mean nothing
	Bars  []Bar
	Level *Level                     // a value of X worth a line, such as a lower bound; nil for none
	Spell func(value float64) string // nil: Number with the axis's unit
}

const barRow = 26.0

// Draw lays out the chart.
func (c BarChart) Draw() (*Figure, error) {
	if len(c.Bars) == 0 {
		return nil, errors.New("report: a bar chart needs at least one bar")
	}
	if c.X.Label == "" {
		return nil, errors.New("report: a bar chart needs a label on its axis")
	}
	rows := slices.Clone(c.Bars)
	slices.SortStableFunc(rows, func(a, b Bar) int { return cmp.Compare(sortable(a.Value), sortable(b.Value)) })
	x, err := c.axis(rows)
	if err != nil {
		return nil, err
	}
	groups := groupsOf(rows)
	entries := groupEntries(groups)
	f := c.frame(rows, x, entries)
	for k, b := range rows {
		f.bar(b, k, c.spell(b.Value), okabeIto[slices.Index(groups, b.Group)%len(okabeIto)])
	}
	if c.Level != nil && x.shows(c.Level.Value) {
		at := f.px(c.Level.Value)
		f.stroke(polyline(point{at, f.top}, point{at, f.bottom}), ink, 1.2, 4, 3)
		f.write(label{text: shorten(c.Level.Name, legendName, tickSize, false), at: point{at, f.top - 5}, anchor: middle, size: tickSize, paint: ink})
	}
	f.legendRows(entries, f.left, f.bottom+3.6*textSize, f.width-margin-f.left)
	return f.Figure, nil
}

// sortable places bars without a value at the end.
func sortable(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(1)
	}
	return v
}

func groupsOf(rows []Bar) []string {
	var groups []string
	for _, b := range rows {
		if !slices.Contains(groups, b.Group) {
			groups = append(groups, b.Group)
		}
	}
	slices.Sort(groups)
	return groups
}

func (c BarChart) spell(v float64) string {
	text := Number(v)
	switch {
	case !c.X.shows(v):
		return ""
	case c.Spell != nil:
		text = c.Spell(v)
	case c.X.Unit != "":
		text += " " + c.X.Unit
	}
	return shorten(text, legendNote, textSize, true)
}

func (c BarChart) axis(rows []Bar) (Axis, error) {
	var values []float64
	for _, b := range rows {
		if b.Value < 0 || (c.X.Log && b.Value == 0) {
			return Axis{}, fmt.Errorf("report: bar %q is %g; bars show values from 0 on, and on a logarithmic axis positive ones", b.Name, b.Value)
		}
		values = append(values, b.Value)
	}
	if c.Level != nil {
		values = append(values, c.Level.Value)
	}
	if !c.X.Log {
		values = append(values, 0) // bars begin at 0
	}
	return c.X.fit(values, 0.04)
}

// frame lays out rows, names on the left and room for values on the right.
func (c BarChart) frame(rows []Bar, x Axis, entries []legendEntry) *frame {
	names, values := 0.0, 0.0
	for _, b := range rows {
		names = max(names, min(legendName, textWidth(b.Name, textSize, b.Strong)))
		values = max(values, textWidth(c.spell(b.Value)+"   "+b.Note, textSize, b.Strong))
	}
	head := headerHeight(c.Text, chartWidth)
	if c.Level != nil {
		head += tickSize * lineHeight
	}
	f := &frame{x: x, left: margin + names + 12, top: head + 20, right: chartWidth - margin - min(values+8, 260)}
	f.bottom = f.top + float64(len(rows))*barRow
	foot := 4.4*textSize + legendLines(entries, chartWidth-margin-f.left)*legendRow
	f.Figure = newFigure(chartWidth, f.bottom+foot, c.Title)
	f.header(c.Text)
	for _, tk := range x.ticks(int((f.right - f.left) / 65)) {
		if tk.text != "" {
			f.stroke(polyline(point{f.px(tk.value), f.top}, point{f.px(tk.value), f.bottom}), rule, 1)
		}
	}
	f.drawX()
	return f
}

func (f *frame) bar(b Bar, row int, value string, c paint) {
	mid := f.top + (float64(row)+0.5)*barRow
	baseline := mid + capHeight*textSize/2
	name := shorten(b.Name, legendName, textSize, b.Strong)
	shapes := []shape{{text: &label{text: name, at: point{f.left - 10, baseline}, anchor: end, size: textSize, bold: b.Strong, paint: ink}}}
	tip := f.left
	if f.x.shows(b.Value) {
		tip = min(f.px(b.Value), f.right)
		if f.x.Log {
			stem := polyline(point{f.left, mid}, point{tip, mid})
			shapes = append(shapes, shape{path: stem, stroke: c.faded(0.45), width: 1.5},
				shape{center: point{tip, mid}, radius: 6, fill: c, stroke: paper, width: 1})
		} else {
			alpha := 0.7
			if b.Strong {
				alpha = 1
			}
			outline := rectangle(f.left, mid-8, max(1, tip-f.left), 16)
			shapes = append(shapes, shape{path: outline, fill: paper}, shape{path: outline, fill: c.faded(alpha)})
		}
	}
	text := tip + 10
	if tail := textWidth(value+b.Note, textSize, b.Strong); tail > 0 {
		shapes = append(shapes, shape{path: rectangle(text-2, mid-9, tail+12, 18), fill: paper.faded(0.9)})
	}
	if value != "" {
		shapes = append(shapes, shape{text: &label{text: value, at: point{text, baseline}, size: textSize, bold: b.Strong, paint: ink}})
		text += textWidth(value, textSize, b.Strong) + 8
	}
	if b.Note != "" {
		note := shorten(b.Note, f.width-margin/2-text, textSize, false)
		shapes = append(shapes, shape{text: &label{text: note, at: point{text, baseline}, size: textSize, paint: muted}})
	}
	hover := b.Name
	for _, part := range []string{value, b.Note} {
		if part != "" {
			hover += ", " + part
		}
	}
	f.add("bar", hover, shapes...)
}

// groupEntries are the legend of the groups' colours; a single group needs none.
func groupEntries(groups []string) []legendEntry {
	if len(groups) < 2 {
		return nil
	}
	var entries []legendEntry
	for k, g := range groups {
		entries = append(entries, legendEntry{name: g, swatch: func(at point) []shape {
			return []shape{{path: rectangle(at.x+swatchWidth/2-14, at.y-6, 12, 12), fill: okabeIto[k%len(okabeIto)]}}
		}})
	}
	return entries
}
