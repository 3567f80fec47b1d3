package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// svg renders the figure as a document of its own. It names nothing by id, so several
// can live in one HTML page, and refers to nothing outside itself.
func (f *Figure) svg() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img" `+
		`font-family="'Liberation Sans',Arial,Helvetica,sans-serif" fill="none" stroke-linejoin="round">`+"\n",
		number(f.width), number(f.height))
	fmt.Fprintf(&b, "<title>%s</title>\n", escape(f.title))
	for _, m := range f.marks {
		m.writeSVG(&b)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func (m mark) writeSVG(b *bytes.Buffer) {
	hover := ""
	if m.hover != "" {
		hover = "<title>" + escape(m.hover) + "</title>"
	}
	if len(m.shapes) == 1 {
		m.shapes[0].writeSVG(b, m.class, hover)
		return
	}
	b.WriteString("<g")
	if m.class != "" {
		fmt.Fprintf(b, ` class="%s"`, m.class)
	}
	b.WriteString(">" + hover)
	for _, s := range m.shapes {
		s.writeSVG(b, "", "")
	}
	b.WriteString("</g>\n")
}

func (s shape) writeSVG(b *bytes.Buffer, class, hover string) {
	var classes []string
	if class != "" {
		classes = append(classes, class)
	}
	var paints strings.Builder
	colour := func(attr string, p paint) {
		if !p.visible() {
			return
		}
		fmt.Fprintf(&paints, ` %s="#%02x%02x%02x"`, attr, p.rgba.R, p.rgba.G, p.rgba.B)
		if p.rgba.A < 255 {
			fmt.Fprintf(&paints, ` %s-opacity="%s"`, attr, number(float64(p.rgba.A)/255))
		}
		if p.name != "" {
			classes = append(classes, attr+"-"+p.name)
		}
	}
	if s.text != nil {
		colour("fill", s.text.paint)
	}
	colour("fill", s.fill)
	colour("stroke", s.stroke)
	if s.stroke.visible() && s.width != 1 {
		fmt.Fprintf(&paints, ` stroke-width="%s"`, number(s.width))
	}
	if len(s.dash) > 0 {
		dashes := make([]string, len(s.dash))
		for i, d := range s.dash {
			dashes[i] = number(d)
		}
		fmt.Fprintf(&paints, ` stroke-dasharray="%s"`, strings.Join(dashes, " "))
	}
	attrs := paints.String()
	if len(classes) > 0 {
		attrs += ` class="` + strings.Join(classes, " ") + `"`
	}
	switch {
	case s.text != nil:
		s.text.writeSVG(b, attrs, hover)
		return
	case s.radius > 0:
		fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="%s"%s`, number(s.center.x), number(s.center.y), number(s.radius), attrs)
		closeElement(b, "circle", hover)
	default:
		fmt.Fprintf(b, `<path d="%s"%s`, s.path.svg(), attrs)
		closeElement(b, "path", hover)
	}
}

func closeElement(b *bytes.Buffer, name, hover string) {
	if hover == "" {
		b.WriteString("/>\n")
		return
	}
	fmt.Fprintf(b, ">%s</%s>\n", hover, name)
}

func (l label) writeSVG(b *bytes.Buffer, attrs, hover string) {
	fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%s"`, number(l.at.x), number(l.at.y), number(l.size))
	switch l.anchor {
	case middle:
		b.WriteString(` text-anchor="middle"`)
	case end:
		b.WriteString(` text-anchor="end"`)
	}
	if l.bold {
		b.WriteString(` font-weight="bold"`)
	}
	if l.turn != 0 {
		fmt.Fprintf(b, ` transform="rotate(%s %s %s)"`, number(l.turn), number(l.at.x), number(l.at.y))
	}
	pieces := runs(l.text)
	if len(pieces) > 1 {
		b.WriteString(` xml:space="preserve"`) // a piece may begin with a space
	}
	fmt.Fprintf(b, "%s>%s", attrs, hover)
	rise := 0.0
	for _, r := range pieces {
		if r.rise == rise {
			b.WriteString(escape(r.text))
			continue
		}
		fmt.Fprintf(b, `<tspan dy="%s" font-size="%s">%s</tspan>`, number((rise-r.rise)*l.size), number(r.scale*l.size), escape(r.text))
		rise = r.rise
	}
	b.WriteString("</text>\n")
}

// svg spells the path with as few characters as its precision needs.
func (p path) svg() string {
	var b strings.Builder
	for _, s := range p {
		b.WriteByte(s.verb)
		for i, a := range s.points() {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(number(a.x) + " " + number(a.y))
		}
	}
	return b.String()
}

// number spells v to 1/100 of a unit, which no eye resolves, without trailing zeros.
func number(v float64) string {
	r := math.Round(v*100) / 100
	if r == 0 {
		return "0" // also for −0
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}

func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(err) // a strings.Builder does not fail
	}
	return b.String()
}
