package report

import "fmt"

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
	const page = 1360.0 // 952 in the column of a report, where it shrinks to 0.7
	wide := 0.0
	for _, one := range p.Figures {
		wide = max(wide, one.width)
	}
	most := max(1, int(page/wide))
	rows := (len(p.Figures) + most - 1) / most
	columns := (len(p.Figures) + rows - 1) / rows
	f := newFigure(float64(columns)*wide, p.Text)
	tallest := 0.0
	for k, one := range p.Figures {
		if k%columns == 0 {
			f.height, tallest = f.height+tallest, 0
		}
		tallest = max(tallest, one.height)
		f.add(shape(`<g transform="translate(` + numbers(float64(k%columns)*wide, f.height) + `)">` + "\n" +
			one.body.String() + "</g>\n"))
	}
	f.height += tallest
	return f, nil
}
