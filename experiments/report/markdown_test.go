package main

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/show/report"
)

func TestMarkdownOfAPage(t *testing.T) {
	table := report.Table{Caption: "16 nodes",
		Columns: []report.Column{{Title: "topology"}, {Title: "r_asym", Numeric: true}, {Title: "note"}}}
	table.Add("ring", "0.949", "")
	table.AddStrong("plan", "0.458", "λ₂ = 0.458")
	table.Add("a | b", "12.3", "*x* <b>")
	page := report.Page{Title: "A topology", Intro: "32 edges", Foot: "seed 1", Sections: []report.Section{{Heading: "Claims",
		Blocks: []report.Block{report.Paragraph("<script>"), table,
			report.Facts{{Label: "edges", Value: "32", Note: "maximum degree 4"}, {Label: "gap", Value: "3 %"}},
			report.Picture{Caption: "Pareto front.", File: "pareto.svg"}}}}}
	var b strings.Builder
	if err := writeMarkdown(&b, page); err != nil {
		t.Fatal(err)
	}
	want := `# A topology

32 edges

## Claims

\<script\>

16 nodes

| topology |    r_asym | note           |
|----------|----------:|----------------|
| ring     |     0.949 |                |
| **plan** | **0.458** | **λ₂ = 0.458** |
| a \| b   |      12.3 | \*x\* \<b\>    |

- edges: **32** (maximum degree 4)
- gap: **3 %**

![Pareto front.](<pareto.svg>)

---

seed 1
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestMarkdownEscapes(t *testing.T) {
	for text, want := range map[string]string{"r_asym": "r_asym", "_x_": `\_x\_`, "a|b": `a\|b`,
		"[x](y)": `\[x\](y)`, "a\nb": "a b", "# x": `\# x`, "`c`": "\\`c\\`"} {
		if got := escaped(text); got != want {
			t.Errorf("escaped(%q) = %q, want %q", text, got, want)
		}
	}
}
