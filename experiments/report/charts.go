package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/internal/show/report"
)

// overNodes draws facts over the number of nodes. The lines have a title, a subtitle, a caption, what is drawn, its
// unit, and then the name of each curve with its fact; a star marks a curve that stands out.
func (p page) overNodes(file string, lines []string) ([]report.Block, error) {
	label, unit, _ := strings.Cut(lines[3], " in ")
	chart := report.LineChart{
		Text: report.Text{Title: lines[0], Subtitle: lines[1]},
		X:    report.Axis{Label: "nodes", Log: true},
		Y:    report.Axis{Label: label, Unit: unit, Log: unit == "s"}, // seconds of solving range over decades
	}
	for _, line := range lines[4:] {
		name, fact, _ := strings.Cut(line, " | ")
		name, strong := strings.CutPrefix(name, "* ")
		s := report.Series{Name: name, Strong: strong}
		for _, n := range p.Paper.Table1.Nodes {
			if value, ok := p.Facts.Number(fact, n); ok {
				s.X, s.Y = append(s.X, float64(n)), append(s.Y, value)
			}
		}
		if len(s.X) > 0 {
			chart.Series = append(chart.Series, s)
			chart.X.At = append(chart.X.At, s.X...)
		}
	}
	slices.Sort(chart.X.At)
	chart.X.At = slices.Compact(chart.X.At)
	return picture(file, lines[2], chart)
}

func picture(file, caption string, chart report.LineChart) ([]report.Block, error) {
	drawn, err := chart.Draw()
	if err != nil {
		return nil, fmt.Errorf("picture %s: %w", file, err)
	}
	return []report.Block{report.Picture{Figure: drawn, Caption: caption, File: "images/" + file + ".svg"}}, nil
}
