package report

import (
	"fmt"
	"math"
)

// Panels are pictures beside each other under one title, such as the rounds of a schedule.
type Panels struct {
	Text
	Figures []*Figure // at least one
}

// Draw puts as many panels into a row as a page has room for at a size that can be read, and as many into each row.
func (p Panels) Draw() (*Figure, error) {
	if len(p.Figures) == 0 {
		return nil, fmt.Errorf("report: %q has no panels", p.Title)
	}
	const (
		page     = 1360.0 // 952 in the column of a report, where it shrinks to 0.7
		smallest = 0.85   // that a panel may become where two in a row would just not fit
	)
	wide := 0.0
	for _, one := range p.Figures {
		wide = max(wide, one.width)
	}
	most, scale := max(1, int(page/wide)), 1.0
	if most == 1 && len(p.Figures) > 1 && 2*smallest*wide <= page {
		most, scale = 2, math.Floor(100*page/(2*wide))/100
	}
	rows := (len(p.Figures) + most - 1) / most
	columns := (len(p.Figures) + rows - 1) / rows
	wide *= scale
	f := newFigure(float64(columns)*wide, p.Text)
	tallest := 0.0
	for k, one := range p.Figures {
		if k%columns == 0 {
			f.height, tallest = f.height+tallest, 0
		}
		tallest = max(tallest, scale*one.height)
		place := "translate(" + numbers(float64(k%columns)*wide, f.height) + ")"
		if scale < 1 {
			place += " scale(" + number(scale) + ")"
		}
		f.add(shape("<g" + attribute("transform", place) + ">\n" + one.body.String() + "</g>\n"))
	}
	f.height += tallest
	return f, nil
}
