// Package report turns results into things people read: aligned tables, charts,
// drawings of graphs and clusters, and one self-contained HTML page.
//
// Every picture is first described as a [Figure], a short list of outlines and texts,
// and then written as SVG, PNG or PDF, so that all formats show the same thing. In SVG,
// edges, nodes, points and bars explain themselves on hover. gonum's plot library paints
// the pixels of PNG and knows the font's metrics; axes, legends and labels are laid out here, because its own
// plots keep the legend inside the plot area, know no hover text and no raised digits, and date their PDF files.
//
// A picture is a plain struct with a Draw method: [LineChart], [BarChart], [ScatterChart],
// [HeatMap], [SpectrumChart], [GraphDrawing], [LiftDrawing], [TreeDrawing], [BCubeDrawing].
// Colours are those of Okabe and Ito, and dashes and markers repeat what colours say.
//
// Same input, same bytes: no dates, no random names, no map order in any output. The
// package reads no files and writes only to the io.Writer it is given. Everything may be
// used from several goroutines at once.
package report
