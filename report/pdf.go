package report

import (
	"fmt"
	"io"
	"time"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-pdf/fpdf"
)

const (
	pdfFont    = "LiberationSans"
	pdfPerUnit = 72.0 / 96
)

// writePDF uses fpdf directly: gonum's own PDF canvas stamps the time of day into the file
// and knows only the 256 characters of code page 1252, without Greek letters.
func (f *Figure) writePDF(w io.Writer) error {
	doc := fpdf.NewCustom(&fpdf.InitType{
		UnitStr: "pt",
		Size:    fpdf.SizeType{Wd: f.width * pdfPerUnit, Ht: f.height * pdfPerUnit},
	})
	epoch := time.Unix(0, 0).UTC()
	doc.SetCreationDate(epoch)
	doc.SetModificationDate(epoch)
	doc.SetCatalogSort(true)
	doc.SetProducer("batopo", true)
	doc.SetTitle(f.title, true)
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.AddUTF8FontFromBytes(pdfFont, "", liberationsansregular.TTF)
	doc.AddUTF8FontFromBytes(pdfFont, "B", liberationsansbold.TTF)
	doc.AddPage()
	doc.SetLineJoinStyle("round")
	for _, m := range f.marks {
		for _, s := range m.shapes {
			s.writePDF(doc)
		}
	}
	if err := doc.Output(w); err != nil {
		return fmt.Errorf("report: writing PDF: %w", err)
	}
	return nil
}

func (s shape) writePDF(doc *fpdf.Fpdf) {
	if s.text != nil {
		s.text.writePDF(doc)
		return
	}
	if s.fill.visible() {
		c := s.fill.rgba
		doc.SetFillColor(int(c.R), int(c.G), int(c.B))
		doc.SetAlpha(float64(c.A)/255, "Normal")
		s.drawPDF(doc, "F")
	}
	if s.stroke.visible() {
		c := s.stroke.rgba
		doc.SetDrawColor(int(c.R), int(c.G), int(c.B))
		doc.SetAlpha(float64(c.A)/255, "Normal")
		doc.SetLineWidth(s.width * pdfPerUnit)
		dash := make([]float64, len(s.dash))
		for i, d := range s.dash {
			dash[i] = d * pdfPerUnit
		}
		doc.SetDashPattern(dash, 0)
		s.drawPDF(doc, "D")
	}
}

func (s shape) drawPDF(doc *fpdf.Fpdf, style string) {
	const k = pdfPerUnit
	if s.radius > 0 {
		doc.Circle(s.center.x*k, s.center.y*k, s.radius*k, style)
		return
	}
	for _, seg := range s.path {
		a := seg.p[0]
		switch seg.verb {
		case 'M':
			doc.MoveTo(a.x*k, a.y*k)
		case 'L':
			doc.LineTo(a.x*k, a.y*k)
		case 'C':
			b, c := seg.p[1], seg.p[2]
			doc.CurveBezierCubicTo(a.x*k, a.y*k, b.x*k, b.y*k, c.x*k, c.y*k)
		case 'Z':
			doc.ClosePath()
		}
	}
	doc.DrawPath(style)
}

func (l label) writePDF(doc *fpdf.Fpdf) {
	const k = pdfPerUnit
	c := l.paint.rgba
	doc.SetTextColor(int(c.R), int(c.G), int(c.B))
	doc.SetAlpha(float64(c.A)/255, "Normal")
	style := ""
	if l.bold {
		style = "B"
	}
	doc.TransformBegin()
	if l.turn != 0 {
		doc.TransformRotate(-l.turn, l.at.x*k, l.at.y*k)
	}
	x := l.at.x - l.offset()
	for _, r := range runs(l.text) {
		doc.SetFont(pdfFont, style, l.size*r.scale*k)
		doc.Text(x*k, (l.at.y-r.rise*l.size)*k, inFont(r.text))
		x += r.width(l.size, l.bold)
	}
	doc.TransformEnd()
}
