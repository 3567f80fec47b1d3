package report

import (
	"fmt"
	"math"
)

// A Bar is what a choice takes.
type Bar struct {
	Name   string
	Value  float64
	Text   string // the value, spelled
	Strong bool   // marks the choice
}

// A BarChart shows one quantity of several choices, one below the other: the shorter, the better.
type BarChart struct {
	Text
	Bars []Bar
}

// Draw lays out the chart.
func (c BarChart) Draw() (*Figure, error) {
	const row, thick, gap, most = 24.0, 14.0, 8.0, 0.4 // most: the share of the width that names may take
	longest, names, values := 0.0, 0.0, 0.0
	for _, b := range c.Bars {
		if !(b.Value >= 0) || math.IsInf(b.Value, 1) {
			return nil, fmt.Errorf("report: bar %q of %g cannot be drawn; values must be finite and not negative", b.Name,
				b.Value)
		}
		longest = max(longest, b.Value)
		names = max(names, min(most*chartWidth, textWidth(b.Name, tickSize, b.Strong)))
		values = max(values, textWidth(b.Text, tickSize, b.Strong))
	}
	f := newFigure(chartWidth, c.Text)
	f.height += textSize
	left := margin + names + gap
	room := chartWidth - margin - gap - values - left
	for _, b := range c.Bars {
		middle, long, paint := f.height+row/2, 0.0, okabeIto[0]
		if longest > 0 {
			long = room * b.Value / longest
		}
		if !b.Strong {
			paint = paint.faded(0.4)
		}
		foot := lowered(middle, tickSize)
		text := func(text string, x float64, anchor string) shape {
			return label{text: text, at: point{x, foot}, anchor: anchor, size: tickSize, bold: b.Strong, paint: ink}.shape()
		}
		f.group("bar", b.Name+": "+b.Text, text(shorten(b.Name, names, tickSize, b.Strong), left-gap, "end"),
			rectangle(left, middle-thick/2, long, thick).shape(style{fill: paint}), text(b.Text, left+long+gap, ""))
		f.height += row
	}
	f.height += margin
	return f, nil
}
