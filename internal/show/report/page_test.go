package report_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/show/report"
)

func samplePage(t testing.TB) report.Page {
	t.Helper()
	picture := func(name, caption string) report.Picture {
		fig, err := gallery(t)[name].Draw()
		if err != nil {
			t.Fatal(err)
		}
		return report.Picture{Figure: fig, Caption: caption, File: name + ".svg"}
	}
	table := report.Table{
		Caption: "Everything that was compared, fastest first",
		Columns: []report.Column{{Title: "topology"}, {Title: "edges", Numeric: true}, {Title: "r_asym", Numeric: true},
			{Title: "time per iteration", Numeric: true}, {Title: "time to target", Numeric: true}},
	}
	table.Add("ring all-reduce", "16", "0", "9.39 ms", "9.39 ms")
	table.AddStrong("a plan of 32 edges", "32", "0.500", "20.0 ms", "301 ms")
	table.Add("exponential", "64", "0.600", "20.0 ms", "381 ms")
	table.Add("ring <b>|", "16", "0.949", "10.0 ms", "1643 ms")
	return report.Page{
		Title: "A topology for 16 nodes",
		Intro: "32 edges, every node with 4 neighbours: 301 ms to a consensus error of 10⁻⁴.",
		Sections: []report.Section{
			{Heading: "Recommendation", Blocks: []report.Block{
				report.Facts{{Label: "edges", Value: "32", Note: "maximum degree 4"},
					{Label: "r_asym", Value: "0.500", Note: "proved bound 0.383, gap 30.5 %"},
					{Label: "time per iteration", Value: "20.0 ms"},
					{Label: "time to target", Value: "301 ms", Note: "15 iterations"}},
				report.Paragraph("Fewer edges make an iteration cheaper, more edges make it worth more. " +
					"The budget of 32 edges is where the product is smallest."),
				picture("graph_16", "The recommended graph."),
			}},
			{Heading: "Comparison",
				Blocks: []report.Block{table, picture("error_time", "Error over time."),
					picture("time_by_edges", "Time to target.")}},
			{Heading: "Choices", Blocks: []report.Block{picture("pareto", "Pareto front."), picture("tree_32", "A cluster.")}},
			{Heading: "Claims", Blocks: []report.Block{
				report.Paragraph("<script>alert(1)</script>"),
				report.List{"one", "two *stars* <b>"},
			}},
		},
		Foot: "batopo, seed 1",
	}
}

func TestPageGallery(t *testing.T) {
	if *galleryDir == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*galleryDir, "page.html"), []byte(pageHTML(t, samplePage(t))), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestPageIsSelfContained(t *testing.T) {
	html := pageHTML(t, samplePage(t))
	outside := strings.ReplaceAll(html, `xmlns="http://www.w3.org/2000/svg"`, "")
	for _, bad := range []string{"http:", "https:", "//", "src=", "@import", "url(", "<script", "<link", "<iframe"} {
		if at := strings.Index(outside, bad); at >= 0 {
			t.Errorf("page refers to something outside itself: %q", outside[max(0, at-40):min(len(outside), at+40)])
		}
	}
	for _, want := range []string{"<!DOCTYPE html>", `name="viewport"`, "prefers-color-scheme: dark",
		`<a href="#s2">Choices</a>`, `<section id="s2">`,
		`<tr class="strong">`,
		"&lt;script&gt;alert(1)&lt;/script&gt;", "<li>two *stars* &lt;b&gt;</li>", "ring &lt;b&gt;|"} {
		if !strings.Contains(html, want) {
			t.Errorf("page lacks %q", want)
		}
	}
	if got, want := strings.Count(html, "<svg "), 5; got != want {
		t.Errorf("page holds %d pictures; want %d", got, want)
	}
	if again := pageHTML(t, samplePage(t)); again != html {
		t.Error("two runs give different pages")
	}
}

func pageHTML(t testing.TB, page report.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every text of a page is escaped, wherever it stands: no element can be smuggled in.
func TestPageEscapesEverything(t *testing.T) {
	const evil = `"><img src=x onerror=alert(1)>'</style></svg></title>{{.}}`
	fig, err := labelled(evil).Draw()
	if err != nil {
		t.Fatal(err)
	}
	table := report.Table{Caption: evil, Columns: []report.Column{{Title: evil}}}
	table.AddStrong(evil)
	html := pageHTML(t,
		report.Page{Title: evil, Intro: evil, Foot: evil, Sections: []report.Section{{Heading: evil, Blocks: []report.Block{
			report.Paragraph(evil), report.List{evil}, report.Facts{{Label: evil, Value: evil, Note: evil}}, table,
			report.Picture{Figure: fig, Caption: evil},
		}}}})
	if strings.Contains(html, "<img") || strings.Count(html, "</style>") != 1 || strings.Count(html, "</svg>") != 1 {
		t.Error("a text of the page became markup")
	}
}

// A sentence in the last column takes the room of the empty cells before it, and of no others.
func TestWordsTakeTheRoomOfEmptyCells(t *testing.T) {
	table := report.Table{Columns: []report.Column{{Title: "edges", Numeric: true}, {Title: "rounds", Numeric: true},
		{Title: "ms", Numeric: true}, {Title: "note"}}}
	table.Add("12", "", "", "a long sentence")
	table.Add("14", "", "3", "another")
	table.Add("16", "5", "", "")
	var b bytes.Buffer
	page := report.Page{Title: "t", Sections: []report.Section{{Heading: "h", Blocks: []report.Block{table}}}}
	if err := page.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		`<td class="num" data-column="edges">12</td><td colspan="3" data-column="note">a long sentence</td></tr>`,
		`<td class="num" data-column="rounds"></td><td class="num" data-column="ms">3</td>`,
		`<td class="num" data-column="rounds">5</td><td class="num" data-column="ms"></td><td data-column="note"></td></tr>`,
	} {
		if !strings.Contains(b.String(), row) {
			t.Errorf("the page has no row %s", row)
		}
	}
}
